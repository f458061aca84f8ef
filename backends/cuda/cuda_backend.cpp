#include "backends/cuda/cuda_backend.h"

#include <chrono>

#include "backends/cuda/codegen/row_classes.h"
#include "backends/cuda/compile/compile_cuda.h"
#include "backends/cuda/compile/nvrtc.h"
#include "backends/cuda/device/device_memory.h"
#include "backends/cuda/device/launch_recorder.h"
#include "backends/cuda/launch/launch_kernel.h"
#include "backends/cuda/launch/runnable_kernel.h"
#include "backends/cuda/tuned_schedule.h"
#include "backends/schedule_runner.h"
#include "core/support/interruption.h"
#include "core/support/milliseconds.h"
#include "ops/device_calls.h"
#include "ops/op.h"

namespace glint {
namespace {

using cuda::CompiledKernel;
using cuda::KernelCuts;
using cuda::LaunchableKernel;
using cuda::LaunchShape;
using cuda::PreparedKernel;
using cuda::RowClasses;

/// A schedule whose launches are replayed.
class RecordedSchedule final : public CompiledSchedule {
 public:
  explicit RecordedSchedule(std::unique_ptr<CompiledSchedule> recorded)
      : recorded_(std::move(recorded)) {}

  RunStatus run(std::span<const RunInput> inputs, std::span<const int64_t> symbols,
                std::vector<Tensor>& outputs) override {
    cuda::LaunchRecorder::Scope scope(recorder_);
    try {
      const RunStatus failed = recorded_->run(inputs, symbols, outputs);
      if (!failed) scope.finish();
      return failed;
    } catch (const ops::OpError& error) {
      auto failed = ops::failed_device_check(error);
      if (!failed) throw;
      outputs.clear();
      failed_check_ = std::move(*failed);
      return failed_check_;
    }
  }
  const Schedule& schedule() const override { return recorded_->schedule(); }
  CompileTimes times() const override { return recorded_->times(); }

 private:
  std::unique_ptr<CompiledSchedule> recorded_;
  cuda::LaunchRecorder recorder_;
  std::string failed_check_;  ///< of the last run, for its status
};

/// A kernel for all lengths of its rows: which of its entries is launched they decide.
class CutKernel {
 public:
  /// `compiled`: one a class.
  static Result<PreparedKernel> prepare(RowClasses classes,
                                        std::span<const CompiledKernel> compiled) {
    size_t symbols = 0;
    const auto kernel = std::make_shared<CutKernel>();
    for (const CompiledKernel& each : compiled) {
      auto loaded = LaunchableKernel::load(each);
      if (!loaded) return loaded.error();
      kernel->entries_.push_back(std::move(*loaded));
      symbols = std::max(symbols, symbol_count(each));
    }
    for (const SymInt length : classes.lengths)
      symbols = std::max(symbols, cuda::symbol_count(length));
    kernel->classes_ = std::move(classes);
    const auto launch = [kernel](auto parameters, auto values, int64_t length) {
      kernel->entries_[kernel->classes_.at(values)]->launch(parameters, values, length);
    };
    return PreparedKernel{launch, symbols};
  }

 private:
  RowClasses classes_;
  std::vector<std::shared_ptr<const LaunchableKernel>> entries_;
};

class CudaBackend final : public Backend {
 public:
  std::string_view name() const override { return "cuda"; }

  Result<std::unique_ptr<CompiledSchedule>> compile(const Schedule& schedule,
                                                    const BackendOptions& options) const override {
    const Result<cuda::Gpu*>& gpu = cuda::open_gpu();
    if (!gpu) return gpu.error();
    // Without NVRTC there is at most what was compiled before: nothing to choose from.
    if (!options.tuning || !cuda::load_nvrtc()) return compile_in(schedule, options, {});
    return cuda::tuned_schedule(schedule, options.tuning,
                                [schedule, options](const std::vector<LaunchShape>& shapes) {
                                  return compile_in(schedule, options, shapes);
                                });
  }

 private:
  static Result<std::unique_ptr<CompiledSchedule>> compile_in(
      const Schedule& schedule, const BackendOptions& options,
      const std::vector<LaunchShape>& shapes) {
    const auto start = std::chrono::steady_clock::now();
    KernelCuts cuts = cuda::cuts_of(schedule.kernels, shapes);
    auto compiled = compile_kernels(cuts);
    if (!compiled) return compiled.error();
    auto prepared = std::make_shared<std::vector<PreparedKernel>>();
    std::span<const CompiledKernel> rest = *compiled;
    for (RowClasses& each : cuts.classes) {
      const size_t count = each.shapes.size();
      auto kernel = CutKernel::prepare(std::move(each), rest.first(count));
      if (!kernel) return kernel.error();
      prepared->push_back(std::move(*kernel));
      rest = rest.subspan(count);
    }
    std::vector<RunnableKernel> ready;
    for (size_t i = 0; i < prepared->size(); ++i)
      ready.push_back(runner_kernel((*prepared)[i], schedule.kernels[i]));
    auto runner =
        std::make_unique<ScheduleRunner>(schedule, std::move(ready), prepared, Device::cuda());
    runner->set_times({.code = milliseconds_since(start)});
    if (options.records_launches) return recorded(std::move(runner));
    return std::unique_ptr<CompiledSchedule>(std::move(runner));
  }

  static Result<std::vector<CompiledKernel>> compile_kernels(const KernelCuts& cuts) {
    try {
      return cuda::compile_cuda(cuts.kernels, {.for_launch = true, .shapes = cuts.shapes});
    } catch (const interruption::Interrupted& error) {
      return Error{std::string("nvrtc: ") + error.what()};
    }
  }
  static std::unique_ptr<CompiledSchedule> recorded(std::unique_ptr<CompiledSchedule> schedule) {
    return std::make_unique<RecordedSchedule>(std::move(schedule));
  }
};

}  // namespace

const Backend& cuda_backend() {
  static const CudaBackend backend;
  return backend;
}

}  // namespace glint
