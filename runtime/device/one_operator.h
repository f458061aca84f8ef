// One operator on a device: a graph of one call, through the same passes as any region.
//
//     torch.softmax(x, 1)        graph of %x: f32[s0, s1] and one call  ->  schedule  ->  launches
//
// Sizes are symbols (of one tensor each its own, of two tensors equal ones in the same place share
// one; 0 and 1 are themselves), numbers of pointwise operators are inputs, so that a second shape
// or number compiles nothing. What was compiled is kept by the operator, the dtypes, ranks and
// layouts of its tensors and its other arguments; where a rule had to decide about sizes, its
// answer goes with it and is checked at each call.
#pragma once

#include <vector>

#include "ops/op.h"

namespace glint::device {

/// Operands of no dimensions may be on the processor: here they are moved.
std::vector<ops::Argument> with_operands_near(ops::Arguments arguments, Device device);

/// The results, in the device's memory. Operands of no dimensions may be on the processor, and go
/// into the launch as numbers. Throws what eager execution would.
ops::Outputs run_operator(const ops::OpEntry& entry, ops::Arguments arguments);

/// Computes an operator into memory that is there, one of the arguments' or other memory; false,
/// and nothing written, where the result does not go into it, or arguments show parts of it.
bool run_operator_into(const ops::OpEntry& entry, ops::Arguments arguments, const Tensor& target);

}  // namespace glint::device
