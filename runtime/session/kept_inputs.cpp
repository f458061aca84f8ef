#include "runtime/session/kept_inputs.h"

#include "core/tensor/accelerator.h"
#include "core/tensor/copy.h"
#include "runtime/capture/executable.h"

namespace glint {

namespace {

/// The tensor, or its memory on the processor, with the same strides: kernels were made for them.
Tensor laid_out_on_processor(const Tensor& tensor) {
  if (tensor.device().is_cpu()) return tensor;
  int64_t reach = tensor.numel() == 0 ? 0 : 1;
  for (int64_t dim = 0; reach > 0 && dim < tensor.rank(); ++dim)
    reach += (tensor.size(dim) - 1) * tensor.stride(dim);
  const Tensor memory =
      to_device(Tensor::view_of(tensor, {reach}, {1}, tensor->offset), Device::cpu());
  return Tensor::view_of(memory, tensor.sizes(), tensor.strides(), memory->offset);
}

}  // namespace

KeptInputs::KeptInputs(const capture::LastRun& on, Place place) {
  std::vector<Tensor> tensors = on.inputs;
  for (const auto& [input, output, before] : on.written) {
    tensors[input] = clone(before);
    updates_.emplace_back(input, output);
  }
  for (const Tensor& each : tensors) {
    held.push_back(place == Place::kProcessor ? laid_out_on_processor(each) : each);
    inputs.push_back({&held.back().impl(), nullptr});
  }
  for (const double& number : on.numbers) inputs.push_back({nullptr, &number});
}

void KeptInputs::write(std::span<const Tensor> outputs) {
  for (auto [input, output] : updates_) capture::write_update(held[input], outputs[output]);
}

}  // namespace glint
