// Shares memory between tensors of a schedule that do not live at the same time.
//
//     slot 0  %a  [0, 1]                slot 0  %a, %b      %b is written over %a, element by
//     element slot 1  %b  [1, 2]         ->     slot 1  %c (output) slot 2  %c  [2, end]
//
// Steps are walked in order. A tensor that a launch makes takes over the slot of an input that is
// read there for the last time, where the kernel reads each element before it writes the same place
// (`%out over %x`); else a free slot that is known to be large enough; else a new one. Inputs and
// constants are never written over. A slot that holds an output when the schedule ends leaves with
// it. Sizes may be symbolic: slots are shared where the expressions tell that they fit.
#pragma once

#include "ir/kernel.h"

namespace glint::passes {

void plan_buffers(Schedule& schedule);

/// Whether an output of a kernel may lie over an input: same type, and each element is loaded, in
/// one loop, before the store to the same indices.
bool may_share(const Kernel& kernel, BufferId input, BufferId output);

}  // namespace glint::passes
