// A real GPU behind the border of device.h: CUDA's driver API, loaded at run time, never linked.
//
//   1. `libcuda.so.1` is opened and its functions are found by name;
//   2. the first device's primary context is made current for the thread that runs the program;
//   3. everything runs on the context's default stream, in order. Launches do not wait.
//
// The types and numbers are those of the driver's manual; no header is needed.
#include <dlfcn.h>
#include <fmt/format.h>

#include <bit>

#include "backends/cuda/device.h"
#include "backends/cuda/libraries/find_function.h"

namespace glint::cuda {
namespace {

using CuResult = int;
using CuDevice = int;
using CuContext = struct OpaqueContext*;
using CuModule = struct OpaqueModule*;
using CuFunction = struct OpaqueFunction*;
using CuStream = struct OpaqueStream*;
using CuEvent = struct OpaqueEvent*;
using CuAddress = unsigned long long;

using CuGraph = struct OpaqueGraph*;
using CuGraphNode = struct OpaqueGraphNode*;
using CuGraphExecutable = struct OpaqueGraphExecutable*;
/// CUDA_KERNEL_NODE_PARAMS of the manual.
struct CuKernelNode {
  CuFunction function;
  unsigned grid[3];
  unsigned block[3];
  unsigned shared;
  void** arguments;
  void** extra;
};

constexpr CuResult kSuccess = 0;
constexpr int kMultiprocessorCount = 16;
constexpr int kCapabilityMajor = 75;
constexpr int kCapabilityMinor = 76;
/// Of cuModuleLoadDataEx: where the compiler's messages go, and how many bytes there are.
constexpr int kErrorLogBuffer = 5;
constexpr int kErrorLogBytes = 6;

struct Functions {
  CuResult (*init)(unsigned flags);
  CuResult (*error_name)(CuResult, const char** text);
  CuResult (*error_text)(CuResult, const char** text);
  CuResult (*device_count)(int* count);
  CuResult (*device)(CuDevice*, int ordinal);
  CuResult (*device_name)(char* name, int length, CuDevice);
  CuResult (*device_attribute)(int* value, int attribute, CuDevice);
  CuResult (*device_memory)(size_t* bytes, CuDevice);
  CuResult (*retain_context)(CuContext*, CuDevice);
  CuResult (*set_context)(CuContext);
  CuResult (*allocate)(CuAddress*, size_t bytes);
  CuResult (*free)(CuAddress);
  CuResult (*upload)(CuAddress target, const void* source, size_t bytes);
  CuResult (*download)(void* target, CuAddress source, size_t bytes);
  CuResult (*fill)(CuAddress target, unsigned char value, size_t bytes);
  CuResult (*load)(CuModule*, const void* image, unsigned count, int* options, void** values);
  CuResult (*unload)(CuModule);
  CuResult (*function)(CuFunction*, CuModule, const char* name);
  CuResult (*launch)(CuFunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                     unsigned shared, CuStream, void** arguments, void** extra);
  CuResult (*synchronise)();
  CuResult (*memory_left)(size_t* free, size_t* total);
  CuResult (*make_event)(CuEvent*, unsigned flags);
  CuResult (*destroy_event)(CuEvent);
  CuResult (*record_event)(CuEvent, CuStream);
  CuResult (*query_event)(CuEvent);
  CuResult (*wait_for_event)(CuEvent);
  CuResult (*elapsed)(float* milliseconds, CuEvent from, CuEvent to);
  CuResult (*make_graph)(CuGraph*, unsigned flags);
  CuResult (*add_kernel)(CuGraphNode*, CuGraph, const CuGraphNode* before, size_t count,
                         const CuKernelNode*);
  CuResult (*instantiate)(CuGraphExecutable*, CuGraph, unsigned long long flags);
  CuResult (*change_kernel)(CuGraphExecutable, CuGraphNode, const CuKernelNode*);
  CuResult (*launch_graph)(CuGraphExecutable, CuStream);
  CuResult (*destroy_executable)(CuGraphExecutable);
  CuResult (*destroy_graph)(CuGraph);
};

bool find_functions(void* library, Functions& f) {
  return find_function(library, "cuInit", f.init) &&
         find_function(library, "cuGetErrorName", f.error_name) &&
         find_function(library, "cuGetErrorString", f.error_text) &&
         find_function(library, "cuDeviceGetCount", f.device_count) &&
         find_function(library, "cuDeviceGet", f.device) &&
         find_function(library, "cuDeviceGetName", f.device_name) &&
         find_function(library, "cuDeviceGetAttribute", f.device_attribute) &&
         find_function(library, "cuDeviceTotalMem_v2", f.device_memory) &&
         find_function(library, "cuDevicePrimaryCtxRetain", f.retain_context) &&
         find_function(library, "cuCtxSetCurrent", f.set_context) &&
         find_function(library, "cuMemAlloc_v2", f.allocate) &&
         find_function(library, "cuMemFree_v2", f.free) &&
         find_function(library, "cuMemcpyHtoD_v2", f.upload) &&
         find_function(library, "cuMemcpyDtoH_v2", f.download) &&
         find_function(library, "cuMemsetD8_v2", f.fill) &&
         find_function(library, "cuModuleLoadDataEx", f.load) &&
         find_function(library, "cuModuleUnload", f.unload) &&
         find_function(library, "cuModuleGetFunction", f.function) &&
         find_function(library, "cuLaunchKernel", f.launch) &&
         find_function(library, "cuCtxSynchronize", f.synchronise) &&
         find_function(library, "cuMemGetInfo_v2", f.memory_left) &&
         find_function(library, "cuEventCreate", f.make_event) &&
         find_function(library, "cuEventDestroy_v2", f.destroy_event) &&
         find_function(library, "cuEventRecord", f.record_event) &&
         find_function(library, "cuEventQuery", f.query_event) &&
         find_function(library, "cuEventSynchronize", f.wait_for_event) &&
         find_function(library, "cuEventElapsedTime", f.elapsed) &&
         find_function(library, "cuGraphCreate", f.make_graph) &&
         find_function(library, "cuGraphAddKernelNode", f.add_kernel) &&
         find_function(library, "cuGraphInstantiateWithFlags", f.instantiate) &&
         find_function(library, "cuGraphExecKernelNodeSetParams", f.change_kernel) &&
         find_function(library, "cuGraphLaunch", f.launch_graph) &&
         find_function(library, "cuGraphExecDestroy", f.destroy_executable) &&
         find_function(library, "cuGraphDestroy", f.destroy_graph);
}

/// `CUDA error: an illegal memory access was encountered`, as PyTorch says it.
Error failure(const Functions& f, CuResult result) {
  const char* text = nullptr;
  if (f.error_text(result, &text) != kSuccess || text == nullptr) text = "unknown error";
  return Error{fmt::format("CUDA error: {}", text)};
}

std::optional<Error> outcome(const Functions& f, CuResult result) {
  if (result == kSuccess) return std::nullopt;
  return failure(f, result);
}

struct DriverEntry final : GpuEntry {
  explicit DriverEntry(CuFunction made) : function(made) {}
  CuFunction function;
};

class DriverModule final : public GpuModule {
 public:
  DriverModule(const Functions& functions, CuModule module) : f_(functions), module_(module) {}
  ~DriverModule() override { f_.unload(module_); }
  DriverModule(const DriverModule&) = delete;
  DriverModule& operator=(const DriverModule&) = delete;

