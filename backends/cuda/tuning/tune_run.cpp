#include "backends/cuda/tuning/tune_run.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <memory>
#include <optional>

#include "backends/cuda/device/device_memory.h"
#include "backends/cuda/device/launch_log.h"
#include "backends/cuda/tuning/tuning.h"
#include "core/support/interruption.h"
#include "ops/op.h"

namespace glint::cuda {
namespace {

/// Of a kernel that a schedule launches more often the first ones are timed.
constexpr size_t kMostTimedLaunches = 8;
/// A stretch of launches lasts about so long, and there are so many stretches.
constexpr double kStretchMilliseconds = 0.5;
constexpr int kMostLaunches = 50;
constexpr int kStretches = 3;
/// Memory is as well or as badly aligned as what it stands for.
constexpr uint64_t kAlignment = 256;

using Work = std::function<std::optional<Error>()>;
/// So many runs, one behind the other, as one piece of work.
using Runs = std::function<Result<Work>(int count)>;

Result<double> time_of(Gpu& gpu, const Work& work) {
  auto begin = gpu.record(gpu.stream_in_use());
  if (!begin) return begin.error();
  if (auto fault = work()) return *fault;
  auto end = gpu.record(gpu.stream_in_use());
  if (!end) return end.error();
  if (auto fault = (*end)->wait()) return *fault;
  return (*begin)->milliseconds_to(**end);
}

/// The best of some times: the first one loads code and fills caches.
Result<double> best_of(Gpu& gpu, const Runs& runs, int count, int times) {
  const Result<Work> work = runs(count);
  if (!work) return work.error();
  std::optional<double> best;
  for (int i = 0; i < times; ++i) {
    auto time = time_of(gpu, *work);
    if (!time) return time.error();
    best = std::min(best.value_or(*time), *time);
  }
  return *best / count;
}

Result<double> best_time(Gpu& gpu, const Runs& runs) {
  auto one = best_of(gpu, runs, 1, 2);
  if (!one) return one.error();
  const int count =
      std::clamp(static_cast<int>(kStretchMilliseconds / std::max(*one, 1e-4)), 1, kMostLaunches);
  return best_of(gpu, runs, count, kStretches);
}

/// One launch of a candidate: its arguments, with memory of its own for what it stores.
class TrialLaunch {
 public:
  TrialLaunch(const Kernel& kernel, const CompiledKernel& compiled, std::byte* const* parameters,
              std::span<const int64_t> symbols, int64_t length)
      : kernel_(kernel),
        compiled_(compiled),
        parameters_(parameters),
        symbols_(symbols),
        length_(length) {
    written_ = kernel.written();
    for (const KernelParameter& each : compiled.parameters)
      launch.arguments.push_back(argument(each));
    launch.grid[0] = blocks_of(compiled, symbols);
    launch.block[0] = compiled.threads;
  }

  GpuLaunch launch;

 private:
  int64_t value(SymInt size) const { return size.evaluate(symbols_); }

  GpuArgument argument(const KernelParameter& parameter) {
    using Kind = KernelParameter::Kind;
    switch (parameter.kind) {
      case Kind::kSize:
        return gpu_argument(value(parameter.size));
      case Kind::kLength:
        return gpu_argument(length_);
      case Kind::kNumber: {
        GpuArgument number{.size = static_cast<uint32_t>(dtype_size(parameter.dtype))};
        std::memcpy(number.bytes.data(), parameters_[parameter.buffer], number.size);
        return number;
      }
      case Kind::kBuffer: {
        const auto given = reinterpret_cast<uint64_t>(parameters_[parameter.buffer]);
        if (!written_[parameter.buffer]) return gpu_argument(given, parameter.name);
        const uint64_t shift = given % kAlignment;
        return gpu_argument(memory(bytes_of(parameter.buffer) + shift) + shift, parameter.name);
      }
      case Kind::kCounters:
      case Kind::kStatus:
      case Kind::kWorkspace:
      case Kind::kScratch:
        return gpu_argument(memory(static_cast<size_t>(value(parameter.size)), true),
                            parameter.name);
      case Kind::kKept:
        return keep(parameter);
    }
    __builtin_unreachable();
  }

  /// As a launch that is no trial asks for it.
  GpuArgument keep(const KernelParameter& parameter) {
    const uint32_t room = need_gpu_beside_launches().properties().block_shared_bytes;
    const int64_t elements = kept_elements(compiled_, parameter, symbols_, room);
    launch.dynamic_shared =
        std::max(launch.dynamic_shared, static_cast<uint32_t>(elements * parameter.element_bytes));
    return gpu_argument(elements);
  }

  /// How far a parameter's elements reach; of a flat kernel that is cut short, not that far.
  size_t bytes_of(uint32_t buffer) const {
    const TensorType& type = kernel_.buffers[buffer].type;
    const auto strides = type.full_strides();
    int64_t reach = 1;
    for (size_t d = 0; d < strides.size(); ++d) {
      if (value(type.sizes[d]) == 0) return 0;
      reach += (value(type.sizes[d]) - 1) * value(strides[d]);
    }
    return static_cast<size_t>(reach) * dtype_size(type.dtype);
  }

  uint64_t memory(size_t bytes, bool cleared = false) {
    made_.emplace_back(std::max<size_t>(bytes, 1));
    if (cleared && bytes > 0) made_.back().clear(bytes);
    return made_.back().address();
  }

  const Kernel& kernel_;
  const CompiledKernel& compiled_;
  std::byte* const* parameters_;
  std::span<const int64_t> symbols_;
  int64_t length_;
  std::vector<bool> written_;
  std::deque<DeviceBuffer> made_;
};

}  // namespace

Result<double> cost_of(Gpu& gpu, const GpuEntry& entry, const GpuLaunch& launch) {
  interruption::check();
  count_timing();
  if (gpu.properties().is_simulated) return estimated_cost(entry, launch);
  // As a record: what it costs the processor to ask for a launch is no cost of the kernel.
  return best_time(gpu, [&](int count) -> Result<Work> {
    auto record = gpu.record_launches(
        std::vector<PendingLaunch>(static_cast<size_t>(count), {&entry, launch}));
    if (!record) return record.error();
    const std::shared_ptr<GpuRecord> launches = std::move(*record);
    return Work([launches] { return launches->replay(); });
  });
}

Result<double> cost_of_calls(Gpu& gpu, const std::function<bool()>& call) {
  interruption::check();
  count_timing();
  return best_time(gpu, [&](int count) -> Result<Work> {
    return Work([&call, count]() -> std::optional<Error> {
      for (int i = 0; i < count; ++i)
        if (!call()) return Error{"the call does nothing"};
      return std::nullopt;
    });
  });
}

void KernelTrial::launch(std::byte* const* parameters, std::span<const int64_t> symbols,
                         int64_t length) {
  if (!failed_ && timed_ < kMostTimedLaunches) {
    try {
      time(parameters, symbols, length);
    } catch (const ops::OpError&) {
      // Too little memory for the trial, say: the usual way it is.
      failed_ = true;
    }
  }
  candidates_.front()->launch(parameters, symbols, length);
}

void KernelTrial::time(std::byte* const* parameters, std::span<const int64_t> symbols,
                       int64_t length) {
  for (size_t i = 0; i < candidates_.size(); ++i) {
    const TrialLaunch trial(kernel_, candidates_[i]->compiled(), parameters, symbols, length);
    const auto cost = cost_of(need_gpu(), candidates_[i]->entry(), trial.launch);
    if (!cost) {
      failed_ = true;
      return;
    }
    costs_[i] += *cost;
  }
  ++timed_;
}

}  // namespace glint::cuda
