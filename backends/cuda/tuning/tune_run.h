// Runs the ways of computing one thing against each other, for `mode="max-autotune"`.
//
//     KernelTrial trial(kernel, compiled);                  // one compiled kernel a candidate
//     trial.launch(parameters, symbols, length);            // each is timed, then the usual one
//     runs trial.costs()                                         // of all launches together, by
//     candidate
//
// A kernel never loads what it has not stored (ir/kernel.h), so each candidate stores into memory
// of its own, and what the script sees is written once, by the launch behind the trial. A real
// device is timed by its events, the best of several stretches of launches; for the simulated one,
// whose clock says nothing about a GPU, its counts stand (simulator/estimate.h).
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "backends/cuda/device/device.h"
#include "backends/cuda/launch/launch_kernel.h"
#include "ir/kernel.h"

namespace glint::cuda {

/// What a launch costs: milliseconds, or cycles by estimate. The launch is done, several times.
Result<double> cost_of(Gpu& gpu, const GpuEntry& entry, const GpuLaunch& launch);
/// The same of whatever a call has a real device do.
Result<double> cost_of_calls(Gpu& gpu, const std::function<bool()>& call);

class KernelTrial {
 public:
  KernelTrial(const Kernel& kernel, std::vector<std::shared_ptr<const LaunchableKernel>> candidates)
      : kernel_(kernel), candidates_(std::move(candidates)), costs_(candidates_.size(), 0.0) {}

  /// As `LaunchableKernel::launch`.
  void launch(std::byte* const* parameters, std::span<const int64_t> symbols, int64_t length);
  /// Whether a launch was timed, and nothing went wrong.
  bool has_result() const { return timed_ > 0 && !failed_; }
  const std::vector<double>& costs() const { return costs_; }
  const Kernel& kernel() const { return kernel_; }
  const std::vector<std::shared_ptr<const LaunchableKernel>>& candidates() const {
    return candidates_;
  }

 private:
  void time(std::byte* const* parameters, std::span<const int64_t> symbols, int64_t length);

  const Kernel& kernel_;
  std::vector<std::shared_ptr<const LaunchableKernel>> candidates_;
  std::vector<double> costs_;
  size_t timed_ = 0;
  bool failed_ = false;
};

}  // namespace glint::cuda