  Result<std::shared_ptr<const GpuEntry>> entry(const std::string& name) override {
    CuFunction function = nullptr;
    if (const CuResult result = f_.function(&function, module_, name.c_str()); result != kSuccess)
      return failure(f_, result);
    return std::shared_ptr<const GpuEntry>(std::make_shared<DriverEntry>(function));
  }

 private:
  const Functions& f_;
  CuModule module_;
};

class DriverEvent final : public GpuEvent {
 public:
  DriverEvent(const Functions& functions, CuEvent event) : f_(functions), event_(event) {}
  ~DriverEvent() override { f_.destroy_event(event_); }
  DriverEvent(const DriverEvent&) = delete;
  DriverEvent& operator=(const DriverEvent&) = delete;

  bool passed() const override { return f_.query_event(event_) == kSuccess; }
  std::optional<Error> wait() const override { return outcome(f_, f_.wait_for_event(event_)); }
  Result<double> milliseconds_to(const GpuEvent& later) const override {
    float time = 0;
    const CuEvent to = static_cast<const DriverEvent&>(later).event_;
    if (const CuResult result = f_.elapsed(&time, event_, to); result != kSuccess)
      return failure(f_, result);
    return double{time};
  }

 private:
  const Functions& f_;
  CuEvent event_;
};

std::vector<void*> argument_places(const GpuLaunch& launch) {
  std::vector<void*> places;
  for (const GpuArgument& each : launch.arguments)
    places.push_back(const_cast<std::byte*>(each.bytes.data()));
  return places;
}

/// A CUDA graph: a chain of kernels. The driver copies arguments when it is given them.
class DriverRecord final : public GpuRecord {
 public:
  explicit DriverRecord(const Functions& functions) : f_(functions) {}
  ~DriverRecord() override {
    if (executable_ != nullptr) f_.destroy_executable(executable_);
    if (graph_ != nullptr) f_.destroy_graph(graph_);
  }
  DriverRecord(const DriverRecord&) = delete;
  DriverRecord& operator=(const DriverRecord&) = delete;

