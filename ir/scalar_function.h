// The vocabulary of elementwise mathematics: every function of scalars that Kernel IR can name.
//
// One row a function: its name, how many operands, and what it gives. What each computes, to the
// last bit, is defined once in ops/scalar; every backend has one implementation of each row.
//
// Types. All operands have one dtype (but `where`'s condition and `cast`'s operand) and arithmetic
// happens in it. bfloat16 and float16 compute in float32 and round the result to the dtype: each
// function rounds once, as eager operators do. Integers wrap around. Comparisons and predicates
// give bool.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace glint {

enum class ScalarFunction : uint8_t {
  // arithmetic
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kFloorDivide,
  kRemainder,
  kFmod,
  kPower,
  kMaximum,
  kMinimum,
  kFma,
  kNegative,
  kAbs,
  kSign,
  kSquare,
  kReciprocal,
  // exponentials and roots
  kExp,
  kExp2,
  kExpm1,
  kLog,
  kLog2,
  kLog10,
  kLog1p,
  kSqrt,
  kRsqrt,
  // trigonometry and its relatives
  kSin,
  kCos,
  kTan,
  kAsin,
  kAcos,
  kAtan,
  kAtan2,
  kSinh,
  kCosh,
  kTanh,
  kSigmoid,
  kErf,
  // rounding
  kFloor,
  kCeil,
  kRound,
  kTrunc,
  // predicates and comparisons
  kIsnan,
  kIsinf,
  kIsfinite,
  kEqual,
  kNotEqual,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  // truth values
  kLogicalAnd,
  kLogicalOr,
  kLogicalXor,
  kLogicalNot,
  // bits
  kBitwiseAnd,
  kBitwiseOr,
  kBitwiseXor,
  kBitwiseNot,
  kShiftLeft,
  kShiftRight,
  // choice and conversion
  kWhere,
  kCast,
};

/// What dtype a function gives.
enum class ScalarResult : uint8_t {
  kSame,    ///< the operands' dtype
  kBool,    ///< a truth value
  kStated,  ///< the statement says (cast)
};

/// Which operand dtypes a function takes.
enum class ScalarDomain : uint8_t {
  kAny,       ///< every dtype
  kNumber,    ///< all but bool
  kFloating,  ///< floating point only
  kIntegral,  ///< integers and bool
};

struct ScalarFunctionInfo {
  ScalarFunction function;
  std::string_view name;  ///< as in Kernel IR's text
  uint8_t arity;
  ScalarResult result;
  ScalarDomain domain;
  bool commutative;
};

inline constexpr std::array kScalarFunctions = [] {
  using enum ScalarFunction;
  using enum ScalarResult;
  using enum ScalarDomain;
  return std::to_array<ScalarFunctionInfo>({
      {kAdd, "add", 2, kSame, kAny, true},
      {kSubtract, "subtract", 2, kSame, kNumber, false},
      {kMultiply, "multiply", 2, kSame, kAny, true},
      {kDivide, "divide", 2, kSame, kFloating, false},
      {kFloorDivide, "floor_divide", 2, kSame, kNumber, false},
      {kRemainder, "remainder", 2, kSame, kNumber, false},
      {kFmod, "fmod", 2, kSame, kNumber, false},
      {kPower, "power", 2, kSame, kNumber, false},
      {kMaximum, "maximum", 2, kSame, kAny, true},  // NaN if either is, as torch.maximum
      {kMinimum, "minimum", 2, kSame, kAny, true},
      {kFma, "fma", 3, kSame, kFloating, false},
      {kNegative, "negative", 1, kSame, kNumber, false},
      {kAbs, "abs", 1, kSame, kNumber, false},
      {kSign, "sign", 1, kSame, kAny, false},
      {kSquare, "square", 1, kSame, kNumber, false},
      {kReciprocal, "reciprocal", 1, kSame, kFloating, false},
      {kExp, "exp", 1, kSame, kFloating, false},
      {kExp2, "exp2", 1, kSame, kFloating, false},
      {kExpm1, "expm1", 1, kSame, kFloating, false},
      {kLog, "log", 1, kSame, kFloating, false},
      {kLog2, "log2", 1, kSame, kFloating, false},
      {kLog10, "log10", 1, kSame, kFloating, false},
      {kLog1p, "log1p", 1, kSame, kFloating, false},
      {kSqrt, "sqrt", 1, kSame, kFloating, false},
      {kRsqrt, "rsqrt", 1, kSame, kFloating, false},
      {kSin, "sin", 1, kSame, kFloating, false},
      {kCos, "cos", 1, kSame, kFloating, false},
      {kTan, "tan", 1, kSame, kFloating, false},
      {kAsin, "asin", 1, kSame, kFloating, false},
      {kAcos, "acos", 1, kSame, kFloating, false},
      {kAtan, "atan", 1, kSame, kFloating, false},
      {kAtan2, "atan2", 2, kSame, kFloating, false},
      {kSinh, "sinh", 1, kSame, kFloating, false},
      {kCosh, "cosh", 1, kSame, kFloating, false},
      {kTanh, "tanh", 1, kSame, kFloating, false},
      {kSigmoid, "sigmoid", 1, kSame, kFloating, false},
      {kErf, "erf", 1, kSame, kFloating, false},
      {kFloor, "floor", 1, kSame, kNumber, false},
      {kCeil, "ceil", 1, kSame, kNumber, false},
      {kRound, "round", 1, kSame, kNumber, false},  // halves to even
      {kTrunc, "trunc", 1, kSame, kNumber, false},
      {kIsnan, "isnan", 1, kBool, kAny, false},
      {kIsinf, "isinf", 1, kBool, kAny, false},
      {kIsfinite, "isfinite", 1, kBool, kAny, false},
      {kEqual, "equal", 2, kBool, kAny, true},
      {kNotEqual, "not_equal", 2, kBool, kAny, true},
      {kLess, "less", 2, kBool, kAny, false},
      {kLessEqual, "less_equal", 2, kBool, kAny, false},
      {kGreater, "greater", 2, kBool, kAny, false},
      {kGreaterEqual, "greater_equal", 2, kBool, kAny, false},
      {kLogicalAnd, "logical_and", 2, kBool, kAny, true},
      {kLogicalOr, "logical_or", 2, kBool, kAny, true},
      {kLogicalXor, "logical_xor", 2, kBool, kAny, true},
      {kLogicalNot, "logical_not", 1, kBool, kAny, false},
      {kBitwiseAnd, "bitwise_and", 2, kSame, kIntegral, true},
      {kBitwiseOr, "bitwise_or", 2, kSame, kIntegral, true},
      {kBitwiseXor, "bitwise_xor", 2, kSame, kIntegral, true},
      {kBitwiseNot, "bitwise_not", 1, kSame, kIntegral, false},
      {kShiftLeft, "shift_left", 2, kSame, kIntegral, false},
      {kShiftRight, "shift_right", 2, kSame, kIntegral, false},
      {kWhere, "where", 3, kSame, kAny, false},
      {kCast, "cast", 1, kStated, kAny, false},
  });
}();

inline constexpr size_t kScalarFunctionCount = kScalarFunctions.size();
static_assert([] {
  for (size_t i = 0; i < kScalarFunctionCount; ++i)
    if (static_cast<size_t>(kScalarFunctions[i].function) != i) return false;
  return true;
}());

constexpr const ScalarFunctionInfo& info(ScalarFunction function) {
  return kScalarFunctions[static_cast<size_t>(function)];
}
constexpr std::string_view name(ScalarFunction function) {
  return info(function).name;
}
std::optional<ScalarFunction> find_scalar_function(std::string_view name);

}  // namespace glint
