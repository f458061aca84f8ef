// Which values later kernels make again from what they were made of, instead of reading them.
//
//     %sub = subtract %x, %mean       a kernel that sums       sub = load %x[i] - load %mean
//     %var = sum (%sub * %sub)        ... sum += sub * sub     (no store of %sub)
//     %out = multiply %sub, %rsqrt    a kernel behind it       sub = load %x[i] - load %mean
//
// Both kernels would move as many bytes for %sub as they do for %x, and one of them would store it
// first: a store less, for a subtraction more.
//
// Needs     groups as fusion merged them.
// Leaves    nodes in no group, with a decision each: light pointwise ones of a kernel, in each case
//           with those of the kernel that they are made of, that other kernels read as they are,
//           where that is no more memory to read for any of them.
#pragma once

#include "passes/fuse.h"

namespace glint::passes {

/// Takes such nodes out of the groups of `plan`; groups may be left without members.
void read_again(const Graph& graph, FusionPlan& plan, std::vector<FusionDecision>& decisions,
                bool on_device);

}  // namespace glint::passes
