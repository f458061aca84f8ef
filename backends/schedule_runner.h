// Runs a schedule: memory, launches and library calls, the same for every backend.
//
// A backend hands over one `RunnableKernel` a kernel. What depends on the symbols (sizes, offsets,
// scratch, whether to use several threads) is a plan; the plans of the last few values are kept, so
// a call of known sizes does this and no more:
//
//   1. makes the output tensors;
//   2. fills in the addresses of inputs, outputs and the workspace;
//   3. calls each step's function.
//
// The workspace comes from a pool (workspace.h), never from the schedule, so that a schedule may be
// run again while it runs.
#pragma once

#include <functional>
#include <memory>
#include <stdexcept>
#include <unordered_map>
#include <vector>

#include "backends/backend.h"
#include "backends/library_call.h"
#include "core/support/recovery.h"

namespace glint {

/// Runs the part [begin, end) of the parallel loop that is the whole kernel, or of the shares of
/// several (of a kernel that is no such loops: all of it, in one go). Returns 0, or one more than
/// the number of the `check` statement that failed.
using KernelFunction = int32_t (*)(const void* context, std::byte* scratch,
                                   std::byte* const* parameters, const int64_t* sizes,
                                   int64_t begin, int64_t end);

struct RunnableKernel {
  KernelFunction function = nullptr;
  const void* context = nullptr;
  /// What `sizes` holds, in order.
  std::vector<SymInt> size_expressions;
  /// Bytes of `scratch` for each thread.
  SymInt scratch_bytes = 0;
  /// Of what a call does a part: the extent of the parallel loop that is the whole kernel, or the
  /// shares of several loops; nothing where every call does all.
  std::optional<SymInt> thread_extent;
  /// Iterations of it that the code does at once: a call begins at a multiple, and ends at one or
  /// at the end of all.
  int64_t stretch = 1;
  /// Every call is of all iterations, or of so many from the first: whoever runs them divides them
  /// up as it likes.
  bool is_launched_whole = false;
  /// Roughly how many scalar operations the whole kernel executes.
  SymInt work = 1;
  /// Machine code that owns nothing: a call of it may be left from anywhere (recovery.h).
  bool owns_nothing = false;
};

/// A launch ended in a crash. What it was to write is void.
struct KernelCrash : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Code made at run time has no signature ahead of it that the sanitizer could compare.
[[clang::no_sanitize("function")]] inline int32_t call_kernel(const RunnableKernel& kernel,
                                                              std::byte* scratch,
                                                              std::byte* const* parameters,
                                                              const int64_t* sizes, int64_t begin,
                                                              int64_t end) {
  return kernel.function(kernel.context, scratch, parameters, sizes, begin, end);
}

/// What a guarded call of a kernel gives where it did not come to its end.
inline constexpr int32_t kEndedByFault = -1;

/// The same in parts, between which Ctrl-C is looked for, and with a recovery point where the
/// kernel allows one. What ended it is `last_fault`.
int32_t call_guarded(const RunnableKernel& kernel, std::byte* scratch, std::byte* const* parameters,
                     const int64_t* sizes, int64_t begin, int64_t end);
recovery::Fault last_fault();

class ScheduleRunner final : public CompiledSchedule {
 public:
  /// Kept alive as long as the kernels may be called.
  using Keeper = std::shared_ptr<void>;
  /// `device`: where the kernels run; the tensors, the constants and the workspace are there.
  ScheduleRunner(const Schedule& schedule, std::vector<RunnableKernel> kernels, Keeper keeper,
                 Device device = Device::cpu());

  RunStatus run(std::span<const RunInput> inputs, std::span<const int64_t> symbols,
                std::vector<Tensor>& outputs) override;
  const Schedule& schedule() const override { return schedule_; }
  CompileTimes times() const override { return times_; }
  std::vector<StageLine> lines(Stage stage) const override {
    return lines_ ? lines_(stage) : std::vector<StageLine>();
  }

  void set_times(CompileTimes times) { times_ = times; }
  void set_lines(std::function<std::vector<StageLine>(Stage)> lines) { lines_ = std::move(lines); }

