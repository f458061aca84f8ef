#include "backends/cuda/cuda_backend.h"

#include <chrono>

#include "backends/cuda/compile_cuda.h"
#include "backends/cuda/device_memory.h"
#include "backends/cuda/launch_kernel.h"
#include "backends/cuda/launch_recorder.h"
#include "backends/schedule_runner.h"
#include "core/support/interruption.h"
#include "core/support/milliseconds.h"

namespace glint {
namespace {

using cuda::LaunchableKernel;

/// A kernel on the device, as the runner calls it: `sizes` are the values of all symbols.
struct Prepared {
  std::shared_ptr<const LaunchableKernel> kernel;
  size_t symbols = 0;
};

int32_t run_prepared(const void* context, std::byte*, std::byte* const* parameters,
                     const int64_t* sizes, int64_t begin, int64_t end) {
  const auto& prepared = *static_cast<const Prepared*>(context);
  return prepared.kernel->launch(parameters, {sizes, prepared.symbols}, end - begin);
}

/// One more than the highest symbol that a launch of the kernel mentions.
size_t symbol_count(const cuda::CompiledKernel& kernel) {
  size_t count = 0;
  const auto add = [&count](SymInt size) {
    const auto symbols = size.symbols();
    if (!symbols.empty()) count = std::max<size_t>(count, symbols.back() + 1);
  };
  add(kernel.grid);
  for (const cuda::KernelParameter& parameter : kernel.parameters) add(parameter.size);
  return count;
}

RunnableKernel runnable(const Prepared& prepared, const Kernel& kernel) {
  RunnableKernel made;
  made.function = run_prepared;
  made.context = &prepared;
  for (uint32_t k = 0; k < prepared.symbols; ++k)
    made.size_expressions.push_back(SymInt::symbol(k));
  // A launch may cut a flat kernel short; it is never split over threads of the processor.
  if (const Loop* loop = kernel.whole_loop()) made.thread_extent = loop->extent;
  made.work = 0;
  return made;
}

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
    const auto start = std::chrono::steady_clock::now();
    std::vector<const Kernel*> kernels;
    for (const Kernel& kernel : schedule.kernels) kernels.push_back(&kernel);
    auto compiled = compile_kernels(kernels);
    if (!compiled) return compiled.error();
    auto prepared = std::make_shared<std::vector<Prepared>>();
    for (const cuda::CompiledKernel& each : *compiled) {
      auto loaded = LaunchableKernel::load(each);
      if (!loaded) return loaded.error();
      prepared->push_back({std::move(*loaded), symbol_count(each)});
    }
    std::vector<RunnableKernel> ready;
    for (size_t i = 0; i < prepared->size(); ++i)
      ready.push_back(runnable((*prepared)[i], schedule.kernels[i]));
    auto runner =
        std::make_unique<ScheduleRunner>(schedule, std::move(ready), prepared, Device::cuda());
    runner->set_times({.code = milliseconds_since(start)});
    if (options.records_launches) return recorded(std::move(runner));
    return std::unique_ptr<CompiledSchedule>(std::move(runner));
  }

 private:
  static Result<std::vector<cuda::CompiledKernel>> compile_kernels(
      const std::vector<const Kernel*>& kernels) {
    try {
      return cuda::compile_cuda(kernels, {.for_launch = true});
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
