// Extremes, and logarithms of sums of exponentials, so far along rows, by kernels written by hand.
//
//     running_extremes(x, 0, true, values, places)    rows 1 3 2: values 1 3 3, places 0 1 1
//
// A block takes a row, 256 elements at a time. Each warp finds for its 32 elements what has won up
// to each of them, in five shuffles, and the winners of the warps before it and of the elements
// before follow. Of equals the last one counts; NaN wins over all, and stays.
#pragma once

#include "core/tensor/tensor.h"

namespace glint::cuda {

/// All three are of the same sizes and of any strides; `places` are int64, numbers along a row.
void running_extremes(const Tensor& x, int64_t dim, bool greatest, const Tensor& values,
                      const Tensor& places);

/// log(exp(x[0]) + ... + exp(x[i])) along a dimension, in float64; both are contiguous.
void running_log_sums(const Tensor& x, const Tensor& sums, int64_t dim);

}  // namespace glint::cuda
