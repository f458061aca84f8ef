// erf, erfc, erfcx, erfinv.
//
// float32 erf: x (1 + P(x^2)) below 1; above, 1 - exp(t (Q(t) - t)) with t = min(|x|, 4), where the
// exponent approximates log(erfc t): the errors of exp are scaled down by erfc, which is small
// there. The others, and erf of float64, are worked out in float64:
//
//   erfcx(x) = P(t) / (1 + 2 x) for x >= 0, with t = (x - 15/4) / (x + 15/4): one polynomial up to
//              infinity (Shepherd and Laframboise, 1981)
//   erfc(x)  = exp(-x^2) erfcx(x), and 1 - erf(x) below 1/2
//   erf(x)   = x (1 + P(x^2)) up to 7/8, 1 - erfc(x) beyond
//   erfinv   = x P(w) with w = -log(1 - x^2), a polynomial in w or, for the tails, in its root
//              (Giles, 2012)
//
// Largest errors (ulp), float32 / float64: erf 2 / 1, erfc 0.51 / 1.5, erfcx 0.51 / 5, erfinv 0.51
// / 3.
#pragma once

#include <cmath>
#include <limits>
#include <type_traits>

#include "ops/scalar/exponential.h"
#include "ops/scalar/float64_lanes.h"
#include "ops/scalar/logarithm.h"
#include "ops/scalar/special_coefficients.h"