 private:
  struct PlannedList {
    int64_t extent = 1;
    int64_t grain = 0;  ///< iterations that are worth a thread; 0: never split
  };
  struct PlannedLaunch {
    uint32_t kernel = 0;
    uint32_t lists = 1;
    size_t first_list = 0;    ///< in `lists`
    size_t first_size = 0;    ///< in `sizes`
    int64_t lists_grain = 0;  ///< lists that are worth a thread; 0: one after the other
    bool splits = false;      ///< some list is split
    size_t scratch_bytes = 0;
  };
  struct PlannedTensor {
    Dims sizes;
    Dims strides;
    int64_t view_offset = 0;  ///< bytes
    size_t workspace_offset = 0;
    Tensor wrapped;  ///< on what was its memory when a library call last took it; null: never
  };

  /// What follows from the symbols' values.
  struct Plan {
    std::vector<int64_t> symbols;
    std::vector<int64_t> sizes;  ///< the `sizes` argument of each launch, one after the other
    std::vector<PlannedLaunch> launches;  ///< by step
    std::vector<PlannedList> lists;       ///< those of each launch, one behind the other
    std::vector<PlannedTensor> tensors;
    size_t workspace_bytes = 0;
  };
  static constexpr size_t kMostPlans = 16;

  void find_outputs();
  void select_plan(std::span<const int64_t> symbols);
  /// Fills `shape_symbols_`.
  void find_shape_symbols();
  /// Other values for symbols that only kernels compute with: the shapes stay.
  void refresh(Plan& plan, std::span<const int64_t> symbols) const;
  void fill(Plan& plan, std::span<const int64_t> symbols) const;
  PlannedLaunch plan_launch(const Launch& launch, Plan& plan) const;
  void make_outputs(std::span<const RunInput> inputs);
  void fill_pointers(std::span<const RunInput> inputs, std::byte* workspace);
  void give_outputs(std::span<const RunInput> inputs, std::vector<Tensor>& outputs);
  static PlannedList plan_list(int64_t extent, int64_t work, int64_t stretch);
  RunStatus launch(const Launch& step, const PlannedLaunch& planned);
  /// The same on a device, which says more of a check that failed than which one it was.
  RunStatus launch_far(const Launch& step, const PlannedLaunch& planned);
  int32_t launch_on_threads(const PlannedLaunch& planned, size_t parameters);
  /// Throws what ended a guarded launch.
  [[noreturn]] void report_fault(const PlannedLaunch& planned) const;
  // schedule_libraries.cpp
  RunStatus call_library(PreparedLibraryCall& call, std::span<const RunInput> inputs);
  /// A tensor on memory that the run owns, for a library call.
  Tensor wrap(TensorId id) const;
  /// The same as in the last run, if the memory is.
  const Tensor& wrapped(TensorId id);
  bool take_result(TensorId id, const Tensor& result);

  void move_constants();
  Tensor output_tensor(TensorId id, std::span<const RunInput> inputs);

  Schedule schedule_;
  std::vector<RunnableKernel> kernels_;
  std::vector<std::unique_ptr<PreparedLibraryCall>> library_calls_;  ///< by step; null: a launch
  Keeper keeper_;
  Device device_;
  /// By tensor: a constant's elements on an accelerator.
  std::unordered_map<size_t, Tensor> moved_constants_;
  CompileTimes times_;
  std::function<std::vector<StageLine>(Stage)> lines_;
  std::vector<uint32_t> output_owner_;  ///< by slot: the tensor that is made for it
  std::vector<TensorId> slot_outputs_;  ///< tensors to make in each run

  std::vector<bool> needs_shape_;  ///< by tensor: it becomes a `Tensor` in some run
  /// Each output is a tensor that the run makes, and no two are the same one.
  bool outputs_are_made_ = true;

  /// The symbols that decide on shapes; others are numbers, which may change with each run.
  std::vector<uint32_t> shape_symbols_;
  bool calls_libraries_ = false;
  std::vector<uint32_t> used_symbols_;  ///< those, and what kernels and library calls compute with
  std::vector<std::unique_ptr<Plan>> plans_;
  Plan* plan_ = nullptr;  ///< of the run at hand, and most likely of the next
  size_t oldest_plan_ = 0;

  std::vector<std::byte*> pointers_;    ///< by tensor
  std::vector<std::byte*> parameters_;  ///< of the launch at hand, list behind list
  std::vector<Tensor> made_;            ///< by slot: the output tensors of this run
  std::vector<Tensor> taken_;  ///< results of this run's library calls that it goes on with
  /// By tensor: the constants that leave in this run, each copied once for all that show it.
  std::unordered_map<size_t, Tensor> constants_;
  std::string failed_check_;  ///< on a device, of the last run, for its status
};

}  // namespace glint
