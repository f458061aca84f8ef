// The memory behind tensors: a block of bytes that several tensors may view.
//
// Each write through an operator bumps `version`, so that autograd and cached results can tell
// that a value they kept has changed. Memory comes from the caching allocator (allocator.h) or from
// the accelerator (accelerator.h), or belongs to somebody else (`wrap`).
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/support/ref_counted.h"
#include "core/tensor/device.h"

namespace glint {

class Storage final : public RefCounted {
 public:
  /// New memory, 64-byte aligned and not initialised; an accelerator's is its own (accelerator.h).
  static Ref<Storage> allocate(size_t bytes, Device device = Device::cpu());
  /// Memory that `owner` keeps alive.
  static Ref<Storage> wrap(void* data, size_t bytes, Ref<RefCounted> owner = nullptr,
                           Device device = Device::cpu());

  std::byte* data() const { return data_; }
  size_t bytes() const { return bytes_; }
  Device device() const { return device_; }
  uint32_t version() const { return version_; }
  void bump_version() { ++version_; }
  /// What has only just been made has not been written yet; what a compiled schedule fills keeps
  /// the version that it had.
  void reset_version(uint32_t version = 0) { version_ = version; }

  /// Storages come and go with tensors: their own memory is recycled too.
  static void* operator new(size_t bytes);
  static void operator delete(void* memory, size_t bytes);

 private:
  Storage() = default;
  ~Storage() override;

  std::byte* data_ = nullptr;
  size_t bytes_ = 0;
  uint32_t version_ = 0;
  Device device_;
  bool owned_ = false;
  Ref<RefCounted> owner_;
};

}  // namespace glint