namespace glint::scalar {

/// Up to here erf has a polynomial.
inline constexpr double kErfInner = 0.875;

/// erf up to 7/8.
template <class W>
typename W::Float erf_inner(const W& w, typename W::Float x) {
  return w.fma(x, polynomial(w, x * x, SpecialCoefficients<double>::kErf), x);
}

/// A number as the sum of two, of which the second is what the first's rounding lost.
template <class W>
struct Sum {
  typename W::Float high;
  typename W::Float low;
};

/// e^(sign x^2) for x up to 30, where it is 0 or infinite, to float64's precision.
template <class W>
Sum<W> bell(const W& w, typename W::Float x, double sign) {
  const auto limited = at_most(w, x, 30.0);
  const auto square = limited * limited;
  const auto lost = w.fma(limited, limited, -square) * w.real(sign);
  const auto reduced = reduce_exponent(w, at_most(w, square * w.real(sign), 710.0));
  const auto beyond = expm1_reduced(w, reduced.r);
  const auto rest = beyond + w.fma(lost, beyond, lost);
  const auto high = w.real(1.0) + rest;
  const auto low = rest - (high - w.real(1.0));
  return {scale_by_power(w, high, reduced.whole, reduced.n),
          scale_by_power(w, low, reduced.whole, reduced.n)};
}

/// The same to float32's precision, of which the square is exact; kept away from float64's ends.
template <class W>
typename W::Float short_bell(const W& w, typename W::Float x, double sign) {
  const auto limited = at_most(w, x, 14.0);
  const auto reduced = reduce_exponent(w, limited * limited * w.real(sign));
  const auto r = reduced.r;
  const auto power = w.fma(r * r, polynomial(w, r, SpecialCoefficients<float>::kExp), r);
  return (power + w.real(1.0)) * power_of_two(w, reduced.n);
}

/// Where erfcx's polynomial has its middle, and what stands before erfcx: 1 + 2 x.
inline constexpr double kErfcxMiddle = 3.75;

/// erfcx of numbers that are not negative, to float32's precision: one division for both.
template <class W>
typename W::Float short_erfcx(const W& w, typename W::Float x) {
  const auto finite = at_most(w, x, 1e60);
  const auto across = finite + w.real(kErfcxMiddle), below = finite + w.real(0.5);
  const auto inverse = w.real(1.0) / (across * below);
  const auto t = w.fma(w.real(-2 * kErfcxMiddle), below * inverse, w.real(1.0));
  return polynomial(w, t, SpecialCoefficients<float>::kErfcx) * w.real(0.5) * (across * inverse);
}

/// The same to float64's: what the last steps lose is kept.
template <class W>
Sum<W> exact_erfcx(const W& w, typename W::Float x) {
  using C = SpecialCoefficients<double>;
  const auto t = w.real(1.0) - w.real(2 * kErfcxMiddle) / (x + w.real(kErfcxMiddle));
  const auto first = w.real(C::kErfcxFirst);
  const auto slope = polynomial(w, t, C::kErfcxRest);
  const auto value = w.fma(t, slope, first);
  const auto value_lost = w.fma(t, slope, first - value);
  const auto half = w.real(0.5);
  const auto below = x + half;
  const auto below_lost = x - (below - half);
  const auto quotient = value / below;
  const auto rest = w.fma(-quotient, below, value) + w.fma(-quotient, below_lost, value_lost);
  const auto endless = w.less(w.real(0x1p200), x);
  const auto low = w.select(endless, w.real(0.0), rest / below);
  return {quotient * half, low * half};
}

/// erfc of numbers that are not negative, but exact in relation to 1 only where that is near.
template <class W>
typename W::Float erfc_outer(const W& w, typename W::Float x) {
  const auto power = bell(w, x, -1.0);
  const auto factor = exact_erfcx(w, x);
  const auto product = power.high * factor.high;
  const auto lost = w.fma(power.high, factor.high, -product);
  return product + (lost + w.fma(power.high, factor.low, power.low * factor.high));
}

template <class B>
typename B::Float erf(const B& b, typename B::Float x) {
  const auto magnitude = b.abs(x);
  if constexpr (std::is_same_v<typename B::Real, double>) {
    const auto outer = b.copysign(b.real(1.0) - erfc_outer(b, magnitude), x);
    return b.select(b.less(magnitude, b.real(kErfInner)), erf_inner(b, x), outer);
  } else {
    using C = typename B::Constants;
    const auto inner = b.fma(x, polynomial(b, x * x, C::kErf), x);
    const auto limit = b.real(4.0);
    const auto t = b.select(b.less(limit, magnitude), limit, magnitude);
    const auto exponent = t * (polynomial(b, t, C::kErfTail) - t);
    const auto e = exponential(b, exponent);  // between -17.6 and 0: no overflow
    const auto tail = e.power * power_of_two(b, e.n);
    const auto outer = b.copysign(b.real(1.0) - tail, x);
    return b.select(b.less(magnitude, b.real(1.0)), inner, outer);
  }
}

template <class B>
typename B::Float erfc(const B& b, typename B::Float x) {
  return in_float64(b, x, [](const auto& w, auto wide) {
    const auto magnitude = w.abs(wide);
    const auto negative = w.less(wide, w.real(0.0));
    if constexpr (std::is_same_v<typename B::Real, float>) {
      const auto outer = short_bell(w, magnitude, -1.0) * short_erfcx(w, magnitude);
      return w.select(negative, w.real(2.0) - outer, outer);
    } else {
      const auto outer = erfc_outer(w, magnitude);
      const auto far = w.select(negative, w.real(2.0) - outer, outer);
      const auto near = w.real(1.0) - erf_inner(w, wide);
      const auto is_near = w.both(w.less(w.real(-kErfInner), wide), w.less(wide, w.real(0.5)));
      return w.select(is_near, near, far);
    }
  });
}

/// erfcx(-x) = 2 exp(x^2) - erfcx(x)
template <class B>
typename B::Float erfcx(const B& b, typename B::Float x) {
  return in_float64(b, x, [](const auto& w, auto wide) {
    const auto magnitude = w.abs(wide);
    const auto negative = w.less(wide, w.real(0.0));
    if constexpr (std::is_same_v<typename B::Real, float>) {
      const auto outer = short_erfcx(w, magnitude);
      const auto mirrored = w.real(2.0) * short_bell(w, magnitude, 1.0) - outer;
      return w.select(negative, mirrored, outer);
    } else {
      const auto outer = exact_erfcx(w, magnitude);
      const auto power = bell(w, magnitude, 1.0);
      const auto mirrored = w.real(2.0) * power.high - (outer.high - w.real(2.0) * power.low);
      return w.select(negative, mirrored, outer.high + outer.low);
    }
  });
}

/// -log(1 - x^2) to float32's precision: without its quotient, and for |x| < 1 alone.
template <class W>
typename W::Float short_share(const W& w, typename W::Float x) {
  using C = typename W::Constants;
  const auto [e, f] = reduce_logarithm(w, w.fma(-x, x, w.real(1.0)));
  const auto square = f * f;
  const auto curve = w.fma(polynomial(w, f, SpecialCoefficients<float>::kLog), f, w.real(-0.5));
  const auto logarithm = w.fma(e, w.real(C::kLn2High + C::kLn2Low), w.fma(square, curve, f));
  return w.real(0.0) - logarithm;
}

/// erfinv(x) / x by the polynomials in w and in its root.
template <class B>
typename B::Float erfinv(const B& b, typename B::Float x) {
  return in_float64(b, x, [](const auto& w, auto wide) {
    using C = SpecialCoefficients<typename B::Real>;
    constexpr bool kShort = std::is_same_v<typename B::Real, float>;
    const auto one = w.real(1.0);
    auto share = one, slope = one;
    if constexpr (kShort) {
      share = short_share(w, wide);
    } else {
      share = -log(w, w.fma(-wide, wide, one));
    }
    const auto root = w.sqrt(share);
    slope = polynomial(w, root - w.real(3.25), C::kErfinvTail);
    if constexpr (!kShort) {
      const auto end = polynomial(w, root - w.real(5.0), C::kErfinvEnd);
      slope = w.select(w.less(w.real(4.0), root), end, slope);
    }
    const auto middle = polynomial(w, share - w.real(3.0), C::kErfinvMiddle);
    slope = w.select(w.less(share, w.real(6.25)), middle, slope);
    const auto magnitude = w.abs(wide);
    const auto nan = w.real(std::numeric_limits<double>::quiet_NaN());
    const auto endless = w.real(std::numeric_limits<double>::infinity());
    slope = w.select(w.equal(magnitude, one), endless, slope);
    return wide * w.select(w.less(one, magnitude), nan, slope);
  });
}

}  // namespace glint::scalar
