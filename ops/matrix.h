// What products of matrices share with sums that have one (affine.cpp): checks, types, gradients.
#pragma once

#include <vector>

#include "ops/gradient.h"
#include "ops/op.h"

namespace glint::ops {

inline constexpr Tolerance kProducts = {.relative = 1e-4, .absolute = 1e-5};

/// Throws, as the operator `name`, where they are no matrices or do not fit together.
void check_shapes(const char* name, const TensorType& a, const TensorType& b);
std::vector<TensorType> infer_mm(const OpEntry& entry, InferArguments arguments);
/// Of the product alone: a multiply and an add for each element of a row of the first matrix.
SymInt product_operations(InferArguments arguments, const TensorType& result);

/// Writes `activation(input @ mat2 + bias)`, the operator `mm_epilogue`, into contiguous memory.
void run_mm_epilogue(Arguments arguments, const Tensor& out);

/// A saved matrix, or batch of them, transposed.
OpValue turned(GradientCall& g, const char* parameter);
/// The gradient of the second of two matrices. One that is a transpose (a layer's weight) gets the
/// transpose of a product, so that the gradient of what was transposed lies in order.
OpValue second_gradient(GradientCall& g, const char* first);

}  // namespace glint::ops
