// Calls of kernels at a prompt or in a notebook: a crash ends the launch, and Ctrl-C ends it soon.
//
//     1. a long call is taken apart, so that other threads see Ctrl-C between two parts, unless a
//        device runs it;
//     2. each part has a recovery point of its own, on the thread that runs it;
//     3. what ended a part is kept for who reports it, and the parts that follow are not begun.

#include <algorithm>
#include <atomic>

#include "backends/schedule_runner.h"
#include "core/support/interruption.h"
#include "core/support/recovery.h"

namespace glint {
namespace {

constexpr int64_t kParts = 16;
/// Parts are whole multiples of so many iterations, as those of threads are.
constexpr int64_t kPartMultiple = 64;

std::atomic<int> fault_signal = 0;
std::atomic<void*> fault_address = nullptr;

struct Call {
  const RunnableKernel& kernel;
  std::byte* scratch;
  std::byte* const* parameters;
  const int64_t* sizes;
  int64_t begin;
  int64_t end;
  int32_t status = 0;
};

void run(void* context) {
  Call& call = *static_cast<Call*>(context);
  call.status =
      call_kernel(call.kernel, call.scratch, call.parameters, call.sizes, call.begin, call.end);
}

int32_t keep(const recovery::Fault& fault) {
  fault_address.store(fault.address, std::memory_order_relaxed);
  fault_signal.store(fault.signal, std::memory_order_relaxed);
  return kEndedByFault;
}

}  // namespace

int32_t call_guarded(const RunnableKernel& kernel, std::byte* scratch, std::byte* const* parameters,
                     const int64_t* sizes, int64_t begin, int64_t end) {
  int64_t step = end - begin;
  const int64_t multiple = std::max(kPartMultiple, kernel.stretch);
  if (kernel.thread_extent && !kernel.is_launched_whole && step > kParts * multiple)
    step = (step / kParts + multiple - 1) / multiple * multiple;
  for (int64_t at = begin; at < end || at == begin; at += step) {
    if (interruption::requested()) return keep({SIGINT});
    Call call{kernel, scratch, parameters, sizes, at, std::min(at + step, end)};
    if (!kernel.owns_nothing)
      run(&call);
    else if (auto fault = recovery::guarded(run, &call))
      return keep(*fault);
    if (call.status != 0 || step <= 0) return call.status;
  }
  return 0;
}

recovery::Fault last_fault() {
  return {fault_signal.load(std::memory_order_relaxed),
          fault_address.load(std::memory_order_relaxed)};
}

}  // namespace glint
