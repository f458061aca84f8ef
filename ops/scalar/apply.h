// From a name to the arithmetic: `apply_floating(b, ScalarFunction::kTanh, x)` is `tanh(b, x)`.
//
// The one switch over the floating-point functions, for every policy (lanes.h). Where the function
// is a constant, as in the eager loops, the switch folds away. The rest of Kernel IR's vocabulary
// (integers, truth values, bits, choice, conversion) is exact and needs no policy; integer.h states
// it for C++.
//
// Agreed here: maximum and minimum give nan if an operand is nan, the first of equals (relu(-0.0)
// is -0.0); sign(nan) is 0 and sign(-0.0) is 0; round takes halves to even; rsqrt is 1 / sqrt, each
// rounded.
#pragma once

#include <limits>

#include "ir/scalar_function.h"
#include "ops/scalar/bessel_functions.h"
#include "ops/scalar/error_function.h"
#include "ops/scalar/exponential.h"
#include "ops/scalar/gamma_functions.h"
#include "ops/scalar/logarithm.h"
#include "ops/scalar/power.h"
#include "ops/scalar/seldom_functions.h"
#include "ops/scalar/trigonometric.h"

namespace glint::scalar {

template <class B>
typename B::Float maximum(const B& b, typename B::Float x, typename B::Float y) {
  return b.select(b.unordered(y), y, b.select(b.less(x, y), y, x));
}

template <class B>
typename B::Float minimum(const B& b, typename B::Float x, typename B::Float y) {
  return b.select(b.unordered(y), y, b.select(b.less(y, x), y, x));
}

template <class B>
typename B::Float sign(const B& b, typename B::Float x) {
  const auto zero = b.real(0.0);
  const auto positive = b.select(b.less(zero, x), b.real(1.0), zero);
  return b.select(b.less(x, zero), b.real(-1.0), positive);
}

/// Any function from `kAdd` to `kTrunc`; `y` and `z` are used by those of two and three operands.
template <class B>
[[gnu::always_inline]] inline typename B::Float apply_floating(const B& b, ScalarFunction function,
                                                               typename B::Float x,
                                                               typename B::Float y,
                                                               typename B::Float z) {
  switch (function) {
    case ScalarFunction::kAdd:
      return x + y;
    case ScalarFunction::kSubtract:
      return x - y;
    case ScalarFunction::kMultiply:
      return x * y;
    case ScalarFunction::kDivide:
      return x / y;
    case ScalarFunction::kFloorDivide:
      return floor_divide(b, x, y);
    case ScalarFunction::kRemainder:
      return remainder(b, x, y);
    case ScalarFunction::kFmod:
      return fmod(b, x, y);
    case ScalarFunction::kPower:
      return power(b, x, y);
    case ScalarFunction::kMaximum:
      return maximum(b, x, y);
    case ScalarFunction::kMinimum:
      return minimum(b, x, y);
    case ScalarFunction::kCopysign:
      return b.copysign(x, y);
    case ScalarFunction::kNextafter:
      return nextafter(b, x, y);
    case ScalarFunction::kHypot:
      return hypot(b, x, y);
    case ScalarFunction::kFma:
      return b.fma(x, y, z);
    case ScalarFunction::kNegative:
      return -x;
    case ScalarFunction::kAbs:
      return b.abs(x);
    case ScalarFunction::kSign:
      return sign(b, x);
    case ScalarFunction::kSquare:
      return x * x;
    case ScalarFunction::kReciprocal:
      return b.real(1.0) / x;
    case ScalarFunction::kFrac:
      return x - b.trunc(x);
    case ScalarFunction::kExp:
      return exp(b, x);
    case ScalarFunction::kExp2:
      return exp2(b, x);
    case ScalarFunction::kExpm1:
      return expm1(b, x);
    case ScalarFunction::kLog:
      return log(b, x);
    case ScalarFunction::kLog2:
      return log2(b, x);
    case ScalarFunction::kLog10:
      return log10(b, x);
    case ScalarFunction::kLog1p:
      return log1p(b, x);
    case ScalarFunction::kLogaddexp:
      return logaddexp(b, x, y);
    case ScalarFunction::kLogaddexp2:
      return logaddexp2(b, x, y);
    case ScalarFunction::kSqrt:
      return b.sqrt(x);
    case ScalarFunction::kRsqrt:
      return b.real(1.0) / b.sqrt(x);
    case ScalarFunction::kSin:
      return sin(b, x);
    case ScalarFunction::kCos:
      return cos(b, x);
    case ScalarFunction::kTan:
      return tan(b, x);
    case ScalarFunction::kAsin:
      return asin(b, x);
    case ScalarFunction::kAcos:
      return acos(b, x);
    case ScalarFunction::kAtan:
      return atan(b, x);
    case ScalarFunction::kAtan2:
      return atan2(b, x, y);
    case ScalarFunction::kSinh:
      return sinh(b, x);
    case ScalarFunction::kCosh:
      return cosh(b, x);
    case ScalarFunction::kTanh:
      return tanh(b, x);
    case ScalarFunction::kSigmoid:
      return sigmoid(b, x);
    case ScalarFunction::kAsinh:
      return asinh(b, x);
    case ScalarFunction::kAcosh:
      return acosh(b, x);
    case ScalarFunction::kAtanh:
      return atanh(b, x);
    case ScalarFunction::kLgamma:
      return lgamma(b, x);
    case ScalarFunction::kDigamma:
      return digamma(b, x);
    case ScalarFunction::kTrigamma:
      return trigamma(b, x);
    case ScalarFunction::kErfinv:
      return erfinv(b, x);
    case ScalarFunction::kErfcx:
      return erfcx(b, x);
    case ScalarFunction::kErfc:
      return erfc(b, x);
    case ScalarFunction::kErf:
      return erf(b, x);
    case ScalarFunction::kI0:
      return bessel<0, false>(b, x);
    case ScalarFunction::kI0e:
      return bessel<0, true>(b, x);
    case ScalarFunction::kI1:
      return bessel<1, false>(b, x);
    case ScalarFunction::kI1e:
      return bessel<1, true>(b, x);
    case ScalarFunction::kFloor:
      return b.floor(x);
    case ScalarFunction::kCeil:
      return b.ceil(x);
    case ScalarFunction::kRound:
      return b.round_even(x);
    case ScalarFunction::kTrunc:
      return b.trunc(x);
    default:
      return x;
  }
}

/// A comparison or predicate of floating operands, from `kIsnan` to `kGreaterEqual`. A comparison
/// with nan is false, `not_equal` true.
template <class B>
[[gnu::always_inline]] inline typename B::Mask compare_floating(const B& b, ScalarFunction function,
                                                                typename B::Float x,
                                                                typename B::Float y) {
  const auto infinity = b.real(std::numeric_limits<double>::infinity());
  switch (function) {
    case ScalarFunction::kIsnan:
      return b.unordered(x);
    case ScalarFunction::kIsinf:
      return b.equal(b.abs(x), infinity);
    case ScalarFunction::kIsfinite:
      return b.less(b.abs(x), infinity);
    case ScalarFunction::kSignbit:
      return b.is_negative(b.bits(x));
    case ScalarFunction::kEqual:
      return b.equal(x, y);
    case ScalarFunction::kNotEqual:
      return b.negated(b.equal(x, y));
    case ScalarFunction::kLess:
      return b.less(x, y);
    case ScalarFunction::kLessEqual:
      return b.less_equal(x, y);
    case ScalarFunction::kGreater:
      return b.less(y, x);
    default:
      return b.less_equal(y, x);
  }
}

/// A floating operand's truth value: nan is true.
template <class B>
typename B::Mask truth(const B& b, typename B::Float x) {
  return b.negated(b.equal(x, b.real(0.0)));
}

}  // namespace glint::scalar
