// softmax along a dimension that is not the last: of many columns side by side.
//
//     softmax(image, dim=1)      for each place of an image, over its channels
//
// A vector holds one row of several columns, so that nothing is moved next to each other first.
#pragma once

#include "core/tensor/tensor.h"

namespace glint::ops {

/// Of float32 or float64. Both are contiguous and of the same sizes.
void softmax_columns(const Tensor& in, int64_t dim, const Tensor& out, bool logarithm);

}  // namespace glint::ops
