// Gradients in the order in which a tensor without gaps lies in memory, and back.
//
//     base of sizes [2, 3], strides [1, 2]      the second dimension steps furthest: order [1, 0]
//     to_memory_order(g)                        g permuted to [3, 2], and contiguous
//     from_memory_order(that)                   sizes [2, 3] again, with the base's strides
#pragma once

#include <vector>

#include "core/tensor/dims.h"
#include "ir/op_builder.h"

namespace glint::autograd {

/// The dimensions of a tensor without gaps, the one with the largest stride first.
std::vector<SymInt> storage_order(const Dims& strides);

OpValue to_memory_order(OpBuilder& b, OpValue gradient, const Dims& strides);
OpValue from_memory_order(OpBuilder& b, OpValue gradient, const Dims& strides);

}  // namespace glint::autograd
