// The memory of the process's device: what tensors and launches take from it.
//
//     const DeviceBuffer status(4);                 // given back when it goes
//     status.clear(4);
//     status.address()
//
// What fails here reaches the script as PyTorch's RuntimeError: `fail_on_device` throws it; a lack
// of memory as its OutOfMemoryError.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "backends/cuda/device/caching_allocator.h"
#include "backends/cuda/device/device.h"

namespace glint::cuda {

/// The device, for what comes behind all that was launched: launches that wait in a recorder run
/// first. Throws PyTorch's error, and what is missing, where there is none.
Gpu& need_gpu();
/// The same for what has no place in the order of work (what the device is, loading code, new
/// pinned memory): launches that wait go on waiting.
Gpu& need_gpu_beside_launches();
CachingAllocator& device_memory();
/// Memory that is never given back, and is not counted as tensors' is.
uint64_t allocate_for_process(size_t bytes);
/// Memory of the device; throws where there is no more.
uint64_t allocate_on_device(size_t bytes);

/// Throws what went wrong, if something did.
void fail_on_device(const std::optional<Error>& error);

class DeviceBuffer {
 public:
  explicit DeviceBuffer(size_t bytes);
  ~DeviceBuffer();
  DeviceBuffer(DeviceBuffer&& other) noexcept : address_(other.address_) { other.address_ = 0; }
  DeviceBuffer& operator=(DeviceBuffer&&) = delete;

  uint64_t address() const { return address_; }
  void clear(size_t bytes) const;

 private:
  uint64_t address_ = 0;  ///< 0: given to another
};

}  // namespace glint::cuda
