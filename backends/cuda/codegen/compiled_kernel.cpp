#include "backends/cuda/codegen/compiled_kernel.h"

namespace glint::cuda {

SymInt kept_elements(const CompiledKernel& kernel, const KernelParameter& kept,
                     uint32_t block_shared_bytes) {
  constexpr uint32_t kAlignment = 16;  // of the dynamic part
  const uint32_t taken = (kernel.shared_bytes + kAlignment - 1) / kAlignment * kAlignment;
  const uint32_t room = block_shared_bytes > taken ? block_shared_bytes - taken : 0;
  const uint32_t rounds = room / kept.element_bytes / kept.round;
  return minimum(kept.size, int64_t{rounds} * kept.round);
}

SymInt dynamic_shared_bytes(const CompiledKernel& kernel, uint32_t block_shared_bytes) {
  SymInt most = 0;
  for (const KernelParameter& each : kernel.parameters)
    if (each.kind == KernelParameter::Kind::kKept)
      most = maximum(most, kept_elements(kernel, each, block_shared_bytes) *
                               static_cast<int64_t>(each.element_bytes));
  return most;
}

}  // namespace glint::cuda
