// Which nodes no kernel stores, because whoever reads them computes them again.
//
//     %a = arange 8                                  one kernel on a device:
//     %from = clamp_min (%a - 2), 0                    parallel i in 0..4 { parallel j in 0..8 {
//     %out = index_select %x, 1, %from                   from = maximum (j - 2), 0
//                                                        ... load %x[i, from]
//
// Needs     groups as fusion merged them.
// Leaves    nodes in no group, with a decision each: cheap pointwise ones that read what is given;
//           a join that only a join reads; and all of a group that is pointwise and has one reader,
//           where that is a join, which computes as it copies, or, on a device, a kernel that could
//           not share its loops: it reads through a view that moves elements, or over more axes.
//           There a launch, a store and a load cost more than to do a little again.
#pragma once

#include "passes/fuse.h"

namespace glint::passes {

/// Takes such nodes out of the groups of `plan`; groups may be left without members.
void recompute(const Graph& graph, FusionPlan& plan, std::vector<FusionDecision>& decisions,
               bool on_device);

}  // namespace glint::passes
