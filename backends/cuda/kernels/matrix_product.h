// Matrix products on the device, with what follows them: by NVIDIA's library where it is found and
// the device is a real one, else by a kernel of ours.
//
//     multiply(a, b, out);                                       out = a @ b, or batches of them
//     multiply(a, b, out, {.added = &c, .activation = "relu"});  out = relu(a @ b + c)
//
//   1. floats that cuBLASLt takes as they lie are its own (libraries/cublas_lt.h), what is added,
//      relu and the tanh form of gelu too; another activation is one more launch behind it;
//   2. integers, strides that it does not take, the simulated device and a machine without the
//      library have the tiled kernel (matrix_kernel.h), which does every activation in its launch.
#pragma once

#include <cstdint>

#include "backends/cuda/kernels/product_epilogue.h"
#include "core/tensor/tensor.h"

namespace glint::cuda {

/// Two matrices or two batches of them, of one dtype, into memory that overlaps neither. An
/// epilogue is for floats, and a contiguous `out`, which may be what it adds.
void multiply(const Tensor& a, const Tensor& b, const Tensor& out,
              const ProductEpilogue& epilogue = {});

/// Whether a library computes products of a dtype, of tensors that it takes as they lie.
bool multiplies_by_library(DType dtype);

/// Whether a library may round operands of float32 to 10 bits of fraction (TF32); at first not.
void allow_tf32(bool allowed);

/// How many products and convolutions NVIDIA's libraries computed since the start.
uint64_t library_call_count();
void count_library_call();

}  // namespace glint::cuda
