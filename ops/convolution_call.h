// A convolution's operators as what a library or a kernel is told: which of three passes, over
// which tensors, with which windows.
//
//     convolution_call(ConvolutionPass::kOfInput, {gradient, weight, [2, 3, 8, 8], ...}, out)
//         .tensors = {input: &out, weight: &weight, result: &gradient}
#pragma once

#include <optional>
#include <string_view>

#include "core/platform/convolution.h"
#include "ops/op.h"

namespace glint::ops {

/// The pass of `convolution`, `convolution_of_input` and `convolution_of_weight`; none of others.
std::optional<ConvolutionPass> convolution_pass(std::string_view name);
/// Where its parameter `groups` stands.
size_t groups_place(ConvolutionPass pass);

struct ConvolutionCall {
  ConvolutionWindows windows;
  ConvolutionTensors tensors;  ///< the arguments' and `out`, which must live on
};

/// The arguments, which the operator took or would take, and the tensor to write.
ConvolutionCall convolution_call(ConvolutionPass pass, Arguments arguments, const Tensor& out);

/// Writes `out`, which is contiguous, on the processor. False, and nothing written, where the tuned
/// library does not do it.
bool convolve_into(ConvolutionPass pass, Arguments arguments, const Tensor& out);
/// The operator's result by the library, or by its decomposition where that does not do it or the
/// arguments are not ones that fit together.
Outputs eager_convolution(const OpEntry& entry, Arguments arguments);

}  // namespace glint::ops
