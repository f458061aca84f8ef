// Groups to a schedule: each kernel group becomes a kernel and a launch, each library group a call;
// every value that lies in memory becomes a tensor, in a slot of its own for now.
//
//     group 0  %mul %relu %sum     ->   kernel multiply_relu_sum(%x, %y, %sum)
//     returns  %sum                     %sum = tensor f32[s0] in slot 0 (output)
//                                       launch multiply_relu_sum(%x, %y, %sum)
//
// Needs     a plan in an order that runs.
// Leaves    a schedule that verifies. Views of stored values are views of the schedule; an output
//           that is an input, a view, or another output keeps that identity.
#pragma once

#include "ir/kernel.h"
#include "passes/fuse.h"

namespace glint::passes {

Schedule lower(const Graph& graph, const FusionPlan& plan);

}  // namespace glint::passes
