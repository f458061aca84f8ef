// Convolutions by cuDNN, NVIDIA's library, where it is found.
//
//     const Result<Cudnn*>& found = load_cudnn();              // or what is missing, how to get it
//     DnnCall call{.pass = ConvolutionPass::kForward, .dtype = ..., .input = {8, 3, 32, 32}, ...};
//     if (const DnnPlan* plan = (*found)->plan(call)) {        // null: kernels of ours have to do
//     it
//       (*found)->run(*plan, {.x = ..., .w = ..., .y = ...}, workspace, stream);
//     }
//
// There are three passes: the result, and the gradients of the input and of the weight. All tensors
// are contiguous. A convolution over one dimension is one over two, of which the first has one
// place: the library has none of fewer. A plan has the descriptors and the first algorithm that the
// library proposes and that fits; what it has none for is remembered too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/platform/convolution.h"
#include "core/support/result.h"
#include "core/tensor/dtype.h"

namespace glint::cuda {

struct DnnCall {
  ConvolutionPass pass = ConvolutionPass::kForward;
  DType dtype = DType::kFloat32;  ///< a floating one; of all tensors
  std::vector<int64_t> input;     ///< [n, channels, sizes...]
  std::vector<int64_t> weight;    ///< [outputs, channels of a group, kernel...]
  std::vector<int64_t> result;    ///< [n, outputs, places...]
  std::vector<int64_t> stride;    ///< one for each dimension that windows move in
  std::vector<int64_t> padding;
  std::vector<int64_t> dilation;
  int64_t groups = 1;
  bool allows_tf32 = true;     ///< float32 may be rounded to 10 bits of fraction
  bool is_repeatable = false;  ///< the same bits at each call
};

/// Addresses; the one that the pass computes is written.
struct DnnOperands {
  uint64_t x = 0;
  uint64_t w = 0;
  uint64_t y = 0;
  uint64_t bias = 0;  ///< of the forward pass, an element for each output channel; 0: none
};

struct DnnPlan;

class Cudnn {
 public:
  virtual ~Cudnn() = default;
  /// Where it was found, and its version: 91900 is `9.19.0`.
  virtual const std::string& path() const = 0;
  virtual size_t number() const = 0;
  virtual const std::string& version() const = 0;
  /// Whether it can work with the driver there is; opens it.
  virtual bool works() = 0;
  /// How it runs such a call; null where it does not. Valid until the next call.
  virtual const DnnPlan* plan(const DnnCall& call) = 0;
  /// `workspace`: the address of as much memory as the plan says. The work goes into the stream,
  /// and may still run when this returns.
  virtual std::optional<Error> run(const DnnPlan& plan, const DnnOperands& operands,
                                   uint64_t workspace, uint64_t stream) = 0;
};

size_t workspace_bytes(const DnnPlan& plan);

/// The library, loaded once for the process. It is asked for nothing that needs a GPU before
/// `plan`.
const Result<Cudnn*>& load_cudnn();

}  // namespace glint::cuda
