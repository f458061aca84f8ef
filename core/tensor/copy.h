// Copying, filling and converting: the kernels that move memory.
//
// Contiguous runs move as blocks or vector loops, at memory speed, on all threads when they are
// long; other layouts go through `StridedLoop` (strided_loop.h). Where one side is on an
// accelerator, that moves the elements (accelerator.h).
//
//     copy(target, source);            // target.copy_(source): broadcasts and converts
//     Tensor y = convert(x, DType::kBFloat16);
#pragma once

#include "core/tensor/tensor.h"

namespace glint {

/// Writes `source`, broadcast to the sizes of `target` and converted to its dtype, into `target`,
/// and bumps its version. Overlapping memory reads as before the write.
void copy(const Tensor& target, const Tensor& source);
/// Writes one value everywhere and bumps the version.
void fill(const Tensor& target, const Scalar& value);
/// The tensor itself if it is row-major, else a row-major copy.
Tensor contiguous(const Tensor& tensor);
/// A copy in memory of its own; dense layouts keep their strides, others become row-major.
Tensor clone(const Tensor& tensor);
/// The tensor itself if it has that dtype, else a converted copy.
Tensor convert(const Tensor& tensor, DType dtype);
/// A converted copy in any case.
Tensor convert_copy(const Tensor& tensor, DType dtype);

}  // namespace glint
