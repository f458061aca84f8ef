#include "runtime/device/install.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <thread>
#include <vector>

#include "backends/cuda/device/device.h"
#include "backends/cuda/device/device_memory.h"
#include "backends/cuda/device/eager_launches.h"
#include "backends/cuda/device/launch_checks.h"
#include "backends/cuda/device/launch_entry.h"
#include "backends/cuda/kernels/element_kernels.h"
#include "core/support/profile.h"
#include "core/tensor/accelerator.h"
#include "ops/builders.h"
#include "ops/call.h"
#include "ops/device_calls.h"
#include "ops/kernels.h"
#include "runtime/device/cuda_module.h"
#include "runtime/device/draws.h"
#include "runtime/device/library_calls.h"
#include "runtime/device/one_operator.h"
#include "runtime/device/overwrites.h"
#include "runtime/interpreter/torch_values.h"

namespace glint::device {
namespace {

using ops::Arguments;
using ops::OpEntry;
using ops::Outputs;

/// The memory of the one device, cached, with PyTorch's errors.
class CudaAccelerator final : public Accelerator {
 public:
  std::byte* allocate(size_t bytes) override {
    return std::bit_cast<std::byte*>(cuda::allocate_on_device(bytes));
  }
  void free(std::byte* data, size_t bytes) override {
    cuda::device_memory().free(reinterpret_cast<uint64_t>(data));
  }
  void upload(std::byte* target, const std::byte* source, size_t bytes, bool waits) override {
    cuda::fail_on_device(
        cuda::need_gpu().upload(reinterpret_cast<uint64_t>(target), source, bytes, waits));
  }
  void download(std::byte* target, const std::byte* source, size_t bytes) override {
    cuda::fail_on_device(
        cuda::need_gpu().download(target, reinterpret_cast<uint64_t>(source), bytes));
    cuda::fail_on_checks();
  }
  void copy(const Tensor& target, const Tensor& source) override {
    cuda::copy_elements(target, source);
  }
  void fill(const Tensor& target, const Scalar& value) override {
    cuda::fill_elements(target, value);
  }
  std::byte* allocate_pinned(size_t bytes) override {
    const Result<void*> made = cuda::need_gpu().allocate_pinned(bytes);
    if (!made) cuda::fail_on_device(made.error());
    return static_cast<std::byte*>(*made);
  }
  void free_pinned(std::byte* data) override { (*cuda::open_gpu())->free_pinned(data); }
  bool is_pinned(const std::byte* data) const override { return cuda::need_gpu().is_pinned(data); }
  void note_use(const std::byte* data, uint64_t stream) override {
    cuda::device_memory().note_use(reinterpret_cast<uint64_t>(data), stream);
  }
};

Accelerator& open_cuda() {
  // Never destroyed: tensors may live until the process ends. A GPU is asked for once: destructors
  // come here, and must not fail by what is launched then.
  static CudaAccelerator& opened = (cuda::need_gpu(), *new CudaAccelerator);
  return opened;
}

bool writes_through(const OpEntry& entry) {
  return entry.functional_form != nullptr || entry.effects.mutates;
}

/// Whether it makes tensors of a size that its numbers say, beside an input or by computing: what
/// it comes down to takes that as a size, which may be another one at each call.
bool computes_size(const OpEntry& entry) {
  const std::string_view name = entry.name;
  return name == "arange" || name.starts_with("new_");
}

/// The bytes of a tensor's elements, each once, on the device.
int64_t device_bytes(const Tensor& tensor) {
  if (!tensor.defined() || tensor.device().is_cpu()) return 0;
  auto bytes = static_cast<int64_t>(dtype_size(tensor.dtype()));
  for (int64_t dim = 0; dim < tensor.rank(); ++dim)
    if (tensor.strides()[dim] != 0 || tensor.size(dim) == 0) bytes *= tensor.size(dim);
  return bytes;
}

int64_t bytes_read(const OpEntry& entry, Arguments arguments) {
  if (is_draw(entry) && !reads_operands(entry, arguments)) return 0;
  int64_t bytes = 0;
  std::vector<Tensor> counted;
  for (const ops::Argument& argument : arguments)
    for_each_value(argument, [&](const Tensor& tensor) {
      const auto same = [&](const Tensor& other) { return show_same_elements(other, tensor); };
      if (!tensor.defined() || std::ranges::any_of(counted, same)) return;
      counted.push_back(tensor);
      bytes += device_bytes(tensor);
    });
  return bytes;
}

/// A call has come to its end, and written those tensors.
void note_end(const OpEntry& entry, Arguments arguments, std::span<const Tensor> written) {
  int64_t bytes = 0;
  for (const Tensor& each : written) bytes += device_bytes(each);
  cuda::OperatorLaunches::say({.read = bytes_read(entry, arguments), .written = bytes});
}

/// Into a tensor that is there. What takes any device moves its tensors itself.
bool write_unnoted(const OpEntry& entry, Arguments arguments, const Tensor& target) {
  if (is_draw(entry)) return draw_over(entry, arguments, target);
  if (overwrites(entry)) return overwrite(entry, arguments, target);
  if (write_by_library(entry, arguments, target)) return true;
  return !entry.any_device && run_operator_into(entry, arguments, target);
}

bool write(const OpEntry& entry, Arguments arguments, const Tensor& target) {
  const cuda::OperatorLaunches launches;
  const bool done = write_unnoted(entry, arguments, target);
  if (done && launches.are_one_unknown()) note_end(entry, arguments, {&target, 1});
  return done;
}

bool run_into(const OpEntry& entry, Arguments arguments, std::span<const Tensor> outputs) {
  const cuda::OperatorLaunches launches;
  const bool done = run_library_into(entry, arguments, outputs);
  if (done && launches.are_one_unknown()) note_end(entry, arguments, outputs);
  return done;
}

/// How a call runs, in the order of these questions.
Outputs call_unnoted(const OpEntry& entry, Arguments arguments, Device device) {
  cuda::need_gpu_beside_launches();
  if (device.index > 0)
    throw ops::OpError{"AcceleratorError",
                       "CUDA error: invalid device ordinal: there is one device, cuda:0"};
  if (const LibraryCall* library = find_library_call(entry.name))
    return run_library(*library, entry, arguments);
  // What moves tensors, looks at their types only, or writes what another operator makes.
  const auto* view = entry.lowers_to<ops::View>();
  const bool only_moves = entry.any_device && !entry.decomposition;
  if (writes_through(entry) || only_moves || entry.effects.synchronises)
    return entry.eager(entry, arguments);
  if (is_draw(entry)) return draw(entry, arguments);
  if (view != nullptr && !view->copies) return ops::eager_view(entry, arguments);
  const DefaultDeviceScope scope(device);
  if (entry.any_device || entry.effects.random || computes_size(entry))
    return ops::run_decomposition(entry, arguments);
  if (entry.lowers_to<ops::Library>() && !entry.decomposition)
    throw ops::OpError{"NotImplementedError",
                       fmt::format("Could not run 'aten::{0}' with arguments from the 'CUDA' "
                                   "backend: it has no kernel there; move its tensors by `.cpu()`",
                                   ops::signature(entry).name)};
  return run_operator(entry, arguments);
}

/// "addmm_impl_cpu_" not implemented for 'Bool': what is refused for its dtype names the kernel
/// that this device would have.
void name_kernels_of_device(ops::OpError& error) {
  if (error.message.find("not implemented for") == std::string::npos) return;
  for (const std::string_view of_cpu : {"_impl_cpu_", "_cpu"}) {
    const size_t at = error.message.find(of_cpu);
    if (at != std::string::npos) return (void)error.message.replace(at, of_cpu.size(), "_cuda");
  }
}

Outputs call(const OpEntry& entry, Arguments arguments, Device device) {
  const cuda::OperatorLaunches launches;
  Outputs outputs = [&] {
    try {
      return call_unnoted(entry, arguments, device);
    } catch (ops::OpError& error) {
      name_kernels_of_device(error);
      throw;
    }
  }();
  if (launches.are_one_unknown()) note_end(entry, arguments, outputs.to_vector());
  return outputs;
}

/// A point in the stream in use, and how much was launched before.
struct Mark {
  std::shared_ptr<const cuda::GpuEvent> event;
  uint64_t launches = 0;
};

/// By the thread that asks the device for work: parts of a kernel of the processor are events of
/// others.
profile::DeviceMark mark_device() {
  static const std::thread::id asks = std::this_thread::get_id();
  if (!accelerator_named || std::this_thread::get_id() != asks || !cuda::open_gpu().ok())
    return nullptr;
  cuda::Gpu& gpu = **cuda::open_gpu();
  auto event = gpu.record(gpu.stream_in_use());
  return event ? std::make_shared<const Mark>(Mark{*event, cuda::launch_count()}) : nullptr;
}

/// Nothing where nothing was launched between them. What fails is told by the next call that waits.
int64_t nanoseconds_between(const profile::DeviceMark& from, const profile::DeviceMark& to) {
  const auto& first = *static_cast<const Mark*>(from.get());
  const auto& last = *static_cast<const Mark*>(to.get());
  if (first.launches == last.launches || last.event->wait()) return 0;
  const Result<double> time = first.event->milliseconds_to(*last.event);
  return time ? static_cast<int64_t>(*time * 1e6) : 0;
}

}  // namespace

bool finish_launches(runtime::Interpreter& interpreter) {
  try {
    cuda::finish_launches();
    return true;
  } catch (const ops::OpError& error) {
    runtime::raise_op_error(interpreter, error);
    return false;
  }
}

void install() {
  install_accelerator(open_cuda, [] { return cuda::open_gpu().ok(); });
  install_cuda_module();
  profile::install_device_clock({.mark = mark_device, .nanoseconds = nanoseconds_between});
  ops::install_device_calls({.call = call, .run_into = run_into, .write = write});
}

}  // namespace glint::device
