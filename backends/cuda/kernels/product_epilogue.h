// What follows a matrix product while its result is still in a register: something is added, a row
// to each, a matrix, one for each of a batch; then an activation.
//
//     epilogue_text(DType::kFloat32, {.adds = true, .activation = "relu"})
//
//         __device__ inline float finished(float total, const float* added, int64 place,
//                                          float alpha, float beta) {
//           const float x = total + added[place];
//           return maximum_f32(x, 0.0f);
//         }
//
// The arithmetic is the operators' own: ops/scalar, in float for the 16-bit floats, which round
// once at the end. The same function over a product that a library left in memory is `finish`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "backends/cuda/device/device.h"
#include "core/tensor/tensor.h"

namespace glint::cuda {

/// activation(alpha * product + beta * added)
struct ProductEpilogue {
  const Tensor* added = nullptr;  ///< of the product's sizes and any strides; null: nothing
  double alpha = 1;
  double beta = 1;
  std::string_view activation = "none";  ///< none, relu, gelu, gelu_tanh, sigmoid or tanh

  bool scales() const { return alpha != 1 || (added != nullptr && beta != 1); }
  bool is_empty() const { return added == nullptr && !scales() && activation == "none"; }
  /// Whether one row, in order in memory, is added to each as it is: a layer's bias.
  bool adds_row() const;
};

/// Which text an epilogue needs.
struct EpilogueForm {
  bool adds = false;
  bool scales = false;
  std::string_view activation = "none";

  bool is_empty() const { return !adds && !scales && activation == "none"; }
};
inline EpilogueForm form_of(const ProductEpilogue& epilogue) {
  return {epilogue.added != nullptr, epilogue.scales(), epilogue.activation};
}

/// Defines `finished(total, added, place, alpha, beta)` for a floating dtype, and the dtype's own
/// text.
std::string epilogue_text(DType dtype, const EpilogueForm& form);
/// What a kernel that finishes takes behind its own parameters, and the arguments for these:
/// `added`, its strides `added_step`, `added_row` and `added_column`, `alpha` and `beta`.
std::string epilogue_parameters(DType dtype);
void add_epilogue_arguments(const ProductEpilogue& epilogue, DType dtype,
                            std::vector<GpuArgument>& arguments);

/// Does it to a contiguous product in memory.
void finish(const Tensor& product, const ProductEpilogue& epilogue);

}  // namespace glint::cuda
