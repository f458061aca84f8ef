#include "ops/multiply.h"

#include <algorithm>

#include "core/platform/gemm.h"
#include "core/tensor/copy.h"
#include "ops/op.h"
#include "ops/rows/row_kernels.h"
#include "ops/scalar/elementwise_kernels.h"

namespace glint::ops {

namespace {

/// A matrix that the library reads: one of its last two strides is 1. Others are copied.
Tensor readable(const Tensor& tensor) {
  int64_t row = tensor.stride(-2), column = tensor.stride(-1);
  bool plain = (column == 1 && row >= tensor.size(-1)) || (row == 1 && column >= tensor.size(-2));
  bool batches = tensor.rank() < 3 || tensor.stride(0) >= 0;
  return plain && batches ? tensor : contiguous(tensor);
}

GemmMatrix as_matrix(const Tensor& tensor) {
  return {tensor.raw_data(), tensor.stride(-2), tensor.stride(-1),
          tensor.rank() == 3 ? tensor.stride(0) : 0};
}

/// Integers multiply in plain loops.
template <class T>
void multiply_integers(const Tensor& a, const Tensor& b, const Tensor& out) {
  int64_t batches = out.rank() == 3 ? out.size(0) : 1;
  int64_t m = out.size(-2), n = out.size(-1), k = a.size(-1);
  for (int64_t p = 0; p < batches; ++p) {
    const T* left = a.data<T>() + (a.rank() == 3 ? p * a.stride(0) : 0);
    const T* right = b.data<T>() + (b.rank() == 3 ? p * b.stride(0) : 0);
    T* to = out.data<T>() + p * m * n;
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j) {
        T sum = 0;
        for (int64_t l = 0; l < k; ++l)
          sum = T(sum + left[i * a.stride(-2) + l * a.stride(-1)] *
                            right[l * b.stride(-2) + j * b.stride(-1)]);
        to[i * n + j] = sum;
      }
  }
}

constexpr std::string_view kActivations[] = {"none",      "relu",    "gelu",
                                             "gelu_tanh", "sigmoid", "tanh"};

/// The function that the product runs on its results; empty where it has its own.
GemmActivation gemm_activation(std::string_view name, DType dtype) {
  if (name == "none" || name == "relu") return nullptr;
  DType kept = dtype == DType::kFloat64 ? DType::kFloat64 : DType::kFloat32;
  if (name == "gelu" || name == "gelu_tanh") {
    ActivationLoop loop =
        activation_loop(name == "gelu" ? Activation::kGelu : Activation::kGeluTanh, kept);
    return [loop](void* values, int64_t n) { loop(values, values, n, 0.0, 0.0); };
  }
  auto function = name == "tanh" ? ScalarFunction::kTanh : ScalarFunction::kSigmoid;
  scalar::UnaryLoop loop = scalar::elementwise_loops(function, kept)->unary;
  return [loop](void* values, int64_t n) { loop(values, values, n); };
}

}  // namespace

bool is_activation(std::string_view name) {
  return std::ranges::find(kActivations, name) != std::end(kActivations);
}

void multiply(const Tensor& first, const Tensor& second, const Tensor* bias, const Tensor& out,
              std::string_view activation) {
  if (out.numel() == 0) return;
  if (!is_floating(out.dtype())) {
    return visit_dtype(out.dtype(), [&]<class T>() {
      if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>)
        multiply_integers<T>(first, second, out);
      else
        fail("a product of truth values is refused before");
    });
  }
  Tensor a = readable(first), b = readable(second);
  gemm({.dtype = out.dtype(),
        .m = out.size(-2),
        .n = out.size(-1),
        .k = a.size(-1),
        .batches = out.rank() == 3 ? out.size(0) : 1,
        .a = as_matrix(a),
        .b = as_matrix(b),
        .c = as_matrix(out),
        .bias = bias ? bias->raw_data() : nullptr,
        .relu = activation == "relu",
        .activation = gemm_activation(activation, out.dtype())});
}

}  // namespace glint::ops
