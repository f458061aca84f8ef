// lgamma, and its derivatives digamma and trigamma, worked out in float64.
//
// lgamma (float32; float64 is the C library's, as are negative numbers): with one logarithm L,
//
//   x < 3/4          (u - 1) (u - 2) P(u) - L(x), with u = x + 1
//   x < 11/4         (x - 1) (x - 2) P(x)
//   beyond           (x - 1/2) L(x) - x + log(2 pi) / 2 + R(1 / x^2) / x, after Stirling
//
// digamma and trigamma go up by ten steps of their recurrence, to where the asymptotic series is
// exact. With q = x (x + 9) two steps are one quotient, as 1 / (x + 1) + 1 / (x + 8) =
// (2 x + 9) / (q + 8), or all are: their product is N(q) = q (q + 8) (q + 14) (q + 18) (q + 20),
// and 1 / x + ... + 1 / (x + 9) = (2 x + 9) N'(q) / N(q). What is negative is reflected:
//
//   psi(x) = psi(1 - x) - pi / tan(pi x)        psi'(x) = (pi / sin(pi x))^2 - psi'(1 - x)
//
// Largest errors (ulp), float32 / float64: lgamma 0.51 / 4, digamma 0.51 / 10 but near its roots,
// as that at 1.46, trigamma 0.51 / 6.
#pragma once

#include <initializer_list>
#include <limits>
#include <numbers>
#include <type_traits>

#include "ops/scalar/float64_lanes.h"
#include "ops/scalar/logarithm.h"
#include "ops/scalar/special_coefficients.h"
#include "ops/scalar/trigonometric.h"

