// Writing by index on a device, a launch each: `scatter`, `scatter_add`, `index_copy`, `index_add`,
// `index_fill`, `index_put` and `one_hot`.
//
//     index_put(x, [None, i, j], values)       x[:, i, j] = values
//     one_hot(i, 3)                            rows of zeros in which each index puts a 1
//
// All of them come down to one kernel (backends/cuda/kernels/index_kernels.h), which counts indices
// below 0 from the end where the operator does, puts several together, and checks them.
#pragma once

#include <span>

#include "ops/op.h"

namespace glint::device {

/// `scatter` and what writes whole slices: into new memory, or over the first argument.
void scatter(const ops::OpEntry& entry, ops::Arguments arguments, std::span<const Tensor> outputs);
bool scatter_over(const ops::OpEntry& entry, ops::Arguments arguments);

ops::Outputs index_put(const ops::OpEntry& entry, ops::Arguments arguments);
bool index_put_over(const ops::OpEntry& entry, ops::Arguments arguments);

ops::Outputs one_hot(const ops::OpEntry& entry, ops::Arguments arguments);
void one_hot_into(const ops::OpEntry& entry, ops::Arguments arguments,
                  std::span<const Tensor> outputs);

/// A list of indices where the indexed tensor is: the processor's are moved to a device, none comes
/// from there; masks become the places that they name.
ops::Argument indices_near(const ops::Argument& list, const Tensor& x);

}  // namespace glint::device
