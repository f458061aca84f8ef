#include "runtime/device/cuda_module.h"

#include <map>

#include "backends/cuda/compile/compile_cuda.h"
#include "backends/cuda/compile/compiler_problem.h"
#include "backends/cuda/compile/nvrtc.h"
#include "backends/cuda/device/device_memory.h"
#include "backends/cuda/device/launch_checks.h"
#include "backends/cuda/device/launch_entry.h"
#include "backends/cuda/kernels/library_convolution.h"
#include "backends/cuda/kernels/matrix_product.h"
#include "backends/cuda/tuning/tuning.h"
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

Value driver_problem(NativeCall& call) {
  const auto found = cuda::driver_problem();
  return found ? runtime::str_value(found->message) : Value::none();
}

Value compiler_problem(NativeCall& call) {
  const auto found = cuda::compiler_problem();
  return found ? runtime::str_value(found->message) : Value::none();
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
    cuda::fail_on_checks();
    return Value::none();
  });
}

/// (name, major, minor, bytes, multiprocessors, threads of each)
Value properties(NativeCall& call) {
  return guarded(call, [] {
    const cuda::GpuProperties& found = cuda::need_gpu().properties();
    return Value(runtime::make_tuple({runtime::str_value(found.name), int_value(found.major),
                                      int_value(found.minor), int_value(found.memory_bytes),
                                      int_value(found.multiprocessors),
                                      int_value(found.threads_per_multiprocessor)}));
  });
}

Value amount_value(const cuda::Amount& amount) {
  return Value(runtime::make_tuple({int_value(amount.current), int_value(amount.peak),
                                    int_value(amount.added), int_value(amount.removed)}));
}

/// The name of each metric, and its amounts of all, of the large and of the small pool.
Value metric_values(const cuda::MemoryStatistics& found) {
  std::vector<Value> metrics;
  for (const auto& [name, metric] : cuda::kMemoryMetrics)
    metrics.emplace_back(runtime::make_tuple(
        {runtime::str_value(name), amount_value(found.all.*metric),
         amount_value(found.large.*metric), amount_value(found.small.*metric)}));
  return Value(runtime::make_tuple(std::move(metrics)));
}

/// (metrics, taken from the device, given back to it, waits, retries, failures), of which each
/// amount is (now, at most, taken, given back); zeros before the device is opened.
Value memory(NativeCall& call) {
  return guarded(call, [] {
    cuda::MemoryStatistics found;
    if (cuda::open_gpu()) found = cuda::device_memory().statistics();
    return Value(runtime::make_tuple({metric_values(found), int_value(found.device_allocations),
                                      int_value(found.device_frees), int_value(found.waits),
                                      int_value(found.retries), int_value(found.failures)}));
  });
}

Value limit_memory(NativeCall& call) {
  return guarded(call, [&] {
    const auto bytes = static_cast<uint64_t>(call[0].as_int());
    const bool all = bytes >= cuda::need_gpu().properties().memory_bytes;
    cuda::device_memory().limit_to(all ? ~uint64_t{0} : bytes);
    return Value::none();
  });
}
Value free_bytes(NativeCall& call) {
  return guarded(call, [] { return int_value(cuda::need_gpu().free_bytes()); });
}

