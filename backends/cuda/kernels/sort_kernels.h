// Sorting on the device: kernels written by hand.
//
//     sort_along(x, 0, false, {&values, &places})          in order along a dimension
//     sort_along(x, 0, true, {nullptr, &places})           only where elements were
//     sort_along(x, 0, true, {&values, &places, 3})        from the fourth on, as many as fit
//     find_modes(x, 0, values, places)                     what is there most often
//
// A block sorts 1024 elements in shared memory, a part of a row or some short rows, and further
// launches merge such parts, twice as long each time. Equals keep their order, and NaN is the
// greatest. Everything is read and written where it lies, whatever its strides.
#pragma once

#include "core/tensor/tensor.h"

namespace glint::cuda {

/// What of the sorted elements is wanted, and where it goes: tensors of the sorted one's sizes, but
/// for how many along the dimension.
struct SortedPart {
  const Tensor* values = nullptr;  ///< null: not wanted
  const Tensor* places = nullptr;  ///< int64
  int64_t first = 0;               ///< of the sorted elements
};
/// A tensor without dimensions is a row of one element.
void sort_along(const Tensor& x, int64_t dim, bool descending, const SortedPart& part);

/// The least of the most frequent elements along a dimension, and the last place of each; results
/// have a size of 1 there. NaN equals nothing.
void find_modes(const Tensor& x, int64_t dim, const Tensor& values, const Tensor& places);

}  // namespace glint::cuda
