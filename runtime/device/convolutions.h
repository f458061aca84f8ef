// Convolutions and their gradients on a device: by NVIDIA's library where it is found, else by a
// kernel of ours, or as the products that their decompositions come down to.
//
//     convolution(entry, {x, w, b, stride, padding, dilation, ...})
#pragma once

#include <span>

#include "ops/op.h"

namespace glint::device {

/// Of `convolution`, `convolution_of_input` and `convolution_of_weight`.
ops::Outputs convolution(const ops::OpEntry& entry, ops::Arguments arguments);
/// Into a ready output; false where that is what its decomposition does, or the operator another
/// one.
bool run_convolution_into(const ops::OpEntry& entry, ops::Arguments arguments,
                          std::span<const Tensor> outputs);

}  // namespace glint::device
