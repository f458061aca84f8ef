// What follows a matrix product while its result is still in a register: a bias for each column,
// then an activation.
//
//     epilogue_text(DType::kFloat32, {.has_bias = true, .activation = "relu"})
//
//         __device__ inline float finished(float total, const float* bias, int64 column) {
//           const float x = total + bias[column];
//           return maximum_f32(x, 0.0f);
//         }
//
// The arithmetic is the operators' own: ops/scalar, in float for the 16-bit floats, which round
// once at the end. The same function over a product that a library left in memory is `finish`.
#pragma once

#include <string>
#include <string_view>

#include "core/tensor/tensor.h"

namespace glint::cuda {

struct ProductEpilogue {
  const Tensor* bias = nullptr;          ///< contiguous, an element for each column; null: none
  std::string_view activation = "none";  ///< none, relu, gelu, gelu_tanh, sigmoid or tanh

  bool is_empty() const { return bias == nullptr && activation == "none"; }
};

/// Which text an epilogue needs.
struct EpilogueForm {
  bool has_bias = false;
  std::string_view activation = "none";
};
inline EpilogueForm form_of(const ProductEpilogue& epilogue) {
  return {epilogue.bias != nullptr, epilogue.activation};
}

/// Defines `finished(total, bias, column)` for a floating dtype, and the dtype's own text.
std::string epilogue_text(DType dtype, const EpilogueForm& form);

/// Does it to a contiguous product in memory.
void finish(const Tensor& product, const ProductEpilogue& epilogue);

}  // namespace glint::cuda
