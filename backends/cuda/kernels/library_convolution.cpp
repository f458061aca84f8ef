#include "backends/cuda/kernels/library_convolution.h"

#include <optional>

#include "backends/cuda/device/device_memory.h"
#include "backends/cuda/device/launch_entry.h"
#include "backends/cuda/kernels/matrix_product.h"
#include "backends/running_call.h"
#include "core/tensor/copy.h"

namespace glint::cuda {
namespace {

std::vector<int64_t> sizes_of(const Tensor& tensor) {
  return {tensor.sizes().begin(), tensor.sizes().end()};
}

/// Tensors as the library takes them, kept for the time of a call.
class Packed {
 public:
  uint64_t address(const Tensor* tensor) {
    if (tensor == nullptr) return 0;
    kept_.push_back(contiguous(*tensor));
    return reinterpret_cast<uint64_t>(kept_.back().raw_data());
  }

 private:
  std::vector<Tensor> kept_;
};

}  // namespace

CudnnSwitches& cudnn_switches() {
  static CudnnSwitches switches;
  return switches;
}

Cudnn* usable_cudnn() {
  return cudnn_switches().enabled ? available_cudnn() : nullptr;
}

Cudnn* available_cudnn() {
  const Result<Gpu*>& gpu = open_gpu();
  if (!gpu || (*gpu)->properties().is_simulated) return nullptr;
  const Result<Cudnn*>& found = load_cudnn();
  return found ? *found : nullptr;
}

bool convolve_by_library(ConvolutionPass pass, const ConvolutionWindows& windows,
                         const ConvolutionTensors& tensors) {
  Cudnn* library = usable_cudnn();
  if (library == nullptr || !is_floating(tensors.input->dtype())) return false;
  const Tensor& made = tensors.computed(pass);
  if (!made.is_contiguous()) return false;
  const DnnPlan* plan = library->plan({.pass = pass,
                                       .dtype = tensors.input->dtype(),
                                       .input = sizes_of(*tensors.input),
                                       .weight = sizes_of(*tensors.weight),
                                       .result = sizes_of(*tensors.result),
                                       .stride = windows.stride,
                                       .padding = windows.padding,
                                       .dilation = windows.dilation,
                                       .groups = windows.groups,
                                       .allows_tf32 = cudnn_switches().allow_tf32,
                                       .is_repeatable = cudnn_switches().deterministic});
  if (plan == nullptr) return false;
  Packed packed;
  const DnnOperands operands = {.x = packed.address(tensors.input),
                                .w = packed.address(tensors.weight),
                                .y = packed.address(tensors.result),
                                .bias = packed.address(tensors.bias)};
  std::optional<DeviceBuffer> workspace;
  if (workspace_bytes(*plan) > 0) workspace.emplace(workspace_bytes(*plan));
  count_launch();
  if (tensors.bias != nullptr) count_launch();
  count_library_call();
  fail_on_device(library->run(*plan, operands, workspace ? workspace->address() : 0,
                              need_gpu().stream_in_use()));
  RunningCall::note_library(kDnnName);
  return true;
}

}  // namespace glint::cuda
