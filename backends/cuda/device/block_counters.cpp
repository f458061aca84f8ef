#include "backends/cuda/device/block_counters.h"

#include <map>

#include "backends/cuda/codegen/compiled_kernel.h"
#include "backends/cuda/device/device_memory.h"

namespace glint::cuda {
namespace {

struct Counters {
  uint64_t address = 0;
  bool are_zero = false;
};

/// Never destroyed, as the device.
std::map<GpuStream, Counters>& counters_by_stream() {
  static auto& counters = *new std::map<GpuStream, Counters>;
  return counters;
}

}  // namespace

uint64_t block_counters() {
  Gpu& gpu = need_gpu_beside_launches();
  Counters& counters = counters_by_stream()[gpu.stream_in_use()];
  if (counters.are_zero) return counters.address;
  constexpr size_t kBytes = kBlockCounters * sizeof(uint32_t);
  if (counters.address == 0) counters.address = allocate_for_process(kBytes);
  fail_on_device(gpu.clear(counters.address, kBytes));
  counters.are_zero = true;
  return counters.address;
}

CountedLaunches::~CountedLaunches() {
  if (std::uncaught_exceptions() == exceptions_) return;
  for (auto& [stream, counters] : counters_by_stream()) counters.are_zero = false;
}

}  // namespace glint::cuda
