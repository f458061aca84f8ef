#include "runtime/device/cuda_module.h"

#include "backends/cuda/device_memory.h"
#include "backends/cuda/launch_kernel.h"
#include "core/tensor/accelerator.h"
#include "ops/op.h"
#include "runtime/device/raw_kernel.h"
#include "runtime/interpreter/builtins.h"
#include "runtime/interpreter/torch_modules.h"
#include "runtime/interpreter/torch_values.h"

namespace glint::device {
namespace {

using runtime::NativeCall;
using runtime::Value;

/// What went wrong, as the script sees it.
template <class F>
Value guarded(NativeCall& call, const F& f) {
  try {
    return f();
  } catch (const ops::OpError& error) {
    return runtime::raise_op_error(call.interpreter, error);
  }
}

Value int_value(uint64_t value) {
  return Value(static_cast<int64_t>(value));
}

Value problem(NativeCall& call) {
  const Result<cuda::Gpu*>& gpu = cuda::open_gpu();
  return gpu ? Value::none() : runtime::str_value(gpu.error().message);
}

Value need(NativeCall& call) {
  return guarded(call, [] {
    cuda::need_gpu();
    return Value::none();
  });
}

Value synchronize(NativeCall& call) {
  return guarded(call, [] {
    cuda::fail_on_device(cuda::need_gpu().synchronise());
    return Value::none();
  });
}

/// (name, major, minor, bytes, multiprocessors)
Value properties(NativeCall& call) {
  return guarded(call, [] {
    const cuda::GpuProperties& found = cuda::need_gpu().properties();
    return Value(runtime::make_tuple({runtime::str_value(found.name), int_value(found.major),
                                      int_value(found.minor), int_value(found.memory_bytes),
                                      int_value(found.multiprocessors)}));
  });
}

/// (allocated, most allocated, reserved, most reserved, requests to the device); zeros before it is
/// opened.
Value memory(NativeCall& call) {
  return guarded(call, [] {
    cuda::MemoryStatistics found;
    if (cuda::open_gpu()) found = cuda::device_memory().statistics();
    return Value(runtime::make_tuple({int_value(found.allocated), int_value(found.most_allocated),
                                      int_value(found.reserved), int_value(found.most_reserved),
                                      int_value(found.device_requests)}));
  });
}

Value empty_cache(NativeCall& call) {
  if (cuda::open_gpu()) cuda::device_memory().empty();
  return Value::none();
}
Value reset_peaks(NativeCall& call) {
  if (cuda::open_gpu()) cuda::device_memory().reset_peaks();
  return Value::none();
}

Value get_default(NativeCall& call) {
  return runtime::device_value(default_device());
}
Value set_default(NativeCall& call) {
  Device device;
  if (!runtime::device_of(call.interpreter, call[0], device)) return Value();
  if (!device.is_cpu() && device.index < 0) device.index = 0;
  set_default_device(device);
  return Value::none();
}

/// (uploads, downloads, launches) since the start.
Value traffic(NativeCall& call) {
  const DeviceTraffic found = device_traffic();
  return Value(runtime::make_tuple(
      {int_value(found.uploads), int_value(found.downloads), int_value(cuda::launch_count())}));
}

constexpr runtime::Effects kImpure{.impure = true};

constexpr runtime::NativeDefinition kNatives[] = {
    {"problem()", problem, kImpure, "why there is no GPU; None if there is one"},
    {"need()", need, kImpure, "raises where there is no GPU"},
    {"synchronize()", synchronize, kImpure, "waits for all work on the GPU"},
    {"properties()", properties, kImpure, "what the GPU is"},
    {"memory()", memory, kImpure, "statistics of its memory"},
    {"empty_cache()", empty_cache, kImpure, "gives unused memory back"},
    {"reset_peaks()", reset_peaks, kImpure, "starts the peaks anew"},
    {"default_device()", get_default, kImpure, "where tensors are made"},
    {"set_default_device(device, /)", set_default, kImpure, "sets that"},
    {"raw_compile(source, name)", raw_compile, kImpure, "compiles a kernel of the script's"},
    {"raw_launch(source, name, grid, block, arguments, shared)", raw_launch, kImpure,
     "launches it"},
    {"traffic()", traffic, kImpure, "copies to and from the GPU, and launches"},
};

void fill(runtime::Interpreter& interpreter, runtime::ModuleObject& module) {
  interpreter.add_functions(module, kNatives);
}

}  // namespace

void install_cuda_module() {
  runtime::NativeModule module;
  module.fill = fill;
  runtime::register_native_module("_glint_cuda", module);
}

}  // namespace glint::device
