#include "runtime/device/convolutions.h"

#include "backends/cuda/kernels/convolution_kernel.h"
#include "core/tensor/accelerator.h"
#include "ops/convolution_call.h"
#include "ops/infer.h"
#include "ops/layout.h"
#include "runtime/device/one_operator.h"

namespace glint::device {
namespace {

using ops::Arguments;
using ops::OpEntry;

bool run_into(ConvolutionPass pass, Arguments arguments, const Tensor& out) {
  const auto [windows, tensors] = ops::convolution_call(pass, arguments, out);
  return cuda::convolve_by_library(pass, windows, tensors) ||
         (cuda::prefers_kernel(tensors.input->dtype(), windows.groups) &&
          cuda::convolve_by_kernel(pass, windows, tensors));
}

}  // namespace

ops::Outputs convolution(const OpEntry& entry, Arguments arguments) {
  const Device device = arguments[0].tensor().device();
  const DefaultDeviceScope scope(device);
  const TensorType type = ops::infer(entry, ops::infer_arguments(arguments))[0];
  const Tensor out = Tensor::empty(ops::constant_dims(type.sizes), type.dtype, device);
  return run_into(*ops::convolution_pass(entry.name), arguments, out)
             ? out
             : run_operator(entry, arguments);
}

bool run_convolution_into(const OpEntry& entry, Arguments arguments,
                          std::span<const Tensor> outputs) {
  const auto pass = ops::convolution_pass(entry.name);
  return pass && run_into(*pass, arguments, outputs[0]);
}

}  // namespace glint::device
