// asinh, acosh, atanh, lgamma, erfinv, erfc: functions that few programs call in their inner loops.
//
// Each is a float64 function of one element, for float32 and float64 alike, and rounds once more to
// float32: the largest errors (ulp) are 0.5 in float32 and those of the C library, 1, in float64.
// The C library has no erfinv, and its lgamma writes a global: `special::` has both.
#pragma once

#include <cmath>

#include "ops/scalar/lanes.h"

namespace glint::scalar {

namespace special {

/// log |gamma(x)|.
double lgamma(double x);
/// The y with erf(y) = x: infinite at 1 and -1, NaN beyond.
double erfinv(double x);

}  // namespace special

template <class B>
typename B::Float asinh(const B& b, typename B::Float x) {
  return b.each(static_cast<SlowUnary>(std::asinh), x);
}

template <class B>
typename B::Float acosh(const B& b, typename B::Float x) {
  return b.each(static_cast<SlowUnary>(std::acosh), x);
}

template <class B>
typename B::Float atanh(const B& b, typename B::Float x) {
  return b.each(static_cast<SlowUnary>(std::atanh), x);
}

template <class B>
typename B::Float lgamma(const B& b, typename B::Float x) {
  return b.each(static_cast<SlowUnary>(special::lgamma), x);
}

template <class B>
typename B::Float erfinv(const B& b, typename B::Float x) {
  return b.each(static_cast<SlowUnary>(special::erfinv), x);
}

template <class B>
typename B::Float erfc(const B& b, typename B::Float x) {
  return b.each(static_cast<SlowUnary>(std::erfc), x);
}

}  // namespace glint::scalar
