// Polynomials by Horner's rule with fused multiply-adds: one rounding a step.
//
//     polynomial(b, x, {c0, c1, c2})  =  fma(fma(c2, x, c1), x, c0)
#pragma once

#include <cstddef>

#include "ops/scalar/lanes.h"

namespace glint::scalar {

template <class B, size_t kCount>
typename B::Float polynomial(const B& b, typename B::Float x,
                             const double (&coefficients)[kCount]) {
  auto sum = b.real(coefficients[kCount - 1]);
  for (size_t i = kCount - 1; i-- > 0;) sum = b.fma(sum, x, b.real(coefficients[i]));
  return sum;
}

}  // namespace glint::scalar
