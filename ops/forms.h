// In-place and out= forms, generated from a functional entry: they run it and put the result where
// it belongs, with PyTorch's checks on shape and dtype.
//
//     x.mul_(y)                   multiply_: computes x * y into x's memory
//     torch.mul(x, y, out=z)      multiply.out: resizes z if it must, writes x * y into it
#pragma once

#include "ops/op.h"

namespace glint::ops {

std::vector<TensorType> infer_in_place(const OpEntry& entry, InferArguments arguments);
std::vector<TensorType> infer_out(const OpEntry& entry, InferArguments arguments);
Outputs eager_in_place(const OpEntry& entry, Arguments arguments);
Outputs eager_out(const OpEntry& entry, Arguments arguments);
/// PyTorch's errors for a write whose result would depend on the order of its elements.
[[noreturn]] void throw_repeated_target();
[[noreturn]] void throw_partial_overlap();
/// Generated forms are tried through the samples of what they come from.
std::vector<Sample> no_samples(const OpEntry& entry);

}  // namespace glint::ops