namespace glint::scalar {

namespace special {

/// log |gamma(x)|, as the C library has it, whose function writes a global.
double lgamma(double x);

}  // namespace special

/// Of numbers that are not negative, to float32's precision.
template <class W>
typename W::Float lgamma_of_positive(const W& w, typename W::Float x) {
  using C = SpecialCoefficients<float>;
  const auto logarithm = log(w, x);
  const auto small = w.less(x, w.real(0.75));
  const auto u = w.select(small, x + w.real(1.0), x);
  // 0 at 1 and 2, without a sign.
  const auto product = w.fma(u - w.real(1.0), u - w.real(2.0), w.real(0.0));
  const auto middle = product * polynomial(w, u - w.real(1.75), C::kLgamma);
  const auto near = w.select(small, middle - logarithm, middle);
  const auto inverse = w.real(1.0) / x;
  const auto rest = polynomial(w, inverse * inverse, C::kStirling) * inverse;
  const auto half_log_two_pi = w.real(0.91893853320467274178);
  const auto far = (x - w.real(0.5)) * logarithm - x + (half_log_two_pi + rest);
  const auto infinity = w.real(std::numeric_limits<double>::infinity());
  const auto result = w.select(w.less(w.real(2.75), x), far, near);
  return w.select(w.equal(x, infinity), x, result);
}

template <class B>
typename B::Float lgamma(const B& b, typename B::Float x) {
  const auto slow = static_cast<SlowUnary>(special::lgamma);
  if constexpr (std::is_same_v<typename B::Real, double>) {
    return b.each(slow, x);
  } else {
    const auto magnitude = b.abs(x);
    const auto result = b.narrow(lgamma_of_positive(b.wide(), b.widen(magnitude)));
    return b.patch(b.less(x, b.real(0.0)), result, slow, x);
  }
}

/// A number that is not negative, and how x is reflected to it.
template <class W>
struct Reflected {
  typename W::Float y;
  typename W::Mask mirrored;
  typename W::Float angle;  ///< pi times what is between x and the nearest integer
};
template <class W>
Reflected<W> reflected(const W& w, typename W::Float x) {
  const auto mirrored = w.less(x, w.real(0.0));
  const auto angle = (x - w.round_even(x)) * w.real(std::numbers::pi);
  return {w.select(mirrored, w.real(1.0) - x, x), mirrored, angle};
}

/// The ten steps of the recurrence from y on, and where the series takes over: z = y + 10, or y
/// itself where that is so large already.
template <class W>
struct Steps {
  typename W::Mask needed;
  typename W::Float y;  ///< at most 10
  typename W::Float q;  ///< y (y + 9)
  typename W::Float z;
};
template <class W>
Steps<W> steps_of(const W& w, typename W::Float y) {
  const auto ten = w.real(10.0);
  const auto needed = w.less(y, ten);
  const auto low = w.select(needed, y, ten);
  return {needed, low, low * (low + w.real(9.0)), w.select(needed, y + ten, y)};
}

/// N(q), the product of the steps.
template <class W>
typename W::Float product_of_steps(const W& w, typename W::Float q) {
  constexpr double kProduct[] = {40320, 12176, 1308, 60, 1};
  return q * polynomial(w, q, kProduct);
}

/// 1 / y + ... + 1 / (y + 9): to float32's precision by one quotient, else by one for each two.
template <class Real, class W>
typename W::Float sum_of_inverses(const W& w, const Steps<W>& steps) {
  const auto width = steps.y + steps.y + w.real(9.0);
  if constexpr (std::is_same_v<Real, float>) {
    constexpr double kSlope[] = {40320, 24352, 3924, 240, 5};
    return width * polynomial(w, steps.q, kSlope) / product_of_steps(w, steps.q);
  } else {
    auto sum = width / (steps.q + w.real(20.0));
    for (double each : {18.0, 14.0, 8.0}) sum = sum + width / (steps.q + w.real(each));
    return (sum + w.real(1.0) / (steps.y + w.real(9.0))) + w.real(1.0) / steps.y;
  }
}

/// 1 / y^2 + ... + 1 / (y + 9)^2, as a quotient whose terms are all positive.
template <class W>
typename W::Float sum_of_inverse_squares(const W& w, const Steps<W>& steps) {
  constexpr double kAbove[] = {131681894400, 82783088640, 24999178752, 4547382016, 534089520,
                               41415072,     2107120,     67680,       1245,       10};
  const auto product = product_of_steps(w, steps.q);
  return polynomial(w, steps.q, kAbove) / product / product;
}

template <class B>
typename B::Float digamma(const B& b, typename B::Float x) {
  return in_float64(b, x, [](const auto& w, auto wide) {
    // B(2k) / 2k of Bernoulli's numbers.
    constexpr double kSeries[] = {1.0 / 12,  -1.0 / 120,     1.0 / 252, -1.0 / 240,
                                  1.0 / 132, -691.0 / 32760, 1.0 / 12,  -3617.0 / 8160};
    const auto [y, mirrored, angle] = reflected(w, wide);
    const auto steps = steps_of(w, y);
    const auto inverse = w.real(1.0) / steps.z;
    const auto square = inverse * inverse;
    const auto series = w.fma(square, polynomial(w, square, kSeries), w.real(0.5) * inverse);
    const auto logarithm = log(w, steps.z);
    const auto taken = sum_of_inverses<typename B::Real>(w, steps);
    auto result = w.select(steps.needed, (logarithm - taken) - series, logarithm - series);
    const auto cotangent = w.real(std::numbers::pi) / tan_by_sums(w, angle);
    const auto pole = w.equal(angle, w.real(0.0));
    const auto nan = w.real(std::numeric_limits<double>::quiet_NaN());
    result = w.select(mirrored, w.select(pole, nan, result - cotangent), result);
    const auto infinity = w.real(std::numeric_limits<double>::infinity());
    return w.select(w.equal(wide, w.real(0.0)), -w.copysign(infinity, wide), result);
  });
}

template <class B>
typename B::Float trigamma(const B& b, typename B::Float x) {
  return in_float64(b, x, [](const auto& w, auto wide) {
    // Bernoulli's numbers.
    constexpr double kSeries[] = {1.0 / 6,  -1.0 / 30,     1.0 / 42, -1.0 / 30,
                                  5.0 / 66, -691.0 / 2730, 7.0 / 6,  -3617.0 / 510};
    const auto [y, mirrored, angle] = reflected(w, wide);
    const auto steps = steps_of(w, y);
    const auto inverse = w.real(1.0) / steps.z;
    const auto square = inverse * inverse;
    const auto series = w.fma(inverse, polynomial(w, square, kSeries), w.real(0.5));
    auto result = w.fma(square, series, inverse);
    result = w.select(steps.needed, result + sum_of_inverse_squares(w, steps), result);
    const auto turn = reduce_angle(w, angle);
    const auto sine = w.real(std::numbers::pi) / pick_sine(w, turn, turn.quadrant);
    const auto pole = w.equal(angle, w.real(0.0));
    const auto infinity = w.real(std::numeric_limits<double>::infinity());
    const auto mirror = w.select(pole, infinity, w.fma(sine, sine, -result));
    return w.select(mirrored, mirror, result);
  });
}

}  // namespace glint::scalar
