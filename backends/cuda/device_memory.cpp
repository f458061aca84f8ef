#include "backends/cuda/device_memory.h"

#include "ops/op.h"

namespace glint::cuda {

Gpu& need_gpu() {
  const Result<Gpu*>& gpu = open_gpu();
  if (!gpu)
    throw ops::OpError{"AssertionError",
                       "Torch not compiled with CUDA enabled: " + gpu.error().message};
  return **gpu;
}

CachingAllocator& device_memory() {
  // Never destroyed: tensors may live until the process ends.
  static CachingAllocator& memory = *new CachingAllocator(need_gpu());
  return memory;
}

void fail_on_device(const std::optional<Error>& error) {
  if (error) throw ops::OpError{"RuntimeError", error->message};
}

DeviceBuffer::DeviceBuffer(size_t bytes) {
  const Result<uint64_t> made = device_memory().allocate(bytes);
  if (!made) throw ops::OpError{"RuntimeError", made.error().message};
  address_ = *made;
}

DeviceBuffer::~DeviceBuffer() {
  if (address_ != 0) device_memory().free(address_);
}

void DeviceBuffer::clear(size_t bytes) const {
  fail_on_device(need_gpu().clear(address_, bytes));
}

}  // namespace glint::cuda
