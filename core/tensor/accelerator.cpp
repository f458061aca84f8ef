#include "core/tensor/accelerator.h"

#include "core/support/check.h"
#include "core/tensor/copy.h"

namespace glint {
namespace {

Accelerator& (*opener)() = nullptr;
bool (*finder)() = nullptr;
DeviceTraffic traffic;
Device made_on = Device::cpu();

/// A tensor of the same sizes and strides on a device; `dense` has no gaps.
Tensor empty_like(const Tensor& dense, Device device) {
  return has_row_major_strides(dense)
             ? Tensor::empty(dense.sizes(), dense.dtype(), device)
             : Tensor::empty_strided(dense.sizes(), dense.strides(), dense.dtype(), device);
}

void download_bytes(const Tensor& target, const Tensor& source) {
  if (source.numel() == 0) return;
  ++traffic.downloads;
  accelerator().download(target.raw_data(), source.raw_data(), source.bytes());
}

/// Pinned memory, which goes with the last tensor that views it.
class PinnedBlock final : public RefCounted {
 public:
  explicit PinnedBlock(size_t bytes) : data(accelerator().allocate_pinned(bytes)) {}
  ~PinnedBlock() override { accelerator().free_pinned(data); }

  std::byte* const data;
};

}  // namespace

void install_accelerator(Accelerator& (*open)(), bool (*is_there)()) {
  opener = open;
  finder = is_there;
}

bool has_accelerator() {
  return finder != nullptr && finder();
}

Accelerator& accelerator() {
  check(opener != nullptr, "an accelerator is installed before a tensor can be on it");
  accelerator_named = true;
  return opener();
}

DeviceTraffic device_traffic() {
  return traffic;
}

void upload_bytes(const Tensor& target, const std::byte* source, bool waits) {
  if (target.numel() == 0) return;
  ++traffic.uploads;
  accelerator().upload(target.raw_data(), source, target.bytes(), waits);
}

Tensor to_device(const Tensor& tensor, Device device, bool waits) {
  if (!device.is_cpu() && device.index < 0) device.index = 0;
  if (tensor.device().type == device.type) return tensor;
  const Tensor dense = is_dense(tensor) ? tensor : clone(tensor);
  Tensor result = empty_like(dense, device);
  if (device.is_cpu())
    download_bytes(result, dense);
  else
    upload_bytes(result, dense.raw_data(), waits);
  return result;
}

Tensor on_processor(const Tensor& tensor) {
  return tensor.device().is_cpu() ? tensor : to_device(tensor, Device::cpu());
}

bool is_pinned(const Tensor& tensor) {
  return accelerator_named && tensor.device().is_cpu() && tensor.numel() > 0 && has_accelerator() &&
         accelerator().is_pinned(tensor.raw_data());
}

Tensor pinned(const Tensor& tensor) {
  if (!has_accelerator() || is_pinned(tensor)) return tensor;
  const Tensor result = Tensor::empty(tensor.sizes(), tensor.dtype());
  const auto block = make_ref<PinnedBlock>(result.bytes());
  result->storage = Storage::wrap(block->data, result.bytes(), block);
  result->data = block->data;
  copy(result, tensor);
  return result;
}

Device default_device() {
  return made_on;
}

void set_default_device(Device device) {
  made_on = device;
}

DefaultDeviceScope::DefaultDeviceScope(Device device) : previous_(made_on) {
  made_on = device;
}
DefaultDeviceScope::~DefaultDeviceScope() {
  made_on = previous_;
}

}  // namespace glint
