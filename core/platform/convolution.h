// Convolutions of float32 and bfloat16 through the platform's tuned library, oneDNN, and both their
// gradients.
//
//     result[n, o, p] = bias[o] + sum over c, k of
//         weight[o, c, k] * input[n, c, p * stride + k * dilation - padding]
//
//     convolve(ConvolutionPass::kForward, windows, {&x, &w, &y, &bias})     // writes y
//     convolve(ConvolutionPass::kOfWeight, windows, {&x, &w, &y})           // writes w, for y's
//                                                                           // gradient
//
// The library reads layouts of its own, sixteen channels beside each other, so that a vector holds
// one place of sixteen channels. Images are brought into that form and back a few at a time, while
// they are in cache; the weight is once. Images are shared out to our own threads; where there are
// fewer of them than threads, the channels of what is computed are.
#pragma once

#include <cstdint>
#include <vector>

#include "core/tensor/tensor.h"

namespace glint {

/// What is computed: the result, or the gradient of the input or of the weight, for that of the
/// result.
enum class ConvolutionPass : uint8_t { kForward, kOfInput, kOfWeight };

/// How windows lie, one number for each dimension that they move in.
struct ConvolutionWindows {
  std::vector<int64_t> stride;
  std::vector<int64_t> padding;
  std::vector<int64_t> dilation;
  int64_t groups = 1;
};

/// Gradients stand in the places of what they are the gradients of.
struct ConvolutionTensors {
  const Tensor* input = nullptr;   ///< [n, channels, sizes...]
  const Tensor* weight = nullptr;  ///< [outputs, channels of a group, kernel...]
  const Tensor* result = nullptr;  ///< [n, outputs, places...]
  const Tensor* bias = nullptr;    ///< [outputs]; null: none

  /// The one that a pass writes.
  const Tensor& computed(ConvolutionPass pass) const;
};

/// Computes it through the library. The tensors are contiguous, and their sizes fit together.
/// False, and nothing written, where the library is missing or does not do this convolution.
bool convolve(ConvolutionPass pass, const ConvolutionWindows& windows,
              const ConvolutionTensors& tensors);

}  // namespace glint
