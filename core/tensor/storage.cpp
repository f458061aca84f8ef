#include "core/tensor/storage.h"

#include "core/support/check.h"
#include "core/tensor/allocator.h"

namespace glint {

Ref<Storage> Storage::allocate(size_t bytes, Device device) {
  check(device.is_cpu(), "memory of the processor; accelerators have their own allocator");
  // Taken first: an exhausted system leaves no half-made storage behind.
  void* block = allocate_bytes(bytes);
  auto* storage = new Storage;
  storage->data_ = static_cast<std::byte*>(block);
  storage->bytes_ = bytes;
  storage->owned_ = true;
  return Ref<Storage>(storage);
}

Ref<Storage> Storage::wrap(void* data, size_t bytes, Ref<RefCounted> owner) {
  auto* storage = new Storage;
  storage->data_ = static_cast<std::byte*>(data);
  storage->bytes_ = bytes;
  storage->owner_ = std::move(owner);
  return Ref<Storage>(storage);
}

Storage::~Storage() {
  if (owned_) free_bytes(data_, bytes_);
}

void* Storage::operator new(size_t bytes) {
  return ObjectPool<sizeof(Storage)>::take();
}
void Storage::operator delete(void* memory, size_t bytes) {
  ObjectPool<sizeof(Storage)>::give(memory);
}

}  // namespace glint
