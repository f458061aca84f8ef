#include "runtime/session/comparison.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "backends/cuda/device/device.h"
#include "backends/cuda/device/launch_entry.h"
#include "core/support/temporarily.h"
#include "core/tensor/accelerator.h"
#include "runtime/session/side_effects.h"

namespace glint {
namespace {

using Clock = std::chrono::steady_clock;

double microseconds(Clock::time_point start) {
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

/// The device, if something of this process is there.
cuda::Gpu* gpu_in_use() {
  return accelerator_named && cuda::open_gpu() ? *cuda::open_gpu() : nullptr;
}

/// What a GPU took from here on, by its own events; nothing where it was asked for nothing, or is
/// simulated: then the processor's clock says it.
class GpuClock {
 public:
  explicit GpuClock(cuda::Gpu* gpu)
      : gpu_(gpu && !gpu->properties().is_simulated ? gpu : nullptr),
        launches_(cuda::launch_count()) {
    if (gpu_) begin_ = now();
  }
  std::optional<double> microseconds() const {
    if (!begin_ || cuda::launch_count() == launches_) return std::nullopt;
    const Event end = now();
    if (!end || end->wait()) return std::nullopt;
    const auto time = begin_->milliseconds_to(*end);
    return time ? std::optional(*time * 1e3) : std::nullopt;
  }

 private:
  using Event = std::shared_ptr<const cuda::GpuEvent>;
  Event now() const {
    auto made = gpu_->record(gpu_->stream_in_use());
    return made ? *made : nullptr;
  }

  cuda::Gpu* gpu_;
  uint64_t launches_;
  Event begin_;
};

/// One of the two, as it is called.
class Called {
 public:
  /// `loop`: of library/glint/_bench.py.
  Called(runtime::Interpreter& interpreter, const runtime::Value& function,
         const std::vector<runtime::Value>& arguments, const Keywords& keywords,
         const runtime::Value& loop)
      : interpreter_(interpreter),
        function_(function),
        arguments_(arguments),
        keywords_(keywords),
        loop_(loop) {}

  bool raises() const {
    if (keywords_.empty()) return interpreter_.call(function_, arguments_).is_undefined();
    return interpreter_.call_with_keywords(function_, arguments_, keywords_).is_undefined();
  }
  /// Microseconds of one of so many calls; nothing when one raised.
  std::optional<double> time(int64_t calls) const {
    cuda::Gpu* const gpu = gpu_in_use();
    const GpuClock clock(gpu);
    auto start = Clock::now();
    if (interpreter_.call(loop_, {function_, runtime::int_value(calls)}).is_undefined())
      return std::nullopt;
    const auto by_gpu = clock.microseconds();
    // What a GPU was asked to do is done when it says so.
    if (gpu) (void)gpu->synchronise();
    return by_gpu.value_or(microseconds(start)) / static_cast<double>(calls);
  }
  /// The same of as many as a millisecond holds.
  std::optional<double> estimate() const {
    constexpr double kLongEnough = 1000.0;
    for (int64_t calls = 1;; calls *= 4) {
      std::optional<double> each = time(calls);
      if (!each || *each * static_cast<double>(calls) >= kLongEnough) return each;
    }
  }

 private:
  runtime::Interpreter& interpreter_;
  const runtime::Value& function_;
  const std::vector<runtime::Value>& arguments_;
  const Keywords& keywords_;
  const runtime::Value& loop_;
};

/// Calls a function so often with these arguments; undefined: an exception is pending.
runtime::Value loop_with(runtime::Interpreter& interpreter,
                         const std::vector<runtime::Value>& arguments, const Keywords& keywords) {
  runtime::Value module = interpreter.import_module("glint._bench");
  if (module.is_undefined()) return module;
  runtime::Value maker = runtime::get_attribute(interpreter, module, "loop_with");
  auto named = runtime::make_dict();
  for (const auto& [name, value] : keywords) named->set(name->view(), value);
  return interpreter.call(maker,
                          {runtime::Value(runtime::make_tuple(arguments)), runtime::Value(named)});
}

/// While it lives, runs of regions are no hits: those are of the user's calls.
class UncountedRuns {
 public:
  explicit UncountedRuns(const capture::Runner& runner) : runner_(runner) {
    for (const auto& record : runner.records()) before_.merge(runs_of(*record));
  }
  ~UncountedRuns() {
    for (const auto& record : runner_.records())
      for (const auto& [at, point] : record->entry_points)
        for (const auto& region : point.regions) {
          auto found = before_.find(region.get());
          *region->hits = found == before_.end() ? 0 : found->second;
        }
  }
  UncountedRuns(const UncountedRuns&) = delete;
  UncountedRuns& operator=(const UncountedRuns&) = delete;

 private:
  const capture::Runner& runner_;
  Runs before_;
};

/// False when a call raised.
bool run_rounds(const RoundPlan& plan, const Called& eager, const Called& compiled,
                Comparison& result) {
  for (int round = 0; round < plan.rounds; ++round) {
    for (int turn = 0; turn < 2; ++turn) {
      const bool is_compiled = turn != round % 2;
      std::optional<double> each =
          is_compiled ? compiled.time(plan.compiled_calls) : eager.time(plan.eager_calls);
      if (!each) return false;
      (is_compiled ? result.compiled : result.eager).push_back(*each);
    }
  }
  return true;
}

capture::CompileRecord& record_of(const runtime::Value& compiled) {
  return static_cast<capture::CompileRecord&>(
      *compiled.as<runtime::CompiledFunctionObject>()->record);
}

/// What a call of the compiled function does, with its own sizes; nothing when it raised.
std::optional<CompiledWork> work_of(const Called& call, capture::CompileRecord& record) {
  // No call goes past the compiled code because eager would be faster.
  Temporarily only_compiled(record.eager_up_to, int64_t{0});
  if (call.raises()) return std::nullopt;  // compiles what is not yet
  const Runs before = runs_of(record);
  if (call.raises()) return std::nullopt;
  return work_since(before, record);
}

/// Whether a region ended because of an effect that a graph cannot hold.
bool breaks_at_effect(const CompiledWork& work) {
  return work.breaks.contains(DiagnosticId::kBreakImpureCall) ||
         work.breaks.contains(DiagnosticId::kBreakMutation);
}

}  // namespace

RoundPlan plan_rounds(double eager, double compiled, double seconds) {
  const double budget = seconds * 1e6;
  const double half = std::min(budget / kRounds, kRound) / 2.0;
  auto calls = [&](double each) { return std::max<int64_t>(1, std::llround(half / each)); };
  RoundPlan plan{.eager_calls = calls(eager), .compiled_calls = calls(compiled)};
  const double round = eager * static_cast<double>(plan.eager_calls) +
                       compiled * static_cast<double>(plan.compiled_calls);
  plan.rounds = std::clamp(static_cast<int>(budget / round), kFewRounds, kMostRounds);
  return plan;
}

std::optional<Comparison> compare(Session::Parts& parts, const runtime::Value& eager,
                                  const runtime::Value& compiled,
                                  const std::vector<runtime::Value>& arguments,
                                  const Keywords& keywords, double seconds) {
  runtime::Interpreter& interpreter = parts.interpreter;
  const runtime::Value loop = loop_with(interpreter, arguments, keywords);
  if (loop.is_undefined()) return std::nullopt;
  const Called called_eager(interpreter, eager, arguments, keywords, loop);
  const Called called_compiled(interpreter, compiled, arguments, keywords, loop);
  Comparison result;
  const bool keeps_inputs = parts.runner.keeps_inputs();
  WithoutSideWork quiet(parts);
  UncountedRuns uncounted(parts.runner);
  SilentOutput silent(interpreter);
  // How often they are called depends on the machine: what the script draws next must not.
  const Temporarily same_draws(default_generator());
  Temporarily full_price(parts.context.reuses_code, false);  // as a first compile costs
  const auto launches_before = cuda::launch_count();
  // What the other commands tell of when nothing is named: the newest call is this one.
  parts.runner.keep_inputs(keeps_inputs);
  const bool fine = !called_compiled.raises();
  parts.runner.keep_inputs(false);
  if (!fine || called_eager.raises()) return std::nullopt;
  auto work = work_of(called_compiled, record_of(compiled));
  if (!work) return std::nullopt;
  result.work = std::move(*work);
  result.on_gpu = cuda::launch_count() != launches_before;
  std::vector<runtime::Value> roots = arguments;
  for (const auto& [name, value] : keywords) roots.push_back(value);
  roots.insert(roots.end(), {eager, runtime::Value(parts.main->dict)});
  const uint64_t state = state_of(roots);
  if (called_eager.raises()) return std::nullopt;
  result.has_effects = silent.wrote() || state_of(roots) != state || breaks_at_effect(result.work);
  RoundPlan plan;
  if (!result.has_effects) {
    const auto eager_time = called_eager.estimate();
    const auto compiled_time = eager_time ? called_compiled.estimate() : std::nullopt;
    if (!compiled_time) return std::nullopt;
    plan = plan_rounds(*eager_time, *compiled_time, seconds);
  }
  if (!run_rounds(plan, called_eager, called_compiled, result)) return std::nullopt;
  return result;
}

}  // namespace glint
