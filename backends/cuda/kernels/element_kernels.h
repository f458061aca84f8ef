// Copies and fills on the device: what `x.copy_(y)`, `x.contiguous()`, `x[0] = 1` come down to.
//
//     copy_elements(target, source)      one launch, whatever the strides and dtypes of the two
//
// Each is a small kernel of Kernel IR, made for the dtypes and for which strides are 0 or 1; sizes
// and other strides are arguments, so that a second shape compiles nothing.
#pragma once

#include "core/tensor/tensor.h"

namespace glint::cuda {

/// Broadcast and converted. Both are on the device, have elements, and do not overlap.
void copy_elements(const Tensor& target, const Tensor& source);
void fill_elements(const Tensor& target, const Scalar& value);

}  // namespace glint::cuda
