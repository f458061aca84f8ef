// Where a mask is true: a kernel written by hand, behind a running count.
//
//     truth    0 1 0 1 1            counts  0 1 1 2 3
//     places   1 3 4
//
// Of a mask of several dimensions the places have a column for each of them, one behind the other.
#pragma once

#include "core/tensor/tensor.h"

namespace glint::cuda {

/// `truth`: contiguous, of bools; `counts`: int64, how many are true up to each of its elements.
/// `places`: int64, contiguous, as many rows of all dimensions as there are true elements.
void write_true_places(const Tensor& truth, const Tensor& counts, const Tensor& places);

}  // namespace glint::cuda