  std::optional<Error> make(const std::vector<PendingLaunch>& launches) {
    CuResult result = f_.make_graph(&graph_, 0);
    for (size_t i = 0; i < launches.size() && result == kSuccess; ++i) {
      std::vector<void*> arguments = argument_places(launches[i].launch);
      const CuKernelNode kernel = node_of(launches[i], arguments);
      const CuGraphNode* before = nodes_.empty() ? nullptr : &nodes_.back();
      CuGraphNode made = nullptr;
      result = f_.add_kernel(&made, graph_, before, nodes_.empty() ? 0 : 1, &kernel);
      nodes_.push_back(made);
    }
    if (result == kSuccess) result = f_.instantiate(&executable_, graph_, 0);
    return outcome(f_, result);
  }
  std::optional<Error> change(size_t which, const PendingLaunch& launch) override {
    std::vector<void*> arguments = argument_places(launch.launch);
    const CuKernelNode kernel = node_of(launch, arguments);
    return outcome(f_, f_.change_kernel(executable_, nodes_[which], &kernel));
  }
  std::optional<Error> replay() override {
    return outcome(f_, f_.launch_graph(executable_, nullptr));
  }

 private:
  static CuKernelNode node_of(const PendingLaunch& pending, std::vector<void*>& arguments) {
    const auto& [grid, block] = std::pair(pending.launch.grid, pending.launch.block);
    return {static_cast<const DriverEntry&>(*pending.entry).function,
            {grid[0], grid[1], grid[2]},
            {block[0], block[1], block[2]},
            pending.launch.dynamic_shared,
            arguments.data(),
            nullptr};
  }

  const Functions& f_;
  CuGraph graph_ = nullptr;
  CuGraphExecutable executable_ = nullptr;
  std::vector<CuGraphNode> nodes_;
};

class DriverGpu final : public Gpu {
 public:
  DriverGpu(const Functions& functions, GpuProperties properties)
      : f_(functions), properties_(std::move(properties)) {}
  const GpuProperties& properties() const override { return properties_; }
  uint64_t free_bytes() const override {
    size_t left = 0, total = 0;
    return f_.memory_left(&left, &total) == kSuccess ? left : 0;
  }

  Result<uint64_t> allocate(size_t bytes) override {
    CuAddress address = 0;
    if (const CuResult result = f_.allocate(&address, bytes); result != kSuccess)
      return failure(f_, result);
    return uint64_t{address};
  }
  void free(uint64_t address) override { f_.free(address); }

  std::optional<Error> upload(uint64_t target, const void* source, size_t bytes) override {
    return outcome(f_, f_.upload(target, source, bytes));
  }
  std::optional<Error> download(void* target, uint64_t source, size_t bytes) override {
    return outcome(f_, f_.download(target, source, bytes));
  }
  std::optional<Error> clear(uint64_t target, size_t bytes) override {
    return outcome(f_, f_.fill(target, 0, bytes));
  }

