// asinh, acosh, atanh, and functions of two numbers that are a few steps.
//
// The inverse hyperbolic functions are logarithms of 1 + x, worked out in float64. hypot scales by
// a power of two, so that no square leaves its range, and takes off the error of its root (Borges,
// "An improved algorithm for hypot(a, b)", 2019).
//
// Largest errors (ulp), float32 / float64: asinh, acosh, atanh 0.51 / 2, hypot 0.51 / 0.51,
// logaddexp and logaddexp2 2 / 2 of the greater number; copysign and nextafter 0.
#pragma once

#include <limits>
#include <numbers>
#include <type_traits>

#include "ops/scalar/exponential.h"
#include "ops/scalar/float64_lanes.h"
#include "ops/scalar/logarithm.h"

namespace glint::scalar {

/// log(2 x) for x beyond `kSquareIsAll`, where x^2 + 1 is x^2; else log1p(small).
inline constexpr double kSquareIsAll = 0x1p60;
template <class W>
typename W::Float log_of_double(const W& w, typename W::Float x, typename W::Float small) {
  const auto large = w.less(w.real(kSquareIsAll), x);
  const auto logarithm = log1p_by_log(w, w.select(large, x, small));
  return w.select(large, logarithm + w.real(std::numbers::ln2), logarithm);
}

template <class B>
typename B::Float asinh(const B& b, typename B::Float x) {
  return in_float64(b, x, [](const auto& w, auto wide) {
    const auto magnitude = w.abs(wide);
    const auto square = magnitude * magnitude;
    const auto one = w.real(1.0);
    const auto small = magnitude + square / (one + w.sqrt(one + square));
    return w.copysign(log_of_double(w, magnitude, small), wide);
  });
}

template <class B>
typename B::Float acosh(const B& b, typename B::Float x) {
  return in_float64(b, x, [](const auto& w, auto wide) {
    const auto beyond = wide - w.real(1.0);
    const auto small = beyond + w.sqrt(w.fma(beyond, beyond, beyond + beyond));
    const auto outside = w.less(wide, w.real(1.0));
    const auto nan = w.real(std::numeric_limits<double>::quiet_NaN());
    return w.select(outside, nan, log_of_double(w, wide, small));
  });
}

/// Half of log(u / v) with u = 1 + x and v = 1 - x: with u / v about 2^n, that of 2^n and that of
/// what is left, which is 2 atanh((u - 2^n v) / (u + 2^n v)).
template <class B>
typename B::Float atanh(const B& b, typename B::Float x) {
  return in_float64(b, x, [](const auto& w, auto wide) {
    using C = std::remove_cvref_t<decltype(w)>::Constants;
    const auto magnitude = w.abs(wide);
    const auto one = w.real(1.0), half = w.real(0.5);
    const auto u = one + magnitude, v = one - magnitude;
    const auto rounding = w.integer(int64_t{1} << (C::kMantissaBits - 1));
    const auto n = (w.bits(u) - w.bits(v) + rounding) >> w.integer(C::kMantissaBits);
    const auto power = power_of_two(w, n);
    // Below 1/2 the differences are rounded once, of what x is multiplied by; above, v is exact.
    const auto small = w.less(magnitude, half);
    const auto once = w.fma(magnitude, one + power, one - power);
    const auto above = w.select(small, once, w.fma(-power, v, u));
    const auto below =
        w.select(small, w.fma(magnitude, one - power, one + power), w.fma(power, v, u));
    const auto s = above / below;
    const auto z = s * s;
    const auto tail = s * z * polynomial(w, z, C::kAtanh) * half;
    const auto whole = small_integer_to_real(w, n) * half;
    const auto low = w.fma(whole, w.real(C::kLn2Low), tail);
    const auto inside = w.fma(whole, w.real(C::kLn2High), s + low);
    const auto nan = w.real(std::numeric_limits<double>::quiet_NaN());
    const auto infinity = w.real(std::numeric_limits<double>::infinity());
    const auto beyond = w.select(w.equal(magnitude, one), infinity, nan);
    return w.copysign(w.select(w.less(magnitude, one), inside, beyond), wide);
  });
}

/// 2^-n for a number of the order of 2^n, kept so far from the ends that squares and sums fit.
template <class B>
typename B::Float power_below(const B& b, typename B::Float x) {
  using C = typename B::Constants;
  constexpr int kEnd = C::kExponentBias - C::kMantissaBits;
  const auto smallest = b.real(std::is_same_v<typename B::Real, float> ? 0x1p-104 : 0x1p-971);
  const auto largest = b.real(std::is_same_v<typename B::Real, float> ? 0x1p104 : 0x1p971);
  static_assert(kEnd == (std::is_same_v<typename B::Real, float> ? 104 : 971));
  const auto limited =
      b.select(b.less(x, smallest), smallest, b.select(b.less(largest, x), largest, x));
  const auto n = (b.bits(limited) >> b.integer(C::kMantissaBits)) - b.integer(C::kExponentBias);
  return b.from_bits((b.integer(C::kExponentBias) - n) << b.integer(C::kMantissaBits));
}

template <class B>
typename B::Float hypot(const B& b, typename B::Float x, typename B::Float y) {
  const auto across = b.abs(x), along = b.abs(y);
  const auto longer = b.select(b.less(across, along), along, across);
  const auto shorter = b.select(b.less(across, along), across, along);
  const auto factor = power_below(b, longer);
  const auto a = longer * factor, c = shorter * factor;
  const auto square = a * a;
  const auto root = b.sqrt(b.fma(a, a, c * c));
  const auto whole = root * root;
  const auto error =
      b.fma(-c, c, whole - square) + b.fma(root, root, -whole) - b.fma(a, a, -square);
  const auto zero = b.equal(root, b.real(0.0));
  const auto corrected = root - b.select(zero, root, error / (root + root));
  const auto infinity = b.real(std::numeric_limits<double>::infinity());
  const auto endless = b.either(b.equal(across, infinity), b.equal(along, infinity));
  return b.select(endless, infinity, corrected / factor);
}

/// The greater, and what the lesser adds, which `rest` makes of how far they lie apart.
template <class B, class Function>
typename B::Float sum_of_powers(const B& b, typename B::Float x, typename B::Float y,
                                Function rest) {
  const auto greater = b.select(b.less(x, y), y, x);
  const auto infinity = b.real(std::numeric_limits<double>::infinity());
  const auto same = b.both(b.equal(x, y), b.equal(b.abs(x), infinity));
  const auto sum = greater + rest(-b.abs(x - y));
  return b.select(same, x, b.select(b.either(b.unordered(x), b.unordered(y)), x + y, sum));
}

template <class B>
typename B::Float logaddexp(const B& b, typename B::Float x, typename B::Float y) {
  return sum_of_powers(
      b, x, y, [&b](typename B::Float apart) { return log1p(b, exp_of_nonpositive(b, apart)); });
}

template <class B>
typename B::Float logaddexp2(const B& b, typename B::Float x, typename B::Float y) {
  return sum_of_powers(b, x, y, [&b](typename B::Float apart) {
    return log1p(b, exp2(b, apart)) * b.real(std::numbers::log2e);
  });
}

/// The next number from x towards y.
template <class B>
typename B::Float nextafter(const B& b, typename B::Float x, typename B::Float y) {
  const auto zero = b.real(0.0);
  const auto one = b.integer(1);
  const auto positive = b.less(zero, x);
  const auto up = b.less(x, y);
  const auto grows = b.either(b.both(positive, up), b.both(b.negated(positive), b.negated(up)));
  const auto moved = b.select(grows, b.from_bits(b.bits(x) + one), b.from_bits(b.bits(x) - one));
  const auto smallest = b.copysign(b.from_bits(one), y);
  const auto stepped = b.select(b.equal(x, zero), smallest, moved);
  const auto result = b.select(b.equal(x, y), y, stepped);
  return b.select(b.either(b.unordered(x), b.unordered(y)), x + y, result);
}

}  // namespace glint::scalar
