// The worker threads: one loop at a time, split over all cores.
//
// A worker spins for some tens of microseconds after its last job and then parks, so that loops
// that follow each other start within a microsecond and an idle program uses no processor. The
// calling thread works too and claims pieces like any worker: a worker that the system has put
// aside never holds up a loop that the others can finish. A loop inside a loop runs on the thread
// that meets it.
//
//     parallel_for(0, n, /*grain=*/32768, [&](int64_t begin, int64_t end) { ... });
//
// It lives in the lowest folder because tensors (which the platform folder builds on) copy and fill
// with it. Bodies must not throw, and must not touch reference counts or the allocator.
#pragma once

#include <cstdint>
#include <type_traits>

namespace glint {

/// How many threads loops may use, the caller included: `torch.get_num_threads()`. At first the
/// number of processors that this process may run on, or what `GLINT_THREADS` or `OMP_NUM_THREADS`
/// says.
int num_threads();
void set_num_threads(int count);

/// Whether the caller is inside a parallel loop already (and further loops run inline).
bool in_parallel_loop();

using RangeFunction = void (*)(void* context, int64_t begin, int64_t end);
/// The core: calls `function` on disjoint pieces that cover [begin, end), each (but the last) of a
/// multiple of `grain`; returns when all are done. No allocation.
void parallel_ranges(int64_t begin, int64_t end, int64_t grain, RangeFunction function,
                     void* context);

/// Splits [begin, end) over the threads if it holds at least two pieces of `grain`.
template <class F>
void parallel_for(int64_t begin, int64_t end, int64_t grain, F&& body) {
  if (end - begin < 2 * grain || num_threads() == 1) {
    if (begin < end) body(begin, end);
    return;
  }
  parallel_ranges(
      begin, end, grain,
      [](void* context, int64_t from, int64_t to) {
        (*static_cast<std::remove_reference_t<F>*>(context))(from, to);
      },
      const_cast<void*>(static_cast<const void*>(&body)));
}

}  // namespace glint
