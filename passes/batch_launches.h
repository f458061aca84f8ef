// Launches of like kernels that do not depend on one another become one launch, which runs the code
// of one kernel on several lists of tensors: an optimiser's updates of all parameters.
//
//     launch update(%g, %p, %p1)             launch update(%g, %p, %p1)
//     launch update_k2(%h, %q, %q1)     ->      and (%h, %q, %q1) for 64
//     launch add(%x, %y)                     launch add(%x, %y)
//
// It is for the processor: a device would launch each list for itself
// (`PipelineOptions::on_device`).
//
// What it saves, as measured: a launch costs some 10 ns, a kernel some milliseconds of compiling.
// So kernels are worth sharing wherever one code serves several: those that are equal but for
// names, and flat ones of any length, which the code of the longest runs. Loops that are not alike
// share nothing but the 10 ns, and in one kernel they could not be split over threads: they stay
// apart.
//
// A launch moves up to the one that it joins, past other launches only: never past a library call,
// as its tensors would live longer, nor past a check, behind which updates are written in place. A
// launch of more than `kNearBytes` does not come between a kernel and the reader of its results,
// which finds them in the first-level cache.
//
// Needs     flat loops (collapse_axes) and a slot of its own for each tensor.
// Leaves    a decision about each launch that might have joined another, with its reason.
#pragma once

#include <span>

#include "ir/graph.h"
#include "ir/kernel.h"
#include "passes/pass_log.h"
#include "passes/plan_buffers.h"

namespace glint::passes {

/// More than this does not stay in the first-level cache beside something else.
inline constexpr int64_t kNearBytes = 1 << 15;

void batch_launches(Schedule& schedule, const Graph& graph, std::span<const Update> updates,
                    std::vector<FusionDecision>& decisions);

}  // namespace glint::passes
