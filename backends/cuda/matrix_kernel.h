// Matrix products on the device: one kernel, by tiles in shared memory.
//
//     multiply(a, b, out)        out[i, j] = sum over k of a[i, k] * b[k, j]; or batches of them
//
// A block makes a tile of 16 by 16 elements of `out`, and reads tiles of `a` and `b` as large, each
// along the side that lies in order in memory. Sums run in order of k, in float for the 16-bit
// floats; each step is one fused multiply-add.
#pragma once

#include <string>

#include "core/tensor/tensor.h"

namespace glint::cuda {

/// Two matrices or two batches of them, of one dtype, into memory that overlaps neither.
void multiply(const Tensor& a, const Tensor& b, const Tensor& out);

/// The text for a dtype.
std::string matrix_product_text(DType dtype);

}  // namespace glint::cuda
