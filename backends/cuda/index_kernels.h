// Writing by index on the device: a kernel written by hand.
//
//     scatter_elements(out, 0, index, source, true)     out[index[i]] += source[i]
//
// A thread writes all elements of one line along the dimension, in their order: what is added to
// one place is added as on the processor, and no two threads write the same place.
#pragma once

#include "core/tensor/tensor.h"

namespace glint::cuda {

/// `index` (int64) and `source` are contiguous and alike in size. False: an index is out of range,
/// as far as that is known when this returns (launch_checks.h).
bool scatter_elements(const Tensor& out, int64_t dim, const Tensor& index, const Tensor& source,
                      bool adds);

}  // namespace glint::cuda
