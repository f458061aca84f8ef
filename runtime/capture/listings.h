// Recipes of the stage log that keep what a capture decided, as passes/listings.h has them for what
// the passes made. Lenses want the lines; who counts (library/glint/course.py) asks for the record:
//
//     artifact.lines()                                    the text of `:breaks`
//     artifact.lines.target<BreakListing>()->what.id      which one it is
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/support/diagnostic.h"
#include "core/support/stage_log.h"
#include "ir/kernel.h"
#include "runtime/capture/region.h"

namespace glint::cuda {
struct ScheduleTuning;
}

namespace glint::capture {

/// `:guards`: what a region takes for granted.
struct GuardListing {
  std::string title;
  std::vector<StageLine> guards;
  /// Why the entries before it would not do, a line each; empty for a first one.
  std::string recompiled;
  std::shared_ptr<const uint64_t> hits;

  std::vector<StageLine> operator()() const;
};

/// `:breaks`: what ended a region before its function returned, or why it is not kept.
struct BreakListing {
  Diagnostic what;
  bool ends_region = true;
  /// The called function that it is in, whose regions go on behind it; empty: the region's own.
  std::string inside = {};

  std::vector<StageLine> operator()() const;
};

/// `:time`: what each step of a compile cost.
struct TimeListing {
  std::string title;
  std::string_view span;  ///< from where to where
  std::vector<StageTime> times;
  double total = 0.0;

  std::vector<StageLine> operator()() const;
};

/// `:kernels`: the loop nests and the schedule; on a GPU, how each kernel is launched there.
struct KernelListing {
  std::shared_ptr<const Schedule> schedule;
  bool near = true;  ///< the tensors are in the processor's memory
  /// What its kernels were found to run best in; null where nobody asked.
  std::shared_ptr<const cuda::ScheduleTuning> tuning = {};

  std::vector<StageLine> operator()() const;
};

}  // namespace glint::capture