  Result<std::shared_ptr<GpuModule>> load(const std::string& ptx,
                                          const std::string& source) override {
    CuModule module = nullptr;
    std::string log(4096, '\0');
    int options[] = {kErrorLogBuffer, kErrorLogBytes};
    // The driver reads this option's value out of the pointer itself.
    void* values[] = {log.data(), std::bit_cast<void*>(log.size())};
    if (const CuResult result = f_.load(&module, ptx.c_str(), 2, options, values);
        result != kSuccess)
      return Error{fmt::format("{}: {}", failure(f_, result).message, log.c_str())};
    return std::shared_ptr<GpuModule>(std::make_shared<DriverModule>(f_, module));
  }

  std::optional<Error> launch(const GpuEntry& entry, const GpuLaunch& launch) override {
    std::vector<void*> arguments = argument_places(launch);
    const auto& [grid, block] = std::pair(launch.grid, launch.block);
    return outcome(f_, f_.launch(static_cast<const DriverEntry&>(entry).function, grid[0], grid[1],
                                 grid[2], block[0], block[1], block[2], launch.dynamic_shared,
                                 nullptr, arguments.data(), nullptr));
  }
  Result<std::unique_ptr<GpuRecord>> record_launches(
      const std::vector<PendingLaunch>& launches) override {
    auto made = std::make_unique<DriverRecord>(f_);
    if (auto fault = made->make(launches)) return *fault;
    return std::unique_ptr<GpuRecord>(std::move(made));
  }
  std::optional<Error> synchronise() override { return outcome(f_, f_.synchronise()); }
  Result<std::shared_ptr<const GpuEvent>> record() override {
    CuEvent event = nullptr;
    if (const CuResult result = f_.make_event(&event, 0); result != kSuccess)
      return failure(f_, result);
    auto made = std::make_shared<const DriverEvent>(f_, event);
    if (const CuResult result = f_.record_event(event, nullptr); result != kSuccess)
      return failure(f_, result);
    return std::shared_ptr<const GpuEvent>(std::move(made));
  }

 private:
  const Functions& f_;
  GpuProperties properties_;
};

Result<GpuProperties> properties_of(const Functions& f, CuDevice device) {
  GpuProperties properties;
  char name[256] = {};
  int major = 0;
  int minor = 0;
  int multiprocessors = 0;
  size_t memory = 0;
  for (const CuResult result : {f.device_name(name, sizeof(name), device),
                                f.device_attribute(&major, kCapabilityMajor, device),
                                f.device_attribute(&minor, kCapabilityMinor, device),
                                f.device_attribute(&multiprocessors, kMultiprocessorCount, device),
                                f.device_memory(&memory, device)})
    if (result != kSuccess) return failure(f, result);
  properties.name = name;
  properties.major = static_cast<uint32_t>(major);
  properties.minor = static_cast<uint32_t>(minor);
  properties.multiprocessors = static_cast<uint32_t>(multiprocessors);
  properties.memory_bytes = memory;
  return properties;
}

}  // namespace

Result<std::unique_ptr<Gpu>> driver_gpu() {
  void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
    return Error{
        "there is no CUDA driver (libcuda.so.1) here; GLINT_GPU=sim offers a simulated GPU"};
  // Kept with the library, which is never unloaded.
  static Functions functions;
  if (!find_functions(library, functions))
    return Error{"the CUDA driver (libcuda.so.1) is too old; it lacks what CUDA 11.4 has"};
  int count = 0;
  CuResult result = functions.init(0);
  if (result == kSuccess) result = functions.device_count(&count);
  if (result != kSuccess) return failure(functions, result);
  if (count == 0) return Error{"the CUDA driver has no GPU; GLINT_GPU=sim offers a simulated one"};
  CuDevice device = 0;
  CuContext context = nullptr;
  result = functions.device(&device, 0);
  if (result == kSuccess) result = functions.retain_context(&context, device);
  if (result == kSuccess) result = functions.set_context(context);
  if (result != kSuccess) return failure(functions, result);
  Result<GpuProperties> properties = properties_of(functions, device);
  if (!properties) return properties.error();
  return std::unique_ptr<Gpu>(std::make_unique<DriverGpu>(functions, std::move(*properties)));
}

}  // namespace glint::cuda
