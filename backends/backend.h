// What every backend offers: a schedule goes in, something that runs comes out.
//
//     Result<std::unique_ptr<CompiledSchedule>> compiled = cpu_backend().compile(schedule, {});
//     std::vector<Tensor> outputs;
//     compiled.value()->run(inputs, symbols, outputs);      // as often as one likes
//
// The three kinds of step are the same for all backends and live in schedule_runner.h: launches,
// library calls and memory. A backend only says how a kernel runs. `interp` and `cpu` are one
// folder each; both give a `const Backend&`.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/support/result.h"
#include "core/support/stage_log.h"
#include "core/tensor/tensor.h"
#include "ir/kernel.h"

namespace glint {

namespace cuda {
struct ScheduleTuning;
}

struct BackendOptions {
  /// "x86-64-v3" limits generated code to AVX2; empty is the host's best. The environment variable
  /// GLINT_CPU has the same effect where this is empty.
  std::string cpu = {};
  /// Makes the stage of that name fail, for tests: "interp", "llvm", "link".
  std::string fail_stage = {};
  /// Machine code that the process, or the cache folder, has for the same kernel is taken; else it
  /// is made again.
  bool reuses_code = true;
  /// What a run launches on a GPU is recorded by the first one, and replayed as one launch.
  bool records_launches = false;
  /// Kernels on a GPU are run in several ways by the first run, and the fastest kept; what was
  /// found is left here. Null: they are run in the usual way.
  std::shared_ptr<cuda::ScheduleTuning> tuning = {};
};

/// One input of a run: a tensor, or a Python number's value.
struct RunInput {
  TensorImpl* tensor = nullptr;  ///< null for a number
  const void* number = nullptr;  ///< a double, int64 or bool, as the schedule's type says
};

/// What a run reports: nothing, or the message of the check that failed (what was stored is void,
/// the caller runs the region eagerly, which raises).
using RunStatus = std::optional<std::string_view>;

/// Times of one compile, in milliseconds.
struct CompileTimes {
  double emit = 0.0;  ///< Kernel IR to the backend's own form
  double code = 0.0;  ///< to machine code
  double link = 0.0;
};

class CompiledSchedule {
 public:
  virtual ~CompiledSchedule() = default;
  /// Runs all steps. `symbols[k]` is the value of s`k`. Fills `outputs`, one tensor an output of
  /// the schedule; an output that is itself an input is that input's tensor. Nothing is allocated
  /// but the outputs.
  virtual RunStatus run(std::span<const RunInput> inputs, std::span<const int64_t> symbols,
                        std::vector<Tensor>& outputs) = 0;
  virtual const Schedule& schedule() const = 0;
  virtual CompileTimes times() const { return {}; }
  /// The text of a lower stage (kLlvm, kAssembly), each line with its source; empty if the backend
  /// has no such stage. Made when asked for.
  virtual std::vector<StageLine> lines(Stage stage) const { return {}; }
};

class Backend {
 public:
  virtual ~Backend() = default;
  virtual std::string_view name() const = 0;
  /// The error names the stage that failed; the caller falls back to eager.
  virtual Result<std::unique_ptr<CompiledSchedule>> compile(
      const Schedule& schedule, const BackendOptions& options) const = 0;
};

}  // namespace glint
