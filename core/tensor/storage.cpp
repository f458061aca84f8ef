#include "core/tensor/storage.h"

#include "core/tensor/accelerator.h"
#include "core/tensor/allocator.h"

namespace glint {

Ref<Storage> Storage::allocate(size_t bytes, Device device) {
  // Taken first: an exhausted system leaves no half-made storage behind.
  void* block = device.is_cpu() ? allocate_bytes(bytes) : accelerator().allocate(bytes);
  auto* storage = new Storage;
  storage->data_ = static_cast<std::byte*>(block);
  storage->bytes_ = bytes;
  storage->device_ = device;
  storage->owned_ = true;
  return Ref<Storage>(storage);
}

Ref<Storage> Storage::wrap(void* data, size_t bytes, Ref<RefCounted> owner, Device device) {
  auto* storage = new Storage;
  storage->data_ = static_cast<std::byte*>(data);
  storage->bytes_ = bytes;
  storage->device_ = device;
  storage->owner_ = std::move(owner);
  return Ref<Storage>(storage);
}

Storage::~Storage() {
  if (!owned_) return;
  if (device_.is_cpu()) [[likely]]
    free_bytes(data_, bytes_);
  else
    accelerator().free(data_, bytes_);
}

void* Storage::operator new(size_t bytes) {
  return ObjectPool<sizeof(Storage)>::take();
}
void Storage::operator delete(void* memory, size_t bytes) {
  ObjectPool<sizeof(Storage)>::give(memory);
}

}  // namespace glint
