#include "runtime/device/convolutions.h"

#include "backends/cuda/kernels/convolution_kernel.h"
#include "core/tensor/accelerator.h"
#include "ops/infer.h"
#include "ops/layout.h"
#include "runtime/device/one_operator.h"

namespace glint::device {
namespace {

using ops::Arguments;
using ops::OpEntry;

/// A number for each dimension that windows move in.
std::vector<int64_t> numbers(const ops::Argument& given, size_t dims) {
  std::vector<int64_t> made;
  for (const SymInt number : ops::as_ints(given)) made.push_back(number.constant());
  if (made.size() == 1) made.resize(dims, made[0]);
  return made;
}

/// Stride, padding, dilation, groups, which stand in this order, but for what is between.
cuda::ConvolutionWindows windows_of(Arguments stride, const ops::Argument& groups, size_t dims) {
  return {.stride = numbers(stride[0], dims),
          .padding = numbers(stride[1], dims),
          .dilation = numbers(stride[2], dims),
          .groups = ops::as_constant(groups)};
}

using cuda::DnnPass;

bool run(DnnPass pass, const cuda::ConvolutionWindows& windows,
         const cuda::ConvolutionTensors& tensors) {
  return cuda::convolve(pass, windows, tensors) ||
         (cuda::prefers_kernel(tensors.input->dtype(), windows.groups) &&
          cuda::convolve_by_kernel(pass, windows, tensors));
}

bool run_into(const OpEntry& entry, Arguments arguments, const Tensor& out) {
  const std::string_view name = entry.name;
  const Tensor &first = arguments[0].tensor(), &second = arguments[1].tensor();
  const auto dims = static_cast<size_t>(first.rank()) - 2;
  if (name == "convolution")
    return run(DnnPass::kForward, windows_of(arguments.subspan(3), arguments[8], dims),
               {.input = &first,
                .weight = &second,
                .result = &out,
                .bias = arguments[2].get_if<Tensor>()});
  const auto windows = windows_of(arguments.subspan(3), arguments[6], dims);
  if (name == "convolution_of_input")
    return run(DnnPass::kOfInput, windows, {.input = &out, .weight = &second, .result = &first});
  return run(DnnPass::kOfWeight, windows, {.input = &second, .weight = &out, .result = &first});
}

}  // namespace

ops::Outputs convolution(const OpEntry& entry, Arguments arguments) {
  const Device device = arguments[0].tensor().device();
  const DefaultDeviceScope scope(device);
  const TensorType type = ops::infer(entry, ops::infer_arguments(arguments))[0];
  const Tensor out = Tensor::empty(ops::constant_dims(type.sizes), type.dtype, device);
  return run_into(entry, arguments, out) ? out : run_operator(entry, arguments);
}

bool run_convolution_into(const OpEntry& entry, Arguments arguments,
                          std::span<const Tensor> outputs) {
  const bool is_one = std::string_view(entry.name).starts_with("convolution");
  return is_one && run_into(entry, arguments, outputs[0]);
}

}  // namespace glint::device
