// sin, cos, tan and their inverses.
//
// Reduction: n = round(x 2/pi), r = x - n pi/2 with pi/2 in three parts, each taken off by one
// fused multiply-add; the low two bits of n choose sine or cosine of r and the sign. Arguments
// beyond `kLargestAngle` go to the C library, which has the hundreds of digits of pi that they need
// (Payne and Hanek). atan takes 1/x above 1; asin takes pi/2 - 2 asin(sqrt((1 - x) / 2)) above 1/2.
//
// Largest errors (ulp), float32 / float64: sin 1.7 / 1.7, cos 1.7 / 1.7, tan 3.6 / 1, atan 1.5 / 1,
// asin 2.5 / 1, acos 1.5 / 1, atan2 2 / 1. Float64 keeps sums of two numbers where its
// last steps would round twice.
#pragma once

#include <cmath>
#include <limits>
#include <type_traits>

#include "ops/scalar/polynomial.h"

namespace glint::scalar {

/// x = n pi/2 + remainder, with n in the low bits of `quadrant`.
template <class B>
struct Turn {
  typename B::Int quadrant;
  typename B::Float whole;      ///< n
  typename B::Float remainder;  ///< before the last part of pi/2 is taken off
};

template <class B>
Turn<B> reduce_turn(const B& b, typename B::Float x) {
  using C = typename B::Constants;
  const auto shifted = b.fma(x, b.real(2.0 / 3.14159265358979323846), b.real(C::kRounder));
  const auto n = shifted - b.real(C::kRounder);
  const auto r = b.fma(n, b.real(-C::kHalfPi[0]), x);
  return {b.bits(shifted), n, r};
}

template <class B>
struct Angle {
  typename B::Int quadrant;
  typename B::Float sine;    ///< of the remainder
  typename B::Float cosine;  ///< of the remainder
};

template <class B>
Angle<B> reduce_angle(const B& b, typename B::Float x) {
  using C = typename B::Constants;
  const auto turn = reduce_turn(b, x);
  auto r = b.fma(turn.whole, b.real(-C::kHalfPi[1]), turn.remainder);
  r = b.fma(turn.whole, b.real(-C::kHalfPi[2]), r);
  const auto z = r * r;
  const auto sine = b.fma(r * z, polynomial(b, z, C::kSin), r);
  const auto cosine = b.fma(z * z, polynomial(b, z, C::kCos), b.fma(z, b.real(-0.5), b.real(1.0)));
  return {turn.quadrant, sine, cosine};
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

/// tan of float64. Sine and cosine are sums of two numbers, as is the remainder, and so the
/// quotient is rounded nearly once.
template <class B>
typename B::Float tan_by_sums(const B& b, typename B::Float x) {
  using C = typename B::Constants;
  const auto turn = reduce_turn(b, x);
  const auto r = b.fma(turn.whole, b.real(-C::kHalfPi[1]), turn.remainder);
  const auto taken = turn.remainder - r;
  const auto rest =
      b.fma(turn.whole, b.real(-C::kHalfPi[1]), taken) + turn.whole * b.real(-C::kHalfPi[2]);
  const auto z = r * r;
  const auto z_rest = b.fma(r, r, -z);
  const auto half = z * b.real(0.5);
  const auto first = b.real(1.0) - half;
  const auto lost = (b.real(1.0) - first) - half;
  const auto beyond =
      b.fma(z * z, polynomial(b, z, C::kCos), lost - b.fma(r, rest, z_rest * b.real(0.5)));
  const auto cosine = first + beyond;
  const auto cosine_rest = beyond - (cosine - first);
  const auto cubic = r * z * polynomial(b, z, C::kSin);
  const auto sine = r + cubic;
  const auto sine_rest = (cubic - (sine - r)) + b.fma(rest, -half, rest);
  const auto even = b.is_zero(turn.quadrant & b.integer(1));
  const auto above = b.select(even, sine, -cosine);
  const auto above_rest = b.select(even, sine_rest, -cosine_rest);
  const auto below = b.select(even, cosine, sine);
  const auto below_rest = b.select(even, cosine_rest, sine_rest);
  const auto quotient = above / below;
  const auto remainder = b.fma(-quotient, below, above) + b.fma(-quotient, below_rest, above_rest);
  return quotient + remainder / below;
}

template <class B>
typename B::Float tan(const B& b, typename B::Float x) {
  typename B::Float result = x;
  if constexpr (std::is_same_v<typename B::Real, double>) {
    result = tan_by_sums(b, x);
  } else {
    const auto angle = reduce_angle(b, x);
    const auto even = b.is_zero(angle.quadrant & b.integer(1));
    const auto above = b.select(even, angle.sine, -angle.cosine);
    const auto below = b.select(even, angle.cosine, angle.sine);
    result = above / below;
  }
  const auto kept = b.select(b.equal(x, b.real(0.0)), x, result);
  return b.patch(beyond_reduction(b, x), kept, static_cast<SlowUnary>(std::tan), x);
}

/// atan on [0, 1].
template <class B>
typename B::Float atan_reduced(const B& b, typename B::Float a) {
  const auto z = a * a;
  return b.fma(a * z, polynomial(b, z, B::Constants::kAtan), a);
}

/// An angle between 0 and pi/2 as base + low + inner, where the base is the greatest part.
template <class B>
struct AngleSum {
  typename B::Float base;
  typename B::Float low;
  typename B::Float inner;
};

/// The angle of (x, y), both not negative, in float64: that of one of five directions, and of how
/// far (x, y) is turned from it, whose tangent is at most 7/16.
template <class B>
AngleSum<B> atan_by_directions(const B& b, typename B::Float y, typename B::Float x) {
  struct Direction {
    double begins, tangent, angle, low;
  };
  // atan(1/2), atan(1), atan(3/2).
  constexpr Direction kDirections[] = {{7.0 / 16, 0.5, 0.4636476090008061, 2.2698777452961687e-17},
                                       {11.0 / 16, 1.0, 0.7853981633974483, 3.061616997868383e-17},
                                       {19.0 / 16, 1.5, 0.982793723247329, 1.3903311031230998e-17}};
  auto tangent = b.real(0.0), base = b.real(0.0), low = b.real(0.0);
  for (const Direction& each : kDirections) {
    const auto beyond = b.less(b.real(each.begins) * x, y);
    tangent = b.select(beyond, b.real(each.tangent), tangent);
    base = b.select(beyond, b.real(each.angle), base);
    low = b.select(beyond, b.real(each.low), low);
  }
  const auto steep = b.less(b.real(39.0 / 16) * x, y);
  const auto above = b.select(steep, -x, b.fma(-tangent, x, y));
  const auto below = b.select(steep, y, b.fma(tangent, y, x));
  base = b.select(steep, b.real(B::Constants::kHalfPi[0]), base);
  low = b.select(steep, b.real(B::Constants::kHalfPi[1]), low);
  const auto inverse = b.real(1.0) / below;
  const auto t = above * inverse;
  const auto lost = b.fma(-t, below, above) * inverse;
  const auto z = t * t;
  const auto cubic = t * z * polynomial(b, z, B::Constants::kAtan);
  return {base, low + (cubic + lost), t};
}

template <class B>
typename B::Float atan(const B& b, typename B::Float x) {
  const auto magnitude = b.abs(x);
  if constexpr (std::is_same_v<typename B::Real, double>) {
    // Beyond 2^60 it is pi/2, and infinity over infinity is no number.
    const auto limited = b.select(b.less(b.real(0x1p60), magnitude), b.real(0x1p60), magnitude);
    const auto angle = atan_by_directions(b, limited, b.real(1.0));
    return b.copysign(angle.base + (angle.inner + angle.low), x);
  } else {
    const auto large = b.less(b.real(1.0), magnitude);
    const auto reduced = b.select(large, b.real(1.0) / magnitude, magnitude);
    const auto inner = atan_reduced(b, reduced);
    // The low part of pi/2 matters: without it the result is off by up to one more ulp.
    const auto turned =
        b.real(B::Constants::kHalfPi[0]) - (inner - b.real(B::Constants::kHalfPi[1]));
    return b.copysign(b.select(large, turned, inner), x);
  }
}

/// atan2 of float64.
template <class B>
typename B::Float atan2_by_directions(const B& b, typename B::Float y, typename B::Float x) {
  using C = typename B::Constants;
  auto top = b.abs(y), right = b.abs(x);
  const auto zero = b.real(0.0), one = b.real(1.0);
  const auto infinity = b.real(std::numeric_limits<double>::infinity());
  // Equal magnitudes (infinities among them) are (1, 1), and the origin is (1, 0), as is what lies
  // at infinity.
  const auto same = b.equal(top, right);
  const auto steep = b.equal(top, infinity);
  const auto flat = b.either(b.equal(right, infinity), b.both(same, b.equal(top, zero)));
  const auto diagonal = b.both(same, b.negated(b.equal(top, zero)));
  top = b.select(diagonal, one, b.select(flat, zero, b.select(steep, one, top)));
  right = b.select(diagonal, one, b.select(flat, one, b.select(steep, zero, right)));
  // Where 2 x + y would overflow, or its inverse.
  const auto longer = b.select(b.less(top, right), right, top);
  auto factor = b.select(b.less(b.real(0x1p1000), longer), b.real(0x1p-4), one);
  factor = b.select(b.less(longer, b.real(0x1p-900)), b.real(0x1p600), factor);
  const auto angle = atan_by_directions(b, top * factor, right * factor);
  const auto first = angle.base + (angle.inner + angle.low);
  // pi minus it, where the base is rounded once more.
  const auto pi = b.real(2.0 * C::kHalfPi[0]);
  const auto base = pi - angle.base;
  const auto lost = (pi - base) - angle.base + b.real(2.0 * C::kHalfPi[1]);
  const auto mirrored = base - (angle.inner - (lost - angle.low));
  const auto left = b.is_negative(b.bits(x));
  const auto turned = b.copysign(b.select(left, mirrored, first), y);
  return b.select(b.either(b.unordered(x), b.unordered(y)), x + y, turned);
}

template <class B>
typename B::Float atan2(const B& b, typename B::Float y, typename B::Float x) {
  if constexpr (std::is_same_v<typename B::Real, double>) {
    return atan2_by_directions(b, y, x);
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

/// The root of (1 - |x|) / 2, and what its rounding lost (float64).
template <class B>
struct HalfRoot {
  typename B::Float root;
  typename B::Float lost;
};
template <class B>
HalfRoot<B> half_root(const B& b, typename B::Float magnitude) {
  const auto share = b.fma(magnitude, b.real(-0.5), b.real(0.5));
  const auto root = b.sqrt(share);
  const auto lost = b.fma(-root, root, share) / (root + root);
  return {root, b.select(b.equal(root, b.real(0.0)), root, lost)};
}

/// a - b - rest, with a of greater magnitude, rounded nearly once.
template <class B>
typename B::Float difference(typename B::Float x, typename B::Float y, typename B::Float rest) {
  const auto high = x - y;
  return high + (((x - high) - y) - rest);
}

/// asin of float64.
template <class B>
typename B::Float asin_by_sums(const B& b, typename B::Float x) {
  using C = typename B::Constants;
  const auto magnitude = b.abs(x);
  const auto large = b.less(b.real(0.5), magnitude);
  const auto [root, lost] = half_root(b, magnitude);
  const auto reduced = b.select(large, root, magnitude);
  const auto remainder = asin_remainder(b, reduced);
  const auto rest = (remainder + lost) * b.real(2.0) - b.real(C::kHalfPi[1]);
  const auto outer = difference<B>(b.real(C::kHalfPi[0]), root + root, rest);
  return b.copysign(b.select(large, outer, reduced + remainder), x);
}

/// acos of float64.
template <class B>
typename B::Float acos_by_sums(const B& b, typename B::Float x) {
  using C = typename B::Constants;
  const auto half_pi = b.real(C::kHalfPi[0]), low = b.real(C::kHalfPi[1]), two = b.real(2.0);
  const auto magnitude = b.abs(x);
  const auto large = b.less(b.real(0.5), magnitude);
  const auto [root, lost] = half_root(b, magnitude);
  const auto remainder = asin_remainder(b, b.select(large, root, magnitude));
  const auto middle = difference<B>(half_pi, x, b.copysign(remainder, x) - low);
  const auto rest = (remainder + lost) * two;
  const auto mirrored = difference<B>(two * half_pi, root + root, rest - two * low);
  const auto outer = b.select(b.less(x, b.real(0.0)), mirrored, root + root + rest);
  return b.select(large, outer, middle);
}

template <class B>
typename B::Float asin(const B& b, typename B::Float x) {
  if constexpr (std::is_same_v<typename B::Real, double>) {
    return asin_by_sums(b, x);
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
    return acos_by_sums(b, x);
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
