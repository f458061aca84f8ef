// Writing by index and sorting on the device: kernels written by hand.
//
//     scatter_elements(out, 0, index, source, true)     out[index[i]] += source[i]
//     sort_rows(values, places, ...)                    rows in order, and where they were
//
// A thread writes all elements of one line along the dimension, in their order: what is added to
// one place is added as on the processor, and no two threads write the same place. Rows are sorted
// by merging runs, each twice as long as those before; equals keep their order, and NaN is the
// greatest.
#pragma once

#include "core/tensor/tensor.h"

namespace glint::cuda {

/// `index` (int64) and `source` are contiguous and alike in size. False: an index is out of range,
/// as far as that is known when this returns (launch_checks.h).
bool scatter_elements(const Tensor& out, int64_t dim, const Tensor& index, const Tensor& source,
                      bool adds);

/// Sorts each row of a contiguous tensor into `values` and, as int64, `places`, which are
/// contiguous too.
void sort_rows(const Tensor& rows, const Tensor& values, const Tensor& places, bool descending);

}  // namespace glint::cuda
