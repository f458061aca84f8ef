#include "backends/cuda/cuda_backend.h"

#include <chrono>

#include "backends/cuda/compile_cuda.h"
#include "backends/cuda/device_memory.h"
#include "backends/cuda/launch_kernel.h"
#include "backends/cuda/launch_recorder.h"
#include "backends/cuda/nvrtc.h"
#include "backends/cuda/runnable_kernel.h"
#include "backends/cuda/tuned_schedule.h"
#include "backends/schedule_runner.h"
#include "core/support/interruption.h"
#include "core/support/milliseconds.h"

namespace glint {
namespace {

using cuda::LaunchableKernel;
using cuda::LaunchShape;
using cuda::PreparedKernel;

/// A schedule whose launches are replayed.
class RecordedSchedule final : public CompiledSchedule {
 public:
  explicit RecordedSchedule(std::unique_ptr<CompiledSchedule> recorded)
      : recorded_(std::move(recorded)) {}

  RunStatus run(std::span<const RunInput> inputs, std::span<const int64_t> symbols,
                std::vector<Tensor>& outputs) override {
    cuda::LaunchRecorder::Scope scope(recorder_);
    const RunStatus failed = recorded_->run(inputs, symbols, outputs);
    if (!failed) scope.finish();
    return failed;
  }
  const Schedule& schedule() const override { return recorded_->schedule(); }
  CompileTimes times() const override { return recorded_->times(); }

 private:
  std::unique_ptr<CompiledSchedule> recorded_;
  cuda::LaunchRecorder recorder_;
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
    std::vector<const Kernel*> kernels;
    for (const Kernel& kernel : schedule.kernels) kernels.push_back(&kernel);
    auto compiled = compile_kernels(kernels, shapes);
    if (!compiled) return compiled.error();
    auto prepared = std::make_shared<std::vector<PreparedKernel>>();
    for (const cuda::CompiledKernel& each : *compiled) {
      auto loaded = LaunchableKernel::load(each);
      if (!loaded) return loaded.error();
      const auto launch = [kernel = std::move(*loaded)](auto parameters, auto symbols,
                                                        int64_t length) {
        return kernel->launch(parameters, symbols, length);
      };
      prepared->push_back({launch, symbol_count(each)});
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

  static Result<std::vector<cuda::CompiledKernel>> compile_kernels(
      const std::vector<const Kernel*>& kernels, const std::vector<LaunchShape>& shapes) {
    try {
      return cuda::compile_cuda(kernels, {.for_launch = true, .shapes = shapes});
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
