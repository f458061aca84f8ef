// Matrix products on the device by a kernel of our own, by tiles in shared memory.
//
//     multiply_by_kernel(a, b, out)        out[i, j] = sum over k of a[i, k] * b[k, j]; or batches
//
// A block makes a tile of 16 by 16 elements of `out`, and reads tiles of `a` and `b` as large, each
// along the side that lies in order in memory. Sums run in order of k, in float for the 16-bit
// floats; each step is one fused multiply-add. What follows the product is done before it is
// written (product_epilogue.h).
#pragma once

#include <string>

#include "backends/cuda/product_epilogue.h"
#include "core/tensor/tensor.h"

namespace glint::cuda {

/// Two matrices or two batches of them, of one dtype, into memory that overlaps neither. An
/// epilogue is for floats.
void multiply_by_kernel(const Tensor& a, const Tensor& b, const Tensor& out,
                        const ProductEpilogue& epilogue = {});

/// The text for a dtype, and a form of what follows.
std::string matrix_product_text(DType dtype, const EpilogueForm& form = {});

}  // namespace glint::cuda
