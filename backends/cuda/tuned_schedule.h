// A schedule that is tuned by its first run, for `mode="max-autotune"`.
//
//     tuned_schedule(schedule, tuning, [](const std::vector<LaunchShape>& shapes) { ... })
//
//   1. The first run for some sizes looks for what was found before, by each kernel's text, the
//      device and the sizes (tuning.h).
//   2. Where something is missing, the candidates of those kernels are compiled as one program, and
//      the run tries each on what it is called with (tune_run.h); matrix products try their tiles.
//   3. The fastest are compiled as one program, which every later run for such sizes takes.
//
// A run in which a check failed, or a trial, finds nothing: the next one tries again.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "backends/backend.h"
#include "backends/cuda/tuning/tuning.h"

namespace glint::cuda {

/// Compiles the schedule's kernels in those shapes.
using MakeSchedule = std::function<Result<std::unique_ptr<CompiledSchedule>>(
    const std::vector<LaunchShape>& shapes)>;

std::unique_ptr<CompiledSchedule> tuned_schedule(const Schedule& schedule,
                                                 std::shared_ptr<ScheduleTuning> tuning,
                                                 MakeSchedule make);

}  // namespace glint::cuda
