// Random numbers on the device: which kernel makes those of an operator, into which memory.
//
//     torch.rand(3, device="cuda")      new memory, one launch
//     x.uniform_()                      one launch into x, where x fills its memory
//     dropout in a compiled region      one launch into the region's memory
//
// All go on from the default generator's state on the device, which the processor keeps: a launch
// takes seed and offset as arguments, so that a replayed record draws new numbers too.
#pragma once

#include "ops/op.h"

namespace glint::device {

/// Whether it is drawn here: one that draws and is no composite of draws.
bool is_draw(const ops::OpEntry& entry);
/// Whether it reads its tensors, and does not only take sizes and dtype of them.
bool reads_operands(const ops::OpEntry& entry, ops::Arguments arguments);
/// Into new memory.
ops::Outputs draw(const ops::OpEntry& entry, ops::Arguments arguments);
/// Into memory that is there; false where it has gaps.
bool draw_into(const ops::OpEntry& entry, ops::Arguments arguments,
               std::span<const Tensor> outputs);
/// Over the first argument, as in-place operators do; false where that has gaps.
bool draw_over(const ops::OpEntry& entry, ops::Arguments arguments, const Tensor& target);

}  // namespace glint::device
