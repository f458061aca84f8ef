// `libcuda.so.1` as programs see it: each function looks at its handles and arguments, and leaves
// the work to the device behind it (device.h).
//
//     cuMemcpyHtoDAsync_v2(target, source, bytes, stream)
//         -> the copy waits in the stream; the source is read when it runs, if it is pinned
//
// Names, arguments and numbers are those of the driver's manual.
#include <cstring>
#include <mutex>
#include <set>

#include "backends/cuda/simulator/occupancy.h"
#include "tests/driver/device.h"

namespace glint::driver {
namespace {

constexpr int kMultiprocessorCount = 16;
constexpr int kThreadsPerMultiprocessor = 39;
constexpr int kMostSharedOfBlock = 97;
constexpr int kCapabilityMajor = 75;
constexpr int kCapabilityMinor = 76;
constexpr int kErrorLogBuffer = 5;
constexpr int kErrorLogBytes = 6;

/// All that the driver knows; never destroyed, since programs free memory until they end.
struct Driver {
  Settings settings;
  Device device{settings};
  std::mutex mutex;
  bool initialised = false;
  Status broken = kSuccess;  ///< what the context was lost by
  std::set<LoadedImage*> images;
  std::set<Graph*> graphs;
  std::set<GraphExecutable*> executables;
};
/// A context is current for a thread, not for the process.
thread_local bool has_context = false;

Driver& driver() {
  static Driver& made = *new Driver;
  return made;
}

/// A call that needs a context: written down, made to fail if it is asked to, and lost when the
/// context is.
template <class F>
int call(const char* name, const F& f) {
  Driver& d = driver();
  const std::lock_guard lock(d.mutex);
  if (const int failure = d.settings.note_call(name); failure != 0) return failure;
  if (!d.initialised) return kNotInitialised;
  if (!has_context) return kInvalidContext;
  if (d.broken != kSuccess) return d.broken;
  const Status status = f(d.device);
  if (status == kIllegalAddress || status == kLaunchFailed || status == kAssert) d.broken = status;
  return status;
}

/// One that needs none.
template <class F>
int call_early(const char* name, const F& f) {
  Driver& d = driver();
  const std::lock_guard lock(d.mutex);
  if (const int failure = d.settings.note_call(name); failure != 0) return failure;
  return f(d);
}

/// Work for a stream, which `handle` names; `waits` for it.
template <class F>
int enqueue(const char* name, void* handle, const F& make_work, bool waits = false) {
  return call(name, [&](Device& device) -> Status {
    Stream* stream = device.find_stream(handle);
    if (stream == nullptr) return kInvalidHandle;
    Stream::Work work;
    const Status status = make_work(device, work);
    if (status == kSuccess && work) stream->add(std::move(work));
    return status == kSuccess && waits ? stream->finish() : status;
  });
}

Status copy_to_device(Device& device, uint64_t target, const void* source, size_t bytes) {
  std::byte* place = device.find(target, bytes);
  if (place == nullptr) return kInvalidValue;
  std::memcpy(place, source, bytes);
  return kSuccess;
}
Status copy_from_device(Device& device, void* target, uint64_t source, size_t bytes) {
  const std::byte* place = device.find(source, bytes);
  if (place == nullptr) return kInvalidValue;
  std::memcpy(target, place, bytes);
  return kSuccess;
}

simulator::Launch sizes_of(const unsigned* grid, const unsigned* block, unsigned shared) {
  return {.grid = {grid[0], grid[1], grid[2]},
          .block = {block[0], block[1], block[2]},
          .dynamic_shared = shared};
}

/// CUDA_KERNEL_NODE_PARAMS.
struct KernelNode {
  const LoadedKernel* function;
  unsigned grid[3];
  unsigned block[3];
  unsigned shared;
  void** arguments;
  void** extra;
};

Status node_of(Device& device, const KernelNode& given, GraphNode& node) {
  node.kernel = given.function;
  return device.launch_of(*given.function, sizes_of(given.grid, given.block, given.shared),
                          given.arguments, node.launch);
}

struct ErrorText {
  int status;
  const char* name;
  const char* text;
};
constexpr ErrorText kErrors[] = {
    {kSuccess, "CUDA_SUCCESS", "no error"},
    {kInvalidValue, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {kOutOfMemory, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {kNotInitialised, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
    {kNoDevice, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
    {kInvalidDevice, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
    {kInvalidImage, "CUDA_ERROR_INVALID_IMAGE", "device kernel image is invalid"},
    {kInvalidContext, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
    {kNoBinaryForGpu, "CUDA_ERROR_NO_BINARY_FOR_GPU",
     "no kernel image is available for execution on the device"},
    {kUnsupportedPtx, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION",
     "the provided PTX was compiled with an unsupported toolchain."},
    {kInvalidHandle, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
    {kNotFound, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {kNotReady, "CUDA_ERROR_NOT_READY", "device not ready"},
    {kIllegalAddress, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"},
    {kOutOfResources, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES",
     "too many resources requested for launch"},
    {kAssert, "CUDA_ERROR_ASSERT", "device-side assert triggered"},
    {kLaunchFailed, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
};
const ErrorText* find_error(int status) {
  for (const ErrorText& each : kErrors)
    if (each.status == status) return &each;
  return nullptr;
}

}  // namespace
}  // namespace glint::driver

using namespace glint::driver;

#pragma GCC visibility push(default)
extern "C" {

// ---- The driver and its device -----------------------------------------------------------------

int cuInit(unsigned) {
  return call_early("cuInit", [](Driver& d) -> int {
    if (d.settings.devices == 0) return kNoDevice;
    d.initialised = true;
    return kSuccess;
  });
}
int cuDriverGetVersion(int* version) {
  return call_early("cuDriverGetVersion", [&](Driver& d) -> int {
    *version = d.settings.version;
    return kSuccess;
  });
}
/// What NVIDIA's own libraries ask for; NVRTC does without.
int cuGetExportTable(const void** table, const void*) {
  *table = nullptr;
  return kNotFound;
}
int cuGetErrorName(int status, const char** text) {
  const ErrorText* found = find_error(status);
  *text = found == nullptr ? nullptr : found->name;
  return found == nullptr ? kInvalidValue : kSuccess;
}
int cuGetErrorString(int status, const char** text) {
  const ErrorText* found = find_error(status);
  *text = found == nullptr ? nullptr : found->text;
  return found == nullptr ? kInvalidValue : kSuccess;
}
int cuDeviceGetCount(int* count) {
  return call_early("cuDeviceGetCount", [&](Driver& d) -> int {
    *count = d.settings.devices;
    return d.initialised ? kSuccess : kNotInitialised;
  });
}
int cuDeviceGet(int* device, int ordinal) {
  return call_early("cuDeviceGet", [&](Driver& d) -> int {
    *device = ordinal;
    return ordinal >= 0 && ordinal < d.settings.devices ? kSuccess : kInvalidDevice;
  });
}
int cuDeviceGetName(char* name, int length, int) {
  return call_early("cuDeviceGetName", [&](Driver&) -> int {
    // As the other device of the tests, so that scripts print the same on both.
    std::strncpy(name, "Glint simulated GPU", static_cast<size_t>(length));
    return kSuccess;
  });
}
int cuDeviceGetAttribute(int* value, int attribute, int) {
  return call_early("cuDeviceGetAttribute", [&](Driver& d) -> int {
    if (attribute == kMultiprocessorCount) *value = 108;
    if (attribute == kThreadsPerMultiprocessor) *value = 2048;
    if (attribute == kMostSharedOfBlock)
      *value = static_cast<int>(
          glint::simulator::find_architecture(std::to_string(d.settings.capability))
              .block_shared_bytes);
    if (attribute == kCapabilityMajor) *value = d.settings.capability / 10;
    if (attribute == kCapabilityMinor) *value = d.settings.capability % 10;
    return kSuccess;
  });
}
int cuDeviceTotalMem_v2(size_t* bytes, int) {
  return call_early("cuDeviceTotalMem_v2", [&](Driver& d) -> int {
    *bytes = d.settings.memory;
    return kSuccess;
  });
}
int cuDevicePrimaryCtxRetain(void** context, int) {
  return call_early("cuDevicePrimaryCtxRetain", [&](Driver& d) -> int {
    *context = &d;
    return kSuccess;
  });
}
int cuCtxSetCurrent(void* context) {
  return call_early("cuCtxSetCurrent", [&](Driver& d) -> int {
    has_context = context == &d;
    return has_context ? kSuccess : kInvalidContext;
  });
}
int cuCtxSynchronize() {
  return call("cuCtxSynchronize", [](Device& device) { return device.finish_all(); });
}

// ---- Memory ------------------------------------------------------------------------------------

int cuMemAlloc_v2(unsigned long long* address, size_t bytes) {
  return call("cuMemAlloc_v2", [&](Device& device) {
    uint64_t made = 0;
    const Status status = device.allocate(made, bytes);
    *address = made;
    return status;
  });
}
int cuMemFree_v2(unsigned long long address) {
  return call("cuMemFree_v2", [&](Device& device) { return device.free(address); });
}
int cuMemGetInfo_v2(size_t* left, size_t* total) {
  return call("cuMemGetInfo_v2", [&](Device& device) {
    *left = device.free_bytes();
    *total = driver().settings.memory;
    return kSuccess;
  });
}
int cuMemHostAlloc(void** block, size_t bytes, unsigned) {
  return call("cuMemHostAlloc", [&](Device& device) {
    *block = std::malloc(bytes);
    device.add_pinned(*block, bytes);
    return kSuccess;
  });
}
int cuMemFreeHost(void* block) {
  return call("cuMemFreeHost", [&](Device& device) {
    if (!device.remove_pinned(block)) return kInvalidValue;
    const Status status = device.finish_all();
    std::free(block);
    return status;
  });
}
int cuMemHostGetDevicePointer_v2(unsigned long long* address, void* block, unsigned) {
  return call("cuMemHostGetDevicePointer_v2", [&](Device& device) {
    const std::optional<uint64_t> found = device.address_of_pinned(block);
    *address = found.value_or(0);
    return found ? kSuccess : kInvalidValue;
  });
}
int cuMemcpyHtoD_v2(unsigned long long target, const void* source, size_t bytes) {
  return call("cuMemcpyHtoD_v2", [&](Device& device) {
    const Status status = device.default_stream().finish();
    return status == kSuccess ? copy_to_device(device, target, source, bytes) : status;
  });
}
int cuMemcpyDtoH_v2(void* target, unsigned long long source, size_t bytes) {
  return call("cuMemcpyDtoH_v2", [&](Device& device) {
    const Status status = device.default_stream().finish();
    return status == kSuccess ? copy_from_device(device, target, source, bytes) : status;
  });
}
int cuMemcpyHtoDAsync_v2(unsigned long long target, const void* source, size_t bytes,
                         void* stream) {
  return enqueue("cuMemcpyHtoDAsync_v2", stream, [&](Device& device, Stream::Work& work) -> Status {
    if (device.find(target, bytes) == nullptr) return kInvalidValue;
    if (device.is_pinned(source, bytes)) {
      work = [=, &device] { return copy_to_device(device, target, source, bytes); };
      return kSuccess;
    }
    const auto* begin = static_cast<const std::byte*>(source);
    const std::vector<std::byte> kept(begin, begin + bytes);
    work = [=, &device] { return copy_to_device(device, target, kept.data(), bytes); };
    return kSuccess;
  });
}
int cuMemcpyDtoHAsync_v2(void* target, unsigned long long source, size_t bytes, void* stream) {
  return enqueue("cuMemcpyDtoHAsync_v2", stream, [&](Device& device, Stream::Work& work) -> Status {
    if (device.find(source, bytes) == nullptr) return kInvalidValue;
    work = [=, &device] { return copy_from_device(device, target, source, bytes); };
    if (device.is_pinned(target, bytes)) return kSuccess;
    // Into memory that is not pinned the driver itself waits.
    Status status = device.find_stream(stream)->finish();
    if (status == kSuccess) status = work();
    work = nullptr;
    return status;
  });
}
int cuMemsetD8Async(unsigned long long target, unsigned char value, size_t bytes, void* stream) {
  return enqueue("cuMemsetD8Async", stream, [&](Device& device, Stream::Work& work) -> Status {
    if (device.find(target, bytes) == nullptr) return kInvalidValue;
    work = [=, &device] {
      std::byte* place = device.find(target, bytes);
      if (place == nullptr) return kIllegalAddress;
      std::memset(place, value, bytes);
      return kSuccess;
    };
    return kSuccess;
  });
}

// ---- Kernels -----------------------------------------------------------------------------------

int cuModuleLoadDataEx(LoadedImage** image, const void* bytes, unsigned count, int* options,
                       void** values) {
  return call("cuModuleLoadDataEx", [&](Device& device) {
    auto made = std::make_unique<LoadedImage>();
    std::string log;
    const Status status = device.load(*made, static_cast<const char*>(bytes), log);
    char* buffer = nullptr;
    size_t room = 0;
    for (unsigned i = 0; i < count; ++i) {
      if (options[i] == kErrorLogBuffer) buffer = static_cast<char*>(values[i]);
      if (options[i] == kErrorLogBytes) room = reinterpret_cast<size_t>(values[i]);
    }
    if (buffer != nullptr && room > 0) std::strncpy(buffer, log.c_str(), room - 1);
    if (status == kSuccess) driver().images.insert(*image = made.release());
    return status;
  });
}
int cuModuleUnload(LoadedImage* image) {
  return call("cuModuleUnload", [&](Device& device) {
    // A graph whose kernel is gone: nobody knows what NVIDIA's driver does then.
    if (std::ranges::any_of(driver().executables,
                            [&](const auto* each) { return each->has_kernel_of(*image); }))
      return kLaunchFailed;
    if (driver().images.erase(image) == 0) return kInvalidHandle;
    const Status status = device.finish_all();
    delete image;
    return status;
  });
}
int cuModuleGetFunction(const LoadedKernel** function, LoadedImage* image, const char* name) {
  return call("cuModuleGetFunction", [&](Device& device) {
    if (!driver().images.contains(image)) return kInvalidHandle;
    return device.find_kernel(*image, name, *function);
  });
}
int cuFuncSetAttribute(const LoadedKernel* function, int attribute, int value) {
  constexpr int kMostDynamicShared = 8, kMostOfBlock = 227 * 1024;
  return call("cuFuncSetAttribute", [&](Device&) {
    if (attribute != kMostDynamicShared || value < 0 || value > kMostOfBlock) return kInvalidValue;
    function->most_dynamic_shared = static_cast<unsigned>(value);
    return kSuccess;
  });
}
int cuLaunchKernel(const LoadedKernel* function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                   unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                   void* stream, void** arguments, void** extra) {
  if (driver().settings.idle) return kSuccess;
  const auto launch_work = [&](Device& device, Stream::Work& work) -> Status {
    const unsigned grid[] = {grid_x, grid_y, grid_z}, block[] = {block_x, block_y, block_z};
    if (extra != nullptr) return kInvalidValue;
    glint::simulator::Launch launch;
    const Status status =
        device.launch_of(*function, sizes_of(grid, block, shared), arguments, launch);
    work = [&device, function, launch = std::move(launch)] {
      return device.run(*function, launch);
    };
    return status;
  };
  return enqueue("cuLaunchKernel", stream, launch_work, driver().settings.waits);
}

// ---- Streams and events ------------------------------------------------------------------------

int cuStreamCreateWithPriority(Stream** stream, unsigned, int) {
  return call("cuStreamCreateWithPriority", [&](Device& device) {
    *stream = device.make_stream();
    return kSuccess;
  });
}
int cuStreamSynchronize(void* stream) {
  return call("cuStreamSynchronize", [&](Device& device) {
    Stream* found = device.find_stream(stream);
    return found == nullptr ? kInvalidHandle : found->finish();
  });
}
int cuStreamQuery(void* stream) {
  return call("cuStreamQuery", [&](Device& device) {
    Stream* found = device.find_stream(stream);
    if (found == nullptr) return kInvalidHandle;
    Status status = kSuccess;
    if (!found->run_one(status)) return kSuccess;
    return status == kSuccess ? kNotReady : status;
  });
}
int cuStreamWaitEvent(void* stream, void* event, unsigned) {
  return enqueue("cuStreamWaitEvent", stream, [&](Device& device, Stream::Work& work) -> Status {
    const Event* found = device.find_event(event);
    if (found == nullptr) return kInvalidHandle;
    // As it is now: that it is recorded again, later, changes nothing.
    if (!found->passed())
      work = [as_now = *found] { return as_now.stream->run_until(as_now.number); };
    return kSuccess;
  });
}
int cuEventCreate(Event** event, unsigned) {
  return call("cuEventCreate", [&](Device& device) {
    *event = device.make_event();
    return kSuccess;
  });
}
int cuEventDestroy_v2(void* event) {
  return call("cuEventDestroy_v2", [&](Device& device) { return device.destroy_event(event); });
}
int cuEventRecord(void* event, void* stream) {
  return call("cuEventRecord", [&](Device& device) {
    Event* found = device.find_event(event);
    Stream* place = device.find_stream(stream);
    if (found == nullptr || place == nullptr) return kInvalidHandle;
    device.record(*found, *place);
    return kSuccess;
  });
}
int cuEventQuery(void* event) {
  return call("cuEventQuery", [&](Device& device) {
    const Event* found = device.find_event(event);
    if (found == nullptr) return kInvalidHandle;
    if (found->passed()) return kSuccess;
    // Somebody who asks again and again is answered in the end.
    Status status = kSuccess;
    found->stream->run_one(status);
    return status == kSuccess ? kNotReady : status;
  });
}
int cuEventSynchronize(void* event) {
  return call("cuEventSynchronize", [&](Device& device) {
    const Event* found = device.find_event(event);
    if (found == nullptr) return kInvalidHandle;
    return found->passed() ? kSuccess : found->stream->run_until(found->number);
  });
}
int cuEventElapsedTime(float* milliseconds, void* from, void* to) {
  return call("cuEventElapsedTime", [&](Device& device) {
    const Event *start = device.find_event(from), *end = device.find_event(to);
    if (start == nullptr || end == nullptr || !start->time || !end->time) return kInvalidHandle;
    if (!start->passed() || !end->passed()) return kNotReady;
    *milliseconds = std::chrono::duration<float, std::milli>(*end->time - *start->time).count();
    return kSuccess;
  });
}

// ---- Graphs ------------------------------------------------------------------------------------

int cuGraphCreate(Graph** graph, unsigned) {
  return call("cuGraphCreate", [&](Device&) {
    driver().graphs.insert(*graph = new Graph);
    return kSuccess;
  });
}
int cuGraphAddKernelNode(GraphNode** node, Graph* graph, GraphNode* const* before, size_t count,
                         const KernelNode* kernel) {
  return call("cuGraphAddKernelNode", [&](Device& device) {
    if (!driver().graphs.contains(graph)) return kInvalidHandle;
    const GraphNode* last = graph->nodes.empty() ? nullptr : graph->nodes.back().get();
    // A chain is all that is known here.
    if (count != (last != nullptr ? 1 : 0) || (count == 1 && before[0] != last))
      return kInvalidValue;
    auto made = std::make_unique<GraphNode>();
    const Status status = node_of(device, *kernel, *made);
    if (status == kSuccess) {
      *node = made.get();
      graph->nodes.push_back(std::move(made));
    }
    return status;
  });
}
int cuGraphInstantiateWithFlags(GraphExecutable** executable, Graph* graph, unsigned long long) {
  return call("cuGraphInstantiateWithFlags", [&](Device&) {
    if (!driver().graphs.contains(graph)) return kInvalidHandle;
    auto made = std::make_unique<GraphExecutable>();
    for (const auto& node : graph->nodes) {
      made->places[node.get()] = made->nodes.size();
      made->nodes.push_back(*node);
    }
    driver().executables.insert(*executable = made.release());
    return kSuccess;
  });
}
int cuGraphExecKernelNodeSetParams(GraphExecutable* executable, const GraphNode* node,
                                   const KernelNode* kernel) {
  return call("cuGraphExecKernelNodeSetParams", [&](Device& device) {
    if (!driver().executables.contains(executable)) return kInvalidHandle;
    const auto place = executable->places.find(node);
    if (place == executable->places.end()) return kInvalidHandle;
    return node_of(device, *kernel, executable->nodes[place->second]);
  });
}
int cuGraphLaunch(GraphExecutable* executable, void* stream) {
  if (driver().settings.idle) return kSuccess;
  return enqueue("cuGraphLaunch", stream, [&](Device& device, Stream::Work& work) -> Status {
    if (!driver().executables.contains(executable)) return kInvalidHandle;
    work = [&device, nodes = executable->nodes] {
      for (const GraphNode& each : nodes)
        if (const Status status = device.run(*each.kernel, each.launch); status != kSuccess)
          return status;
      return kSuccess;
    };
    return kSuccess;
  });
}
int cuGraphExecDestroy(GraphExecutable* executable) {
  return call("cuGraphExecDestroy", [&](Device&) {
    if (driver().executables.erase(executable) == 0) return kInvalidHandle;
    delete executable;
    return kSuccess;
  });
}
int cuGraphDestroy(Graph* graph) {
  return call("cuGraphDestroy", [&](Device&) {
    if (driver().graphs.erase(graph) == 0) return kInvalidHandle;
    delete graph;
    return kSuccess;
  });
}

}  // extern "C"
#pragma GCC visibility pop
