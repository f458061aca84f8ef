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

#include "core/tensor/dtype.h"

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
  kCopysign,
  kNextafter,
  kHypot,
  kFma,
  kNegative,
  kAbs,
  kSign,
  kSquare,
  kReciprocal,
  kFrac,
  // exponentials and roots
  kExp,
  kExp2,
  kExpm1,
  kLog,
  kLog2,
  kLog10,
  kLog1p,
  kLogaddexp,
  kLogaddexp2,
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
  kAsinh,
  kAcosh,
  kAtanh,
  // functions of statistics and physics
  kLgamma,
  kDigamma,
  kTrigamma,
  kErfinv,
  kErfcx,
  kErfc,
  kErf,
  kI0,
  kI0e,
  kI1,
  kI1e,
  // rounding
  kFloor,
  kCeil,
  kRound,
  kTrunc,
  // predicates and comparisons
  kIsnan,
  kIsinf,
  kIsfinite,
  kSignbit,
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
  kWide,      ///< float32 and float64 only: not what computes in float32 and is rounded
  kIntegral,  ///< integers and bool
};

struct ScalarFunctionInfo {
  ScalarFunction function;
  std::string_view name;  ///< as in Kernel IR's text
  uint8_t arity;
  ScalarResult result;
  ScalarDomain domain;
};

inline constexpr std::array kScalarFunctions = [] {
  using enum ScalarFunction;
  using enum ScalarResult;
  using enum ScalarDomain;
  return std::to_array<ScalarFunctionInfo>({
      {kAdd, "add", 2, kSame, kAny},
      {kSubtract, "subtract", 2, kSame, kNumber},
      {kMultiply, "multiply", 2, kSame, kAny},
      {kDivide, "divide", 2, kSame, kFloating},
      {kFloorDivide, "floor_divide", 2, kSame, kNumber},
      {kRemainder, "remainder", 2, kSame, kNumber},
      {kFmod, "fmod", 2, kSame, kNumber},
      {kPower, "power", 2, kSame, kNumber},
      {kMaximum, "maximum", 2, kSame, kAny},  // NaN if either is, as torch.maximum
      {kMinimum, "minimum", 2, kSame, kAny},
      {kCopysign, "copysign", 2, kSame, kFloating},
      {kNextafter, "nextafter", 2, kSame, kWide},
      {kHypot, "hypot", 2, kSame, kFloating},
      {kFma, "fma", 3, kSame, kFloating},
      {kNegative, "negative", 1, kSame, kNumber},
      {kAbs, "abs", 1, kSame, kNumber},
      {kSign, "sign", 1, kSame, kAny},
      {kSquare, "square", 1, kSame, kNumber},
      {kReciprocal, "reciprocal", 1, kSame, kFloating},
      {kFrac, "frac", 1, kSame, kFloating},
      {kExp, "exp", 1, kSame, kFloating},
      {kExp2, "exp2", 1, kSame, kFloating},
      {kExpm1, "expm1", 1, kSame, kFloating},
      {kLog, "log", 1, kSame, kFloating},
      {kLog2, "log2", 1, kSame, kFloating},
      {kLog10, "log10", 1, kSame, kFloating},
      {kLog1p, "log1p", 1, kSame, kFloating},
      {kLogaddexp, "logaddexp", 2, kSame, kFloating},
      {kLogaddexp2, "logaddexp2", 2, kSame, kFloating},
      {kSqrt, "sqrt", 1, kSame, kFloating},
      {kRsqrt, "rsqrt", 1, kSame, kFloating},
      {kSin, "sin", 1, kSame, kFloating},
      {kCos, "cos", 1, kSame, kFloating},
      {kTan, "tan", 1, kSame, kFloating},
      {kAsin, "asin", 1, kSame, kFloating},
      {kAcos, "acos", 1, kSame, kFloating},
      {kAtan, "atan", 1, kSame, kFloating},
      {kAtan2, "atan2", 2, kSame, kFloating},
      {kSinh, "sinh", 1, kSame, kFloating},
      {kCosh, "cosh", 1, kSame, kFloating},
      {kTanh, "tanh", 1, kSame, kFloating},
      {kSigmoid, "sigmoid", 1, kSame, kFloating},
      {kAsinh, "asinh", 1, kSame, kFloating},
      {kAcosh, "acosh", 1, kSame, kFloating},
      {kAtanh, "atanh", 1, kSame, kFloating},
      {kLgamma, "lgamma", 1, kSame, kFloating},
      {kDigamma, "digamma", 1, kSame, kFloating},
      {kTrigamma, "trigamma", 1, kSame, kFloating},
      {kErfinv, "erfinv", 1, kSame, kFloating},
      {kErfcx, "erfcx", 1, kSame, kWide},
      {kErfc, "erfc", 1, kSame, kFloating},
      {kErf, "erf", 1, kSame, kFloating},
      {kI0, "i0", 1, kSame, kFloating},
      {kI0e, "i0e", 1, kSame, kFloating},
      {kI1, "i1", 1, kSame, kFloating},
      {kI1e, "i1e", 1, kSame, kFloating},
      {kFloor, "floor", 1, kSame, kNumber},
      {kCeil, "ceil", 1, kSame, kNumber},
      {kRound, "round", 1, kSame, kNumber},  // halves to even
      {kTrunc, "trunc", 1, kSame, kNumber},
      {kIsnan, "isnan", 1, kBool, kAny},
      {kIsinf, "isinf", 1, kBool, kAny},
      {kIsfinite, "isfinite", 1, kBool, kAny},
      {kSignbit, "signbit", 1, kBool, kAny},  // of -0.0 and of a nan too
      {kEqual, "equal", 2, kBool, kAny},
      {kNotEqual, "not_equal", 2, kBool, kAny},
      {kLess, "less", 2, kBool, kAny},
      {kLessEqual, "less_equal", 2, kBool, kAny},
      {kGreater, "greater", 2, kBool, kAny},
      {kGreaterEqual, "greater_equal", 2, kBool, kAny},
      {kLogicalAnd, "logical_and", 2, kBool, kAny},
      {kLogicalOr, "logical_or", 2, kBool, kAny},
      {kLogicalXor, "logical_xor", 2, kBool, kAny},
      {kLogicalNot, "logical_not", 1, kBool, kAny},
      {kBitwiseAnd, "bitwise_and", 2, kSame, kIntegral},
      {kBitwiseOr, "bitwise_or", 2, kSame, kIntegral},
      {kBitwiseXor, "bitwise_xor", 2, kSame, kIntegral},
      {kBitwiseNot, "bitwise_not", 1, kSame, kIntegral},
      {kShiftLeft, "shift_left", 2, kSame, kIntegral},
      {kShiftRight, "shift_right", 2, kSame, kIntegral},
      {kWhere, "where", 3, kSame, kAny},
      {kCast, "cast", 1, kStated, kAny},
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
/// Whether the function takes operands of the dtype.
constexpr bool takes(ScalarFunction function, DType dtype) {
  switch (info(function).domain) {
    case ScalarDomain::kAny:
      return true;
    case ScalarDomain::kNumber:
      return !is_bool(dtype);
    case ScalarDomain::kFloating:
      return is_floating(dtype);
    case ScalarDomain::kWide:
      return dtype == DType::kFloat32 || dtype == DType::kFloat64;
    case ScalarDomain::kIntegral:
      return !is_floating(dtype);
  }
  return false;
}
std::optional<ScalarFunction> find_scalar_function(std::string_view name);

}  // namespace glint
