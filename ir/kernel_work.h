// How much a kernel computes: scalar operations, as the literature counts them.
//
//     parallel i in 0..s0 {                   operations(kernel) == 24*s0
//       reduce j in 0..8 {
//         c = multiply a, b                   1 for each of 8 * s0
//         d = maximum c, 0.0                  1
//         acc += d                            1
//
// Each function of scalars is one operation, however long it takes (an exponential too), a fused
// multiply-add is two. Conversions, choices and what moves memory are none.
#pragma once

#include <functional>

#include "ir/kernel.h"

namespace glint {

/// The sum of what each statement but the loops costs, times how often it runs. `whole`: what
/// counts as the extent of the loop that is the whole kernel, if that is another.
SymInt total_cost(const Kernel& kernel, const std::function<int64_t(const Statement&)>& cost,
                  const SymInt* whole = nullptr);

/// Scalar operations that take a thread long enough (some 20 microseconds) to be worth waking it.
inline constexpr int64_t kWorkOfAThread = 200000;
/// The same sum with the costs that `kWorkOfAThread` counts in: an exponential takes longer than a
/// sum, and a load or a store takes as long.
SymInt estimate_work(const Kernel& kernel);

SymInt operations(const Kernel& kernel);
/// The same for a flat kernel of which only the first iterations run.
SymInt operations(const Kernel& kernel, SymInt length);

}  // namespace glint
