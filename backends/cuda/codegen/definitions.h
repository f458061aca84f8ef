// What stands above the kernels of a program: each type and function that they use, once.
//
//     Definitions definitions;
//     definitions.function(ScalarFunction::kTanh, DType::kFloat32)     // "tanh_f32"
//     definitions.reduction(Combiner::kSum, DType::kFloat32)           // "Sum_f32"
//     definitions.use(Piece::kWarpTotal);
//     definitions.lines()                                              // their text
//
// A scalar function is the one that all backends have: ops/scalar is instantiated for text
// (text_lanes.h). Pieces are written out in pieces.cpp.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/tensor/dtype.h"
#include "ir/kernel.h"
#include "ir/scalar_function.h"

namespace glint::cuda {

/// Text that kernels ask for by name, in the order in which it stands in a program.
enum class Piece : uint8_t {
  kIntegers,
  kHalf,
  kBFloat16,
  kWrappingAdd,
  kWrappingSubtract,
  kWrappingMultiply,
  kDivision,
  kPower,
  kShifts,
  kSigns,
  kVectors,
  kStreamedLoad,
  kKeptLoad,
  kFromLane,
  kWarpTotal,
  kBlockTotal,
  kWarpScan,
  kBlockScan,
  kColumnTotal,
  kSliceTotal,
  kLastBlock,
  kTotalOf,
  kFail,
};
struct PieceText {
  Piece piece;
  std::vector<Piece> uses;  ///< that have to stand before it
  std::string_view text;
};
/// Every piece; `piece_table()[size_t(piece)].piece == piece`.
std::span<const PieceText> piece_table();

/// What a combiner's type is called: `Sum_f32`.
std::string reduction_name(Combiner combiner, DType dtype);
/// The type that holds a reduction while it runs: `identity()`, `add(x)`, `merge(other)`.
std::string reduction_text(Combiner combiner, DType dtype);
/// The member that holds a part: `value`, `index`, `mean`.
std::string_view reduction_part(Combiner combiner, uint8_t part);

/// `float`, as a value of the dtype is held: float16 and bfloat16 as the float that they are.
std::string_view value_type(DType dtype);
/// `Half`, as memory holds it.
std::string_view memory_type(DType dtype);
/// A number in the source: `0.5f`, `(short)3`.
std::string literal_text(double value, DType dtype);
std::string literal_text(int64_t value, DType dtype);

class Definitions {
 public:
  Definitions() { use(Piece::kIntegers); }

  void use(Piece piece);
  /// What memory of the dtype is made of.
  std::string_view memory(DType dtype);
  /// A floating function's text on operands that are names or literals, with what it needs;
  /// `dtype` is float32 or float64.
  std::string floating(ScalarFunction function, DType dtype,
                       const std::vector<std::string>& operands);
  /// The name under which CUDA's own function of float64 is called, out of line: it is long, and
  /// few arguments need it.
  std::string slow(const char* function, size_t arity);
  /// The name of a table of numbers.
  std::string table(std::span<const float> numbers);
  /// The name of a reduction's type.
  std::string reduction(Combiner combiner, DType dtype);

  std::vector<std::string> lines() const;

 private:
  struct Defined {
    std::string name;
    std::vector<std::string> lines;
  };
  void define(ScalarFunction function, DType dtype);

  std::set<Piece> pieces_;
  std::vector<Defined> functions_;
  std::map<std::vector<float>, std::string> tables_;
  std::map<std::string, std::string> reductions_;  ///< name to text
};

}  // namespace glint::cuda
