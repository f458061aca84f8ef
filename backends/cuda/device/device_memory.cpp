#include "backends/cuda/device/device_memory.h"

#include "backends/cuda/device/launch_checks.h"
#include "backends/cuda/device/launch_recorder.h"
#include "ops/op.h"

namespace glint::cuda {

namespace {

/// A GPU that is not there is told as PyTorch, built for CUDA, does; one that GLINT_GPU switches
/// off as PyTorch without CUDA does.
[[noreturn]] void fail_to_open(const Error& error) {
  if (!error.message.starts_with("GLINT_GPU")) fail_on_device(error);
  throw ops::OpError{"AssertionError", "Torch not compiled with CUDA enabled: " + error.message};
}

}  // namespace

Gpu& need_gpu() {
  run_pending_launches();
  return need_gpu_beside_launches();
}

Gpu& need_gpu_beside_launches() {
  const Result<Gpu*>& gpu = open_gpu();
  if (!gpu) fail_to_open(gpu.error());
  return **gpu;
}

CachingAllocator& device_memory() {
  // Never destroyed: tensors may live until the process ends.
  static CachingAllocator& memory = *new CachingAllocator(need_gpu(), run_pending_launches);
  return memory;
}

void fail_on_device(const std::optional<Error>& error) {
  if (!error) return;
  // PyTorch has classes of their own for the driver's errors and for a lack of memory.
  const std::string& message = error->message;
  if (message.starts_with("CUDA error")) note_told();
  const char* type = message.starts_with("CUDA error")           ? "AcceleratorError"
                     : message.starts_with("CUDA out of memory") ? "OutOfMemoryError"
                                                                 : "RuntimeError";
  throw ops::OpError{type, message};
}

uint64_t allocate_for_process(size_t bytes) {
  Gpu& gpu = need_gpu_beside_launches();
  auto made = gpu.allocate(bytes);
  if (made && !*made) {
    device_memory().empty();
    made = gpu.allocate(bytes);
  }
  if (!made) fail_on_device(made.error());
  if (!*made) fail_on_device(Error{"CUDA out of memory."});
  return **made;
}

uint64_t allocate_on_device(size_t bytes) {
  const Result<uint64_t> made = device_memory().allocate(bytes);
  if (!made) fail_on_device(made.error());
  return *made;
}

DeviceBuffer::DeviceBuffer(size_t bytes) : address_(allocate_on_device(bytes)) {}

DeviceBuffer::~DeviceBuffer() {
  if (address_ != 0) device_memory().free(address_);
}

void DeviceBuffer::clear(size_t bytes) const {
  fail_on_device(need_gpu().clear(address_, bytes));
}

}  // namespace glint::cuda
