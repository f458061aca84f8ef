// Convolutions and their gradients on a device: by NVIDIA's library where it is found, else by the
// kernels that their decompositions become.
//
//     convolution(entry, {x, w, b, stride, padding, dilation, ...})
#pragma once

#include <span>

#include "ops/op.h"

namespace glint::device {

/// Of `convolution`, `convolution_of_input` and `convolution_of_weight`.
ops::Outputs convolution(const ops::OpEntry& entry, ops::Arguments arguments);
/// Into a ready output; false where that is not the library's, or the operator another one.
bool run_convolution_into(const ops::OpEntry& entry, ops::Arguments arguments,
                          std::span<const Tensor> outputs);

}  // namespace glint::device
