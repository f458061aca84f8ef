// The modified Bessel functions of the first kind of order 0 and 1, and both times e^-|x|: i0, i1,
// i0e, i1e.
//
// In float64: up to 8 by a polynomial in (x / 2)^2, whose terms are all positive, as are those of
// the function's own series; beyond, times e^-x and the root of x, by one in 16 / x - 1.
//
// Largest errors (ulp), float32 / float64: 0.51 / 5.
#pragma once

#include <type_traits>

#include "ops/scalar/exponential.h"
#include "ops/scalar/float64_lanes.h"
#include "ops/scalar/special_coefficients.h"

namespace glint::scalar {

template <int kOrder, bool kScaled, class B>
typename B::Float bessel(const B& b, typename B::Float x) {
  return in_float64(b, x, [](const auto& w, auto wide) {
    using C = SpecialCoefficients<typename B::Real>;
    const auto size = w.abs(wide);
    const auto eight = w.real(8.0), one = w.real(1.0), half = w.real(0.5);
    const auto is_near = w.less_equal(size, eight);
    const auto half_near = w.select(is_near, size, eight) * half;
    const auto z = half_near * half_near;
    const auto far_size = w.select(is_near, eight, size);
    const auto t = w.real(16.0) / far_size - one;
    auto near = z, far = t;
    if constexpr (kOrder == 0) {
      near = polynomial(w, z, C::kBessel0Near);
      far = polynomial(w, t, C::kBessel0Far);
    } else {
      near = polynomial(w, z, C::kBessel1Near) * size;
      far = polynomial(w, t, C::kBessel1Far);
    }
    far = far / w.sqrt(far_size);
    auto result = near;
    if constexpr (kScaled) {
      result = w.select(is_near, near * exp_of_nonpositive(w, -size), far);
    } else {
      // e^x in two halves: it may be infinite where the product is not.
      const auto power = exp(w, far_size * half);
      result = w.select(is_near, near, far * power * power);
    }
    if constexpr (kOrder == 1) result = w.select(w.less(wide, w.real(0.0)), -result, result);
    return w.select(w.unordered(wide), wide, result);
  });
}

}  // namespace glint::scalar
