// How far a window into memory reaches, which says what storage it needs.
//
//     bytes_reached({2, 3}, {4, 1}, 0, kFloat32)     28: the last element is number 1 * 4 + 2 * 1
#pragma once

#include "core/tensor/dims.h"
#include "core/tensor/dtype.h"

namespace glint {

/// The bytes from the storage's beginning to the last element that sizes, strides (not negative)
/// and an offset reach; 0 where there is no element. Throws `TensorMemoryError` where that is no
/// int64, as PyTorch does.
int64_t bytes_reached(IntSpan sizes, IntSpan strides, int64_t offset, DType dtype);

}  // namespace glint
