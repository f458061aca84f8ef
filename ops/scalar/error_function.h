// erf.
//
// float32: x (1 + P(x^2)) below 1; above, 1 - exp(t (Q(t) - t)) with t = min(|x|, 4), where the
// exponent approximates log(erfc t): the errors of exp are scaled down by erfc, which is small
// there. float64 is the C library's. Largest errors (ulp): float32 2, float64 1.
#pragma once

#include <cmath>
#include <type_traits>

#include "ops/scalar/exponential.h"

namespace glint::scalar {

template <class B>
typename B::Float erf(const B& b, typename B::Float x) {
  if constexpr (std::is_same_v<typename B::Real, double>) {
    return b.each(static_cast<SlowUnary>(std::erf), x);
  } else {
    using C = typename B::Constants;
    const auto magnitude = b.abs(x);
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

}  // namespace glint::scalar
