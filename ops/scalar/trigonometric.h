// sin, cos, tan and their inverses.
//
// Reduction: n = round(x 2/pi), r = x - n pi/2 with pi/2 in three parts, each taken off by one
// fused multiply-add; the low two bits of n choose sine or cosine of r and the sign. Arguments
// beyond `kLargestAngle` go to the C library, which has the hundreds of digits of pi that they need
// (Payne and Hanek). atan takes 1/x above 1; asin takes pi/2 - 2 asin(sqrt((1 - x) / 2)) above 1/2.
//
// Largest errors (ulp), float32 / float64: sin 1.7 / 1.7, cos 1.7 / 1.7, tan 3.6 / 1, atan 1.5 / 1,
// asin 2.5 / 1, acos 1.5 / 1, atan2 2 / 1. In float64, tan and the inverses are the C library's.
#pragma once

#include <cmath>
#include <type_traits>

#include "ops/scalar/polynomial.h"

namespace glint::scalar {

template <class B>
struct Angle {
  typename B::Int quadrant;
  typename B::Float sine;    ///< of the remainder
  typename B::Float cosine;  ///< of the remainder
};

template <class B>
Angle<B> reduce_angle(const B& b, typename B::Float x) {
  using C = typename B::Constants;
  const auto shifted = b.fma(x, b.real(2.0 / 3.14159265358979323846), b.real(C::kRounder));
  const auto n = shifted - b.real(C::kRounder);
  auto r = b.fma(n, b.real(-C::kHalfPi[0]), x);
  r = b.fma(n, b.real(-C::kHalfPi[1]), r);
  r = b.fma(n, b.real(-C::kHalfPi[2]), r);
  const auto z = r * r;
  const auto sine = b.fma(r * z, polynomial(b, z, C::kSin), r);
  const auto cosine = b.fma(z * z, polynomial(b, z, C::kCos), b.fma(z, b.real(-0.5), b.real(1.0)));
  return {b.bits(shifted), sine, cosine};
}

/// Whether the argument is too large (or not a number) for `reduce_angle`.
template <class B>
typename B::Mask beyond_reduction(const B& b, typename B::Float x) {
  return b.negated(b.less_equal(b.abs(x), b.real(B::Constants::kLargestAngle)));
}

/// The sine of an angle whose quadrant is `quadrant`.
template <class B>
typename B::Float pick_sine(const B& b, const Angle<B>& angle, typename B::Int quadrant) {
  const auto even = b.is_zero(quadrant & b.integer(1));
  const auto value = b.select(even, angle.sine, angle.cosine);
  return b.select(b.is_zero(quadrant & b.integer(2)), value, -value);
}

template <class B>
typename B::Float sin(const B& b, typename B::Float x) {
  const auto angle = reduce_angle(b, x);
  const auto result = pick_sine(b, angle, angle.quadrant);
  // -0.0 keeps its sign, which the last addition of the reduction loses.
  const auto kept = b.select(b.equal(x, b.real(0.0)), x, result);
  return b.patch(beyond_reduction(b, x), kept, static_cast<SlowUnary>(std::sin), x);
}

template <class B>
typename B::Float cos(const B& b, typename B::Float x) {
  const auto angle = reduce_angle(b, x);
  const auto result = pick_sine(b, angle, angle.quadrant + b.integer(1));
  return b.patch(beyond_reduction(b, x), result, static_cast<SlowUnary>(std::cos), x);
}

template <class B>
typename B::Float tan(const B& b, typename B::Float x) {
  if constexpr (std::is_same_v<typename B::Real, double>) {
    return b.each(static_cast<SlowUnary>(std::tan), x);
  } else {
    const auto angle = reduce_angle(b, x);
    const auto even = b.is_zero(angle.quadrant & b.integer(1));
    const auto above = b.select(even, angle.sine, -angle.cosine);
    const auto below = b.select(even, angle.cosine, angle.sine);
    const auto kept = b.select(b.equal(x, b.real(0.0)), x, above / below);
    return b.patch(beyond_reduction(b, x), kept, static_cast<SlowUnary>(std::tan), x);
  }
}

/// atan on [0, 1].
template <class B>
typename B::Float atan_reduced(const B& b, typename B::Float a) {
  const auto z = a * a;
  return b.fma(a * z, polynomial(b, z, B::Constants::kAtan), a);
}

template <class B>
typename B::Float atan(const B& b, typename B::Float x) {
  if constexpr (std::is_same_v<typename B::Real, double>) {
    return b.each(static_cast<SlowUnary>(std::atan), x);
  } else {
    const auto magnitude = b.abs(x);
    const auto large = b.less(b.real(1.0), magnitude);
    const auto reduced = b.select(large, b.real(1.0) / magnitude, magnitude);
    const auto inner = atan_reduced(b, reduced);
    // The low part of pi/2 matters: without it the result is off by up to one more ulp.
    const auto turned =
        b.real(B::Constants::kHalfPi[0]) - (inner - b.real(B::Constants::kHalfPi[1]));
    return b.copysign(b.select(large, turned, inner), x);
  }
}

template <class B>
typename B::Float atan2(const B& b, typename B::Float y, typename B::Float x) {
  if constexpr (std::is_same_v<typename B::Real, double>) {
    return b.each(static_cast<SlowBinary>(std::atan2), y, x);
  } else {
    using C = typename B::Constants;
    const auto top = b.abs(y);
    const auto right = b.abs(x);
    const auto steep = b.less(right, top);
    const auto large = b.select(steep, top, right);
    const auto small = b.select(steep, right, top);
    // Equal magnitudes (0/0 and infinity/infinity among them) are exact: 0 or 1.
    auto ratio = small / large;
    const auto same = b.equal(small, large);
    ratio = b.select(same, b.real(1.0), ratio);
    ratio = b.select(b.equal(large, b.real(0.0)), b.real(0.0), ratio);
    auto angle = atan_reduced(b, ratio);
    angle = b.select(steep, b.real(C::kHalfPi[0]) - (angle - b.real(C::kHalfPi[1])), angle);
    const auto left = b.is_negative(b.bits(x));
    const auto mirrored = b.real(2.0 * C::kHalfPi[0]) - (angle - b.real(2.0 * C::kHalfPi[1]));
    angle = b.copysign(b.select(left, mirrored, angle), y);
    return b.select(b.either(b.unordered(x), b.unordered(y)), x + y, angle);
  }
}

/// asin(a) - a on [0, 1/2].
template <class B>
typename B::Float asin_remainder(const B& b, typename B::Float a) {
  const auto z = a * a;
  return a * z * polynomial(b, z, B::Constants::kAsin);
}

template <class B>
typename B::Float asin(const B& b, typename B::Float x) {
  if constexpr (std::is_same_v<typename B::Real, double>) {
    return b.each(static_cast<SlowUnary>(std::asin), x);
  } else {
    const auto magnitude = b.abs(x);
    const auto large = b.less(b.real(0.5), magnitude);
    const auto root = b.sqrt(b.fma(magnitude, b.real(-0.5), b.real(0.5)));
    const auto reduced = b.select(large, root, magnitude);
    const auto inner = reduced + asin_remainder(b, reduced);
    const auto turned =
        b.real(B::Constants::kHalfPi[0]) - (inner + inner - b.real(B::Constants::kHalfPi[1]));
    return b.copysign(b.select(large, turned, inner), x);
  }
}

template <class B>
typename B::Float acos(const B& b, typename B::Float x) {
  if constexpr (std::is_same_v<typename B::Real, double>) {
    return b.each(static_cast<SlowUnary>(std::acos), x);
  } else {
    using C = typename B::Constants;
    const auto magnitude = b.abs(x);
    const auto large = b.less(b.real(0.5), magnitude);
    const auto root = b.sqrt(b.fma(magnitude, b.real(-0.5), b.real(0.5)));
    const auto reduced = b.select(large, root, magnitude);
    const auto remainder = asin_remainder(b, reduced);
    const auto negative = b.less(x, b.real(0.0));
    // |x| <= 1/2: pi/2 - asin(x).  x > 1/2: 2 asin(root).  x < -1/2: pi - 2 asin(root).
    const auto signed_x = b.copysign(reduced, x);
    const auto signed_tail = b.copysign(remainder, x) - b.real(C::kHalfPi[1]);
    const auto middle = b.real(C::kHalfPi[0]) - (signed_x + signed_tail);
    const auto doubled = (reduced + remainder) * b.real(2.0);
    const auto mirrored = b.real(2.0 * C::kHalfPi[0]) - (doubled - b.real(2.0 * C::kHalfPi[1]));
    return b.select(large, b.select(negative, mirrored, doubled), middle);
  }
}

}  // namespace glint::scalar
