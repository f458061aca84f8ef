// The last step of fusion: what each group has to store, because another group or the region's
// caller reads it, itself or through nodes that readers compute again; and which groups are needed
// at all.
//
//     group 0: %e = exp %x, %s = sum %e      group 1: %q = log %s      returns %q
//
// stores %s of group 0, not %e, and %q of group 1.
#pragma once

#include "passes/fuse.h"

namespace glint::passes {

/// Fills in the outputs of each group, and drops groups that were merged away or that nobody needs
/// anything from.
void collect_outputs(const Graph& graph, FusionPlan& plan);

}  // namespace glint::passes
