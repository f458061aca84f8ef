// What a schedule runs, in the order in which it does: every listing has that order.
//
//     call %c = mm %x, %w       matrix_product        parts[0].call
//     launch softmax            softmax_rows_to_16    parts[1].cut == 0
//                               softmax               parts[2].cut == 1
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "backends/cuda/codegen/compiled_kernel.h"
#include "backends/cuda/codegen/row_classes.h"
#include "core/support/stage_log.h"
#include "ir/kernel.h"

namespace glint::cuda {

struct ScheduleTuning;

/// A schedule as it is looked at, and as it runs: in the shapes that tuning has found, if it was
/// tuned.
struct ListedSchedule {
  ListedSchedule(const Schedule& listed, const ScheduleTuning* found);

  const Schedule& schedule;
  const ScheduleTuning* tuning;
  KernelCuts cuts;  ///< the kernels as they are launched, each in all the shapes it may run in

  bool is_tuned() const { return tuning != nullptr; }
};

/// A library call, or one of the cuts of a kernel.
struct SchedulePart {
  const LibraryCall* call = nullptr;
  size_t cut = 0;
};
/// A kernel that is launched several times stands where it is launched first.
std::vector<SchedulePart> parts_of(const ListedSchedule& listed);

/// A text of a schedule's kernels, cut into theirs.
struct KernelSections {
  std::vector<StageLine> shared;                ///< what stands in front of all
  std::vector<std::vector<StageLine>> of_cuts;  ///< one a cut

  explicit KernelSections(size_t cuts) : of_cuts(cuts) {}
  /// Adds lines; `entry_in` is the name of the kernel that begins with a line, or nothing.
  void add(std::vector<StageLine> lines, const std::vector<CompiledKernel>& compiled,
           std::string_view (*entry_in)(std::string_view line));
};

/// The sections and those of the calls, apart from each other.
std::vector<StageLine> in_order(
    const ListedSchedule& listed, KernelSections sections,
    const std::function<std::vector<StageLine>(const LibraryCall&)>& of_call);

}  // namespace glint::cuda