Value empty_cache(NativeCall& call) {
  if (cuda::open_gpu()) cuda::device_memory().empty();
  return Value::none();
}
Value reset_peaks(NativeCall& call) {
  if (cuda::open_gpu()) cuda::device_memory().reset_peaks();
  return Value::none();
}
Value reset_accumulated(NativeCall& call) {
  if (cuda::open_gpu()) cuda::device_memory().reset_accumulated();
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

// ---- Events: the script holds their numbers ----------------------------------------------------

struct Events {
  std::map<int64_t, std::shared_ptr<const cuda::GpuEvent>> known;
  int64_t next = 1;
};
Events& events() {
  static Events& all = *new Events;
  return all;
}
const cuda::GpuEvent& event_of(const Value& number) {
  return *events().known.at(number.as_int());
}

cuda::GpuStream stream_of(const Value& number) {
  return static_cast<cuda::GpuStream>(number.as_int());
}

Value record_event(NativeCall& call) {
  return guarded(call, [&] {
    auto made = cuda::need_gpu().record(stream_of(call[0]));
    if (!made) cuda::fail_on_device(made.error());
    events().known.emplace(events().next, std::move(*made));
    return Value(events().next++);
  });
}
Value drop_event(NativeCall& call) {
  events().known.erase(call[0].as_int());
  return Value::none();
}
Value event_passed(NativeCall& call) {
  return Value(event_of(call[0]).passed());
}
Value wait_event(NativeCall& call) {
  return guarded(call, [&] {
    cuda::fail_on_device(event_of(call[0]).wait());
    cuda::fail_on_checks();
    return Value::none();
  });
}
Value event_time(NativeCall& call) {
  return guarded(call, [&] {
    const Result<double> time = event_of(call[0]).milliseconds_to(event_of(call[1]));
    if (!time) cuda::fail_on_device(time.error());
    return Value(*time);
  });
}

// ---- Streams -----------------------------------------------------------------------------------

Value make_stream(NativeCall& call) {
  return guarded(call, [&] {
    auto made = cuda::need_gpu().make_stream(static_cast<int>(call[0].as_int()));
    if (!made) cuda::fail_on_device(made.error());
    return int_value(*made);
  });
}
Value use_stream(NativeCall& call) {
  return guarded(call, [&] {
    cuda::need_gpu().use_stream(stream_of(call[0]));
    return Value::none();
  });
}
Value stream_in_use(NativeCall& call) {
  return guarded(call, [] { return int_value(cuda::need_gpu().stream_in_use()); });
}
Value stream_done(NativeCall& call) {
  return guarded(call, [&] { return Value(cuda::need_gpu().is_done(stream_of(call[0]))); });
}
Value wait_for_stream(NativeCall& call) {
  return guarded(call, [&] {
    cuda::fail_on_device(cuda::need_gpu().wait_for(stream_of(call[0])));
    cuda::fail_on_checks();
    return Value::none();
  });
}
Value have_stream_wait(NativeCall& call) {
  return guarded(call, [&] {
    cuda::fail_on_device(cuda::need_gpu().have_wait(stream_of(call[0]), event_of(call[1])));
    return Value::none();
  });
}

/// (uploads, downloads, launches, programs compiled, calls of NVIDIA's libraries,
/// ways timed) since the start.
Value traffic(NativeCall& call) {
  const DeviceTraffic found = device_traffic();
  return Value(runtime::make_tuple(
      {int_value(found.uploads), int_value(found.downloads), int_value(cuda::launch_count()),
       int_value(cuda::program_count()), int_value(cuda::library_call_count()),
       int_value(cuda::timing_count())}));
}

Value allow_tf32(NativeCall& call) {
  cuda::allow_tf32(call[0].as_bool());
  return Value::none();
}

Value set_cudnn(NativeCall& call) {
  cuda::cudnn_switches() = {.enabled = call[0].as_bool(),
                            .deterministic = call[1].as_bool(),
                            .allow_tf32 = call[2].as_bool()};
  return Value::none();
}

/// Its number, where it is found and the GPU is one that it works on.
Value cudnn_version(NativeCall& call) {
  cuda::Cudnn* found = cuda::available_cudnn();
  return found != nullptr && found->works() ? int_value(found->number()) : Value::none();
}

Value compiler_version(NativeCall& call) {
  const auto& nvrtc = cuda::load_nvrtc();
  return nvrtc ? runtime::str_value((*nvrtc)->version()) : Value::none();
}

constexpr runtime::Effects kImpure{.impure = true};

constexpr runtime::NativeDefinition kNatives[] = {
    {"problem()", problem, kImpure, "why there is no GPU; None if there is one"},
    {"driver_problem()", driver_problem, kImpure,
     "why the driver does not start; None if it does, or there is no GPU"},
    {"compiler_problem()", compiler_problem, kImpure,
     "why no kernel can be made for the GPU; None if one can"},
    {"need()", need, kImpure, "raises where there is no GPU"},
    {"synchronize()", synchronize, kImpure, "waits for all work on the GPU"},
    {"properties()", properties, kImpure, "what the GPU is"},
    {"memory()", memory, kImpure, "statistics of its memory"},
    {"empty_cache()", empty_cache, kImpure, "gives unused memory back"},
    {"limit_memory(bytes, /)", limit_memory, kImpure, "the most that tensors may take of it"},
    {"free_bytes()", free_bytes, kImpure, "what nobody has of it"},
    {"record_event(stream, /)", record_event, kImpure,
     "the number of an event behind all work so far of a stream"},
    {"drop_event(event, /)", drop_event, kImpure, "forgets it"},
    {"event_passed(event, /)", event_passed, kImpure, "whether all work before it is done"},
    {"wait_event(event, /)", wait_event, kImpure, "waits for that"},
    {"event_time(start, end, /)", event_time, kImpure, "milliseconds from one to another"},
    {"make_stream(priority, /)", make_stream, kImpure, "the number of a new stream"},
    {"use_stream(stream, /)", use_stream, kImpure, "where work goes from now on"},
    {"stream_in_use()", stream_in_use, kImpure, "where it goes"},
    {"stream_done(stream, /)", stream_done, kImpure, "whether all its work is done"},
    {"wait_for_stream(stream, /)", wait_for_stream, kImpure, "waits for that"},
    {"have_stream_wait(stream, event, /)", have_stream_wait, kImpure,
     "what is asked of it from now on comes behind the event"},
    {"reset_peaks()", reset_peaks, kImpure, "starts the peaks anew"},
    {"reset_accumulated()", reset_accumulated, kImpure, "starts anew what was ever taken"},
    {"default_device()", get_default, kImpure, "where tensors are made"},
    {"set_default_device(device, /)", set_default, kImpure, "sets that"},
    {"raw_compile(source, name)", raw_compile, kImpure,
     "compiles a kernel of the script's; what the compiler warns of"},
    {"raw_launch(source, name, grid, block, arguments, shared)", raw_launch, kImpure,
     "launches it"},
    {"traffic()", traffic, kImpure,
     "copies to and from the GPU, launches, programs, library calls, timings"},
    {"allow_tf32(allowed, /)", allow_tf32, kImpure,
     "whether products may round float32 to 10 bits of fraction"},
    {"set_cudnn(enabled, deterministic, allow_tf32, /)", set_cudnn, kImpure,
     "how convolutions are computed"},
    {"compiler_version()", compiler_version, kImpure, "NVRTC's version; None where it is not"},
    {"cudnn_version()", cudnn_version, kImpure, "cuDNN's number; None where it is not used"},
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
