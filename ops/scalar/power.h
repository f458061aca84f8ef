// power, and division with remainder: fmod, remainder, floor_divide.
//
// power (float32): exp(y log|x|) in float64, rounded once, then C's special cases; float64 is the C
// library's. fmod: q = trunc(x / y) and one fused multiply-add give the remainder exactly (the
// quotient may be one too large, which shows as a remainder of the wrong sign); quotients of 2^22
// and more, infinities and nans go to the C library. remainder takes the divisor's sign and
// floor_divide is (x - remainder) / y rounded, both as PyTorch and CPython define them.
//
// Largest errors (ulp), float32 / float64: power 0.6 / 1; fmod and remainder 0, floor_divide 0.
#pragma once

#include <cmath>
#include <limits>
#include <type_traits>

#include "ops/scalar/exponential.h"
#include "ops/scalar/logarithm.h"

namespace glint::scalar {

template <class B>
typename B::Float power(const B& b, typename B::Float x, typename B::Float y) {
  if constexpr (std::is_same_v<typename B::Real, double>) {
    return b.each(static_cast<SlowBinary>(std::pow), x, y);
  } else {
    const auto one = b.real(1.0);
    const auto zero = b.real(0.0);
    const auto wide = b.wide();
    const auto magnitude = b.abs(x);
    const auto logarithm = log(wide, b.widen(magnitude));
    auto result = b.narrow(exp(wide, b.widen(y) * logarithm));
    // A negative base: the sign of an odd exponent; no real result for a fraction.
    const auto whole = b.equal(b.trunc(y), y);
    const auto half = y * b.real(0.5);
    const auto odd = b.both(whole, b.negated(b.equal(b.trunc(half), half)));
    const auto negative = b.is_negative(b.bits(x));
    result = b.select(b.both(negative, odd), -result, result);
    const auto infinity = b.real(std::numeric_limits<double>::infinity());
    const auto finite_negative = b.both(b.less(x, zero), b.less(magnitude, infinity));
    const auto fraction = b.both(finite_negative, b.negated(whole));
    result = b.select(fraction, b.real(std::numeric_limits<double>::quiet_NaN()), result);
    // 1^y and x^0 are 1 even for nan, (-1)^(+-infinity) too.
    result = b.select(b.either(b.unordered(x), b.unordered(y)), x + y, result);
    const auto unit = b.both(b.equal(magnitude, one), b.equal(b.abs(y), infinity));
    return b.select(b.either(b.either(b.equal(x, one), b.equal(y, zero)), unit), one, result);
  }
}

template <class B>
typename B::Float fmod(const B& b, typename B::Float x, typename B::Float y) {
  const auto quotient = x / y;
  const auto q = b.trunc(quotient);
  auto r = b.fma(-q, y, x);
  // One step too far: the remainder's sign is not the dividend's.
  const auto wrong = b.less(r * b.copysign(b.real(1.0), x), b.real(0.0));
  r = b.select(wrong, r + b.copysign(y, x), r);
  r = b.copysign(r, x);
  const auto hard = b.negated(b.less(b.abs(quotient), b.real(0x1p22)));
  // A divisor or remainder near the denormals: the multiply-add may not be exact.
  const auto tiny = b.less(b.abs(y), b.real(B::Constants::kSmallestNormal * 0x1p30));
  const auto endless = b.equal(b.abs(y), b.real(std::numeric_limits<double>::infinity()));
  return b.patch(b.either(hard, b.either(tiny, endless)), r, static_cast<SlowBinary>(std::fmod), x,
                 y);
}

template <class B>
typename B::Float remainder(const B& b, typename B::Float x, typename B::Float y) {
  const auto zero = b.real(0.0);
  const auto r = fmod(b, x, y);
  const auto differs = b.negated(b.equal(b.copysign(b.real(1.0), r), b.copysign(b.real(1.0), y)));
  const auto nonzero = b.either(b.less(r, zero), b.less(zero, r));
  return b.select(b.both(nonzero, differs), r + y, r);
}

template <class B>
typename B::Float floor_divide(const B& b, typename B::Float x, typename B::Float y) {
  const auto zero = b.real(0.0);
  const auto one = b.real(1.0);
  const auto r = fmod(b, x, y);
  const auto quotient = (x - r) / y;
  const auto differs = b.negated(b.equal(b.copysign(one, r), b.copysign(one, y)));
  const auto nonzero = b.either(b.less(r, zero), b.less(zero, r));
  const auto exact = b.select(b.both(nonzero, differs), quotient - one, quotient);
  const auto floored = b.floor(exact);
  const auto snapped = b.select(b.less(b.real(0.5), exact - floored), floored + one, floored);
  const auto signed_zero = b.copysign(zero, x / y);
  const auto result = b.select(b.equal(exact, zero), signed_zero, snapped);
  return b.select(b.equal(y, zero), x / y, result);
}

}  // namespace glint::scalar
