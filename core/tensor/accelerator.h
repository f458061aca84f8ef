// The memory of an accelerator, as tensors use it.
//
//     Tensor y = to_device(x, Device::cuda());     // what `x.to("cuda")` does
//     copy(y, z);                                  // copy.h: on the device, if both are there
//
// A tensor on an accelerator has the device's address where others have a pointer: nothing here
// may read through it. Allocating, moving and converting go to the one accelerator of the process,
// which `install_accelerator` names and which is opened when it is first needed. It throws where
// there is none, with the words that the script sees.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/tensor/tensor.h"

namespace glint {

class Accelerator {
 public:
  virtual ~Accelerator() = default;
  /// Memory of the device; 0 bytes gives an address too.
  virtual std::byte* allocate(size_t bytes) = 0;
  virtual void free(std::byte* data, size_t bytes) = 0;
  /// Between the processor's memory and the device's. With `waits` the source may change when it
  /// returns; else pinned memory is read when the device comes to it, also if it is freed before.
  virtual void upload(std::byte* target, const std::byte* source, size_t bytes, bool waits) = 0;
  virtual void download(std::byte* target, const std::byte* source, size_t bytes) = 0;
  /// Converted and broadcast, from device to device; the two do not overlap.
  virtual void copy(const Tensor& target, const Tensor& source) = 0;
  virtual void fill(const Tensor& target, const Scalar& value) = 0;
  /// Memory of the processor that the device reads and writes by itself.
  virtual std::byte* allocate_pinned(size_t bytes) = 0;
  virtual void free_pinned(std::byte* data) = 0;
  virtual bool is_pinned(const std::byte* data) const = 0;
  /// Work of another stream, which its number names, uses memory of the device too.
  virtual void note_use(const std::byte* data, uint64_t stream) = 0;
};

/// Says how the accelerator is opened, and whether there is one; `open` may throw, and is asked
/// again then.
void install_accelerator(Accelerator& (*open)(), bool (*is_there)());
bool has_accelerator();
/// The accelerator, opened.
Accelerator& accelerator();

/// How often memory was copied between the processor and the device, since the start.
struct DeviceTraffic {
  uint64_t uploads = 0;
  uint64_t downloads = 0;
};
DeviceTraffic device_traffic();

/// Whether a script has named an accelerator yet: until then no tensor can be on one.
inline bool accelerator_named = false;

/// A copy on that device, laid out as the tensor is; the tensor itself if it is there. A device
/// without a number is the one with number 0. `waits` until the device has read pinned memory.
Tensor to_device(const Tensor& tensor, Device device, bool waits = true);
/// The tensor itself, or a copy in the processor's memory.
Tensor on_processor(const Tensor& tensor);
/// Whether the device copies it by itself; and a copy of which that is so, or the tensor itself
/// where there is no accelerator.
bool is_pinned(const Tensor& tensor);
Tensor pinned(const Tensor& tensor);
/// The memory of a device, from bytes of the processor's.
void upload_bytes(const Tensor& target, const std::byte* source, bool waits = true);

/// Where operators make tensors that name no device: what a script has set, and in the rules of
/// gradients where those are.
Device default_device();
void set_default_device(Device device);
class DefaultDeviceScope {
 public:
  explicit DefaultDeviceScope(Device device);
  ~DefaultDeviceScope();
  DefaultDeviceScope(const DefaultDeviceScope&) = delete;
  DefaultDeviceScope& operator=(const DefaultDeviceScope&) = delete;

 private:
  Device previous_;
};

}  // namespace glint
