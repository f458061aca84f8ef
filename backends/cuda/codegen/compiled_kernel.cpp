#include "backends/cuda/codegen/compiled_kernel.h"

#include <algorithm>

namespace glint::cuda {

uint32_t blocks_of(const CompiledKernel& kernel, std::span<const int64_t> symbols) {
  return static_cast<uint32_t>(std::min<int64_t>(kernel.grid.evaluate(symbols), INT32_MAX));
}

int64_t most_kept_elements(const CompiledKernel& kernel, const KernelParameter& kept,
                           uint32_t block_shared_bytes) {
  constexpr uint32_t kAlignment = 16;  // of the dynamic part
  constexpr uint32_t kBusyThreads = 1024;
  const uint32_t taken = (kernel.shared_bytes + kAlignment - 1) / kAlignment * kAlignment;
  const uint32_t most = block_shared_bytes / kBusyThreads * std::min(kernel.threads, kBusyThreads);
  const uint32_t room = most > taken ? most - taken : 0;
  return int64_t{room / kept.element_bytes / kept.round} * kept.round;
}

int64_t kept_elements(const CompiledKernel& kernel, const KernelParameter& kept,
                      std::span<const int64_t> symbols, uint32_t block_shared_bytes) {
  return std::min(kept.size.evaluate(symbols),
                  most_kept_elements(kernel, kept, block_shared_bytes));
}

SymInt dynamic_shared_bytes(const CompiledKernel& kernel, uint32_t block_shared_bytes) {
  SymInt most = 0;
  for (const KernelParameter& each : kernel.parameters) {
    if (each.kind != KernelParameter::Kind::kKept) continue;
    const SymInt elements =
        minimum(each.size, most_kept_elements(kernel, each, block_shared_bytes));
    most = maximum(most, elements * static_cast<int64_t>(each.element_bytes));
  }
  return most;
}

}  // namespace glint::cuda
