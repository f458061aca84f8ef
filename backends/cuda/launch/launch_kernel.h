// Compiled kernels on the device: an entry of loaded PTX with all that a launch of it needs.
//
//     auto kernel = LaunchableKernel::load(compiled);
//     (*kernel)->launch(parameters, symbols, length);
//
// A launch passes addresses, sizes and numbers, and makes the workspace and the scratch that the
// kernel asks for. What a check finds is thrown where the device waits for each launch, else told
// later (launch_checks.h). Faults are thrown (device_memory.h).
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "backends/cuda/codegen/compiled_kernel.h"
#include "backends/cuda/device/device.h"
#include "backends/cuda/device/eager_launches.h"
#include "backends/cuda/device/launch_checks.h"

namespace glint::cuda {

class LaunchableKernel {
 public:
  static Result<std::shared_ptr<const LaunchableKernel>> load(const CompiledKernel& compiled);

  /// `parameters`: one a parameter of the kernel, in order: the address of its elements on the
  /// device, or of its number here. `symbols[k]` is the value of s`k`. `length`: how many
  /// iterations of a flat kernel run.
  void launch(std::byte* const* parameters, std::span<const int64_t> symbols, int64_t length) const;
  const CompiledKernel& compiled() const { return compiled_; }
  const GpuEntry& entry() const { return *entry_; }

 private:
  std::optional<MovedBytes> moved(std::span<const int64_t> symbols, int64_t length) const;
  LaunchableKernel(CompiledKernel compiled, std::shared_ptr<GpuModule> module,
                   std::shared_ptr<const GpuEntry> entry);

  CompiledKernel compiled_;
  std::shared_ptr<GpuModule> module_;
  std::shared_ptr<const GpuEntry> entry_;
  std::optional<LaunchCheck> check_;  ///< of a kernel that has some
};

}  // namespace glint::cuda
