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
//
// An update, an output that is the new value of an input, is written into the input's memory by the
// launch that computes it, where nothing reads the old value later and nothing can fail any more:
// from there on no library call and no check of values. Where the old value does not matter then,
// it is written by any step, a library call too. Where the input has strides of its own, it is
// stored with them. Else it is an output like others, which the caller copies.
#pragma once

#include <span>

#include "ir/kernel.h"

namespace glint::passes {

/// An output of a schedule that is the new value of one of its inputs, by number.
struct Update {
  uint32_t output = 0;
  uint32_t input = 0;
  /// Once something has failed the input may be anything: it need not keep its value until nothing
  /// can fail any more.
  bool may_be_void = false;
};

void plan_buffers(Schedule& schedule, std::span<const Update> updates = {});

/// Whether an output of a kernel may lie over an input: same type, and each element is loaded, in
/// one loop, before the store to the same indices.
bool may_share(const Kernel& kernel, BufferId input, BufferId output);

}  // namespace glint::passes
