// Rows as vectors of 64 bytes, of which the last may be shorter.
//
//     for_row_vectors<float>(40, visit)       visit(0, 16), visit(16, 16), visit(32, 8)
#pragma once

#include "ops/rows/partial_vectors.h"
#include "ops/scalar/lanes.h"

namespace glint::ops::GLINT_INSTRUCTION_SET {

/// The first `count` elements, and `filler` behind them.
template <class Vector, class Real>
[[gnu::always_inline]] inline typename Vector::Float load_up_to(const Real* from, int64_t count,
                                                                Real filler) {
  if (count == Vector::kLanes) return Vector().load(from);
  return load_first<typename Vector::Float>(from, count, filler);
}

template <class Vector, class Real>
[[gnu::always_inline]] inline void store_up_to(Real* to, typename Vector::Float x, int64_t count) {
  if (count == Vector::kLanes) return Vector().store(to, x);
  store_first(to, x, count);
}

/// Calls `visit(place, count)` for the vectors of `n` elements.
template <class Real, class F>
[[gnu::always_inline]] inline void for_row_vectors(int64_t n, F&& visit) {
  constexpr int64_t kLanes = 64 / sizeof(Real);
  int64_t at = 0;
  for (; at + kLanes <= n; at += kLanes) visit(at, kLanes);
  if (at < n) visit(at, n - at);
}

/// The sum of lanes, by halves, as in all sums (reduction_order.h).
template <class Float>
[[gnu::always_inline]] inline auto sum_lanes(const Float& x) {
  if constexpr (sizeof(x) == 2 * sizeof(x[0])) {
    return x[0] + x[1];
  } else {
    return sum_lanes(x.lo + x.hi);
  }
}

}  // namespace glint::ops::GLINT_INSTRUCTION_SET
