// Convolutions on the device by a kernel of our own, by tiles in shared memory.
//
//     convolve_by_kernel(ConvolutionPass::kForward, windows, {&x, &w, &y, &bias})
//         y[n, o, p] = bias[o] + sum over c, k of w[o, c, k] * x[n, c, p * stride + k - padding]
//
// A convolution is a product of matrices, one for each group, of which the second is never written
// down: a thread finds the element of the input that a column (n, p) and a step (c, k) of the sum
// name when it fills its place of a tile ("implicit GEMM"; Chetlur et al., "cuDNN: Efficient
// Primitives for Deep Learning", 2014). So are its gradients: that of the input goes over the
// windows that saw an element, and that of the weights sums over (n, p).
#pragma once

#include <span>
#include <string>

#include "backends/cuda/kernels/library_convolution.h"
#include "backends/cuda/kernels/matrix_kernel.h"

namespace glint::cuda {

/// One launch, into contiguous memory; the two others are copied where they are not contiguous.
/// False, and nothing written, where the numbers are beyond what its indices hold (2^30).
bool convolve_by_kernel(ConvolutionPass pass, const ConvolutionWindows& windows,
                        const ConvolutionTensors& tensors);

/// Whether it is taken where cuDNN is not: not where a library computes a product of windows and
/// weights, unless that would be a small one for each of several groups.
bool prefers_kernel(DType dtype, int64_t groups);

/// Which text a convolution needs.
struct ConvolutionForm {
  ConvolutionPass pass = ConvolutionPass::kForward;
  DType dtype = DType::kFloat32;
  int dims = 2;  ///< that windows move in
  bool has_bias = false;
  int part = 1;  ///< rows and columns of a tile that a thread makes

  auto operator<=>(const ConvolutionForm&) const = default;
};
std::string convolution_text(const ConvolutionForm& form);
std::string convolution_entry(ConvolutionPass pass);
/// The tiles that there are.
std::span<const MatrixTile> convolution_tiles();

}  // namespace glint::cuda
