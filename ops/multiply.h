// Products of matrices in memory: the tuned library for floats, plain loops for integers.
//
//     multiply(a, b, nullptr, out)             out = a @ b
//     multiply(a, b, &bias, out, "relu")       out = relu(a @ b + bias), written once
#pragma once

#include <string_view>

#include "core/tensor/tensor.h"

namespace glint::ops {

/// Matrices, or batches of them. `out` is contiguous and overlaps no operand; the bias, contiguous
/// and one for each column, is added where it is not null.
void multiply(const Tensor& first, const Tensor& second, const Tensor* bias, const Tensor& out,
              std::string_view activation = "none");

/// Whether `multiply` knows the activation: none, relu, gelu, gelu_tanh, sigmoid or tanh.
bool is_activation(std::string_view name);

}  // namespace glint::ops
