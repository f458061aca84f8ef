// Convolutions on the device by NVIDIA's library, where it is found and the device is a real one.
//
//     convolve_by_library(ConvolutionPass::kForward, windows, {&x, &w, &y, &bias})
//         false: kernels of ours have to do it
//
// The three tensors are the input, the weight and the result, or gradients in their places; the
// pass says which is computed. The others are copied where they are not contiguous.
#pragma once

#include <vector>

#include "backends/cuda/libraries/cudnn.h"
#include "core/tensor/tensor.h"

namespace glint::cuda {

/// What the library is called, where somebody looks at what ran.
inline constexpr std::string_view kDnnName = "cuDNN";

/// False, and nothing written, where the library does not do it.
bool convolve_by_library(ConvolutionPass pass, const ConvolutionWindows& windows,
                         const ConvolutionTensors& tensors);

/// The library, where the device is one that it can work on; null elsewhere.
Cudnn* available_cudnn();
/// The same, unless it is switched off.
Cudnn* usable_cudnn();

/// `torch.backends.cudnn`'s switches.
struct CudnnSwitches {
  bool enabled = true;
  bool deterministic = false;
  bool allow_tf32 = true;
};
CudnnSwitches& cudnn_switches();

}  // namespace glint::cuda
