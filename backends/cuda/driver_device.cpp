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

namespace glint::cuda {
namespace {

using CuResult = int;
using CuDevice = int;
using CuContext = struct OpaqueContext*;
using CuModule = struct OpaqueModule*;
using CuFunction = struct OpaqueFunction*;
using CuStream = struct OpaqueStream*;
using CuAddress = unsigned long long;

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
};

template <class F>
bool find_function(void* library, const char* name, F& function) {
  function = reinterpret_cast<F>(dlsym(library, name));
  return function != nullptr;
}

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
         find_function(library, "cuCtxSynchronize", f.synchronise);
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

class DriverGpu final : public Gpu {
 public:
  DriverGpu(const Functions& functions, GpuProperties properties)
      : f_(functions), properties_(std::move(properties)) {}
  const GpuProperties& properties() const override { return properties_; }

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
    std::vector<void*> arguments;
    for (const GpuArgument& each : launch.arguments)
      arguments.push_back(const_cast<std::byte*>(each.bytes.data()));
    const auto& [grid, block] = std::pair(launch.grid, launch.block);
    return outcome(f_, f_.launch(static_cast<const DriverEntry&>(entry).function, grid[0], grid[1],
                                 grid[2], block[0], block[1], block[2], launch.dynamic_shared,
                                 nullptr, arguments.data(), nullptr));
  }
  std::optional<Error> synchronise() override { return outcome(f_, f_.synchronise()); }

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
    return Error{"the CUDA driver (libcuda.so.1) is too old; it lacks what CUDA 11 has"};
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
