#include "backends/cpu/cpu_backend.h"

#include <cstdlib>
#include <deque>
#include <map>

#include "backends/cpu/jit.h"
#include "backends/statement_margin.h"
#include "core/support/check.h"
#include "core/support/fail_stage.h"
#include "core/support/interruption.h"

namespace glint {
namespace {

using cpu::CodeModule;

/// Machine code by the text of a kernel and its target; the oldest go.
class KernelCache {
 public:
  struct Entry {
    RunnableKernel kernel;
    std::shared_ptr<CodeModule> code;
  };
  static constexpr size_t kMost = 512;

  const Entry* find(const std::string& key) const {
    const auto found = entries_.find(key);
    return found == entries_.end() ? nullptr : &found->second;
  }
  void add(const std::string& key, Entry entry) {
    if (!entries_.emplace(key, std::move(entry)).second) return;
    order_.push_back(key);
    if (order_.size() > kMost) {
      entries_.erase(order_.front());
      order_.pop_front();
    }
  }

 private:
  std::map<std::string, Entry> entries_;
  std::deque<std::string> order_;
};

/// Keeps the code of all kernels of a schedule.
struct Kept {
  std::vector<std::shared_ptr<CodeModule>> code;
};

std::string target_of(const BackendOptions& options) {
  if (!options.cpu.empty()) return options.cpu;
  const char* limit = std::getenv("GLINT_CPU");
  return limit == nullptr ? std::string() : std::string(limit);
}

std::vector<StageLine> stage_lines(const Schedule& schedule, const std::string& target,
                                   Stage stage) {
  if (stage != Stage::kLlvm && stage != Stage::kAssembly) return {};
  if (schedule.kernels.empty()) return {{"no kernel: library calls and views do all of it", {}}};
  std::vector<const Kernel*> kernels;
  for (const Kernel& kernel : schedule.kernels) kernels.push_back(&kernel);
  std::vector<StageLine> lines;
  for (cpu::ListedLine& listed : cpu::list_kernels(kernels, target, stage)) {
    if (listed.statement == ~0u)
      lines.push_back({std::move(listed.text), {}});
    else
      lines.push_back(with_margin(std::move(listed.text), ";", schedule.kernels[listed.kernel],
                                  listed.statement));
  }
  return lines;
}

/// What `GLINT_FAIL=launch` runs in place of a kernel.
int32_t crash(const void*, std::byte*, std::byte* const*, const int64_t*, int64_t, int64_t) {
  *reinterpret_cast<volatile int32_t*>(uintptr_t{16}) = 1;  // NOLINT: no memory is there
  return 0;
}

class CpuBackend final : public Backend {
 public:
  std::string_view name() const override { return "cpu"; }

  Result<std::unique_ptr<CompiledSchedule>> compile(const Schedule& schedule,
                                                    const BackendOptions& options) const override {
    try {
      return compile_schedule(schedule, options);
    } catch (const InternalError& error) {
      return Error{std::string("llvm: ") + error.what()};
    } catch (const interruption::Interrupted& error) {
      return Error{std::string("llvm: ") + error.what()};
    }
  }

 private:
  static Result<std::unique_ptr<CompiledSchedule>> compile_schedule(const Schedule& schedule,
                                                                    const BackendOptions& options) {
    // Never destroyed: code may be held until the process ends.
    static KernelCache& cache = *new KernelCache;
    const std::string target = target_of(options);
    const bool reuses_code = options.reuses_code && options.fail_stage.empty();
    std::vector<RunnableKernel> runnable(schedule.kernels.size());
    auto kept = std::make_shared<Kept>();
    std::vector<const Kernel*> missing;
    std::vector<size_t> places;
    std::vector<std::string> keys;
    for (size_t i = 0; i < schedule.kernels.size(); ++i) {
      const std::string key = target + "\n" + print(schedule.kernels[i]);
      if (const auto* found = reuses_code ? cache.find(key) : nullptr) {
        runnable[i] = found->kernel;
        kept->code.push_back(found->code);
        continue;
      }
      missing.push_back(&schedule.kernels[i]);
      places.push_back(i);
      keys.push_back(key);
    }
    CompileTimes times;
    if (!missing.empty()) {
      auto compiled = cpu::compile_kernels(
          missing, {.target = target, .failing = options.fail_stage, .reuses_code = reuses_code});
      if (!compiled) return compiled.error();
      for (size_t k = 0; k < missing.size(); ++k) {
        runnable[places[k]] = compiled->kernels[k];
        cache.add(keys[k], {compiled->kernels[k], compiled->code});
      }
      kept->code.push_back(compiled->code);
      times = compiled->times;
    }
    if (options.fail_stage == fail_stage::kLaunch)
      for (RunnableKernel& each : runnable) each.function = crash;
    auto runner = std::make_unique<ScheduleRunner>(schedule, std::move(runnable), kept);
    runner->set_times(times);
    runner->set_lines([made = runner.get(), target](Stage stage) {
      return stage_lines(made->schedule(), target, stage);
    });
    return std::unique_ptr<CompiledSchedule>(std::move(runner));
  }
};

}  // namespace

const Backend& cpu_backend() {
  static const CpuBackend backend;
  return backend;
}

}  // namespace glint
