// Splitting an eager kernel's work over the threads, where it is long enough to pay for waking
// them.
#pragma once

#include <cstdint>

#include "core/support/thread_pool.h"
#include "ir/scalar_function.h"

namespace glint::ops {

/// How much an element costs: a move or an addition, or a transcendental function.
enum class Work : uint8_t { kLight, kHeavy };

inline Work heavy(ScalarFunction function) {
  bool transcendental = (function >= ScalarFunction::kExp && function <= ScalarFunction::kI1e) ||
                        function == ScalarFunction::kPower;
  return transcendental ? Work::kHeavy : Work::kLight;
}

/// Below this many elements one thread does it all.
constexpr int64_t least_elements(Work work) {
  return work == Work::kHeavy ? 8192 : 32768;
}

/// `f(begin, end)` over 0..n in pieces; at once on this thread if n is small.
template <class F>
void parallel_ranges(int64_t n, Work work, F&& f) {
  int64_t least = least_elements(work);
  if (n <= least) return f(int64_t(0), n);
  parallel_for(0, n, least / 2, f);
}

}  // namespace glint::ops
