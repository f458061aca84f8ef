#include "backends/cuda/device/driver_functions.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include "backends/cuda/libraries/find_function.h"

namespace glint::cuda {
namespace {

bool find_device_functions(void* library, DriverFunctions& f) {
  return find_function(library, "cuInit", f.init) &&
         find_function(library, "cuDriverGetVersion", f.version) &&
         find_function(library, "cuGetErrorString", f.error_text) &&
         find_function(library, "cuDeviceGetCount", f.device_count) &&
         find_function(library, "cuDeviceGet", f.device) &&
         find_function(library, "cuDeviceGetName", f.device_name) &&
         find_function(library, "cuDeviceGetAttribute", f.device_attribute) &&
         find_function(library, "cuDeviceTotalMem_v2", f.device_memory) &&
         find_function(library, "cuDevicePrimaryCtxRetain", f.retain_context) &&
         find_function(library, "cuCtxSetCurrent", f.set_context) &&
         find_function(library, "cuCtxSynchronize", f.synchronise);
}

bool find_memory_functions(void* library, DriverFunctions& f) {
  return find_function(library, "cuMemAlloc_v2", f.allocate) &&
         find_function(library, "cuMemFree_v2", f.free) &&
         find_function(library, "cuMemGetInfo_v2", f.memory_left) &&
         find_function(library, "cuMemHostAlloc", f.allocate_pinned) &&
         find_function(library, "cuMemFreeHost", f.free_pinned) &&
         find_function(library, "cuMemHostGetDevicePointer_v2", f.pinned_address) &&
         find_function(library, "cuMemcpyHtoDAsync_v2", f.upload) &&
         find_function(library, "cuMemcpyDtoHAsync_v2", f.download) &&
         find_function(library, "cuMemsetD8Async", f.fill);
}

bool find_kernel_functions(void* library, DriverFunctions& f) {
  return find_function(library, "cuModuleLoadDataEx", f.load) &&
         find_function(library, "cuModuleUnload", f.unload) &&
         find_function(library, "cuModuleGetFunction", f.function) &&
         find_function(library, "cuFuncSetAttribute", f.set_attribute) &&
         find_function(library, "cuLaunchKernel", f.launch) &&
         find_function(library, "cuGraphCreate", f.make_graph) &&
         find_function(library, "cuGraphAddKernelNode", f.add_kernel) &&
         find_function(library, "cuGraphInstantiateWithFlags", f.instantiate) &&
         find_function(library, "cuGraphExecKernelNodeSetParams", f.change_kernel) &&
         find_function(library, "cuGraphLaunch", f.launch_graph) &&
         find_function(library, "cuGraphExecDestroy", f.destroy_executable) &&
         find_function(library, "cuGraphDestroy", f.destroy_graph);
}

bool find_stream_functions(void* library, DriverFunctions& f) {
  return find_function(library, "cuStreamCreateWithPriority", f.make_stream) &&
         find_function(library, "cuStreamQuery", f.query_stream) &&
         find_function(library, "cuStreamSynchronize", f.wait_for_stream) &&
         find_function(library, "cuStreamWaitEvent", f.have_stream_wait) &&
         find_function(library, "cuEventCreate", f.make_event) &&
         find_function(library, "cuEventDestroy_v2", f.destroy_event) &&
         find_function(library, "cuEventRecord", f.record_event) &&
         find_function(library, "cuEventQuery", f.query_event) &&
         find_function(library, "cuEventSynchronize", f.wait_for_event) &&
         find_function(library, "cuEventElapsedTime", f.elapsed);
}

Result<const DriverFunctions*> find_driver() {
  void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    // The loader says "cannot open shared object file" of one that is nowhere.
    const char* said = dlerror();
    const std::string refusal = said == nullptr ? "" : said;
    if (refusal.empty() || refusal.find("cannot open shared object file") != std::string::npos)
      return Error{std::string(kNoDriverText)};
    return Error{fmt::format("the CUDA driver (libcuda.so.1) cannot be loaded: {}", refusal)};
  }
  static DriverFunctions functions;
  if (!find_device_functions(library, functions) || !find_memory_functions(library, functions) ||
      !find_kernel_functions(library, functions) || !find_stream_functions(library, functions))
    return Error{"the CUDA driver (libcuda.so.1) is too old; it lacks what CUDA 11.4 has"};
  return &functions;
}

/// Whether it says what a kernel did, and not what was asked of the driver.
bool is_of_kernel(CuResult result) {
  return result == driver::kIllegalAddress || result == driver::kLaunchTimeout ||
         result == driver::kAssert ||
         (driver::kHardwareStackError <= result && result <= driver::kLaunchFailed);
}

}  // namespace

std::string DriverFunctions::cuda_version() const {
  int number = 0;
  version(&number);
  return fmt::format("{}.{}", number / 1000, number % 1000 / 10);
}

Error DriverFunctions::older_than_nvrtc() const {
  int number = 0;
  version(&number);
  return Error{fmt::format(
      "the CUDA driver ({}) is older than NVRTC, whose code it cannot read: it takes a newer "
      "driver, or `pip install nvidia-cuda-nvrtc-cu{}` and GLINT_NVRTC set to its folder",
      cuda_version(), number / 1000)};
}

Error DriverFunctions::failure(CuResult result, std::string_view kernel) const {
  const char* text = nullptr;
  if (error_text(result, &text) != driver::kSuccess || text == nullptr) text = "unknown error";
  std::string where;
  if (is_of_kernel(result))
    where = kernel.empty() ? "\nin a kernel that was launched before this call; "
                             "CUDA_LAUNCH_BLOCKING=1 tells it where it is launched, GLINT_GPU=sim "
                             "shows the line that does it"
                           : fmt::format(
                                 "\nin the kernel `{}`; GLINT_GPU=sim shows the line that "
                                 "does it",
                                 kernel);
  // The driver gives up the context, and what is in it.
  if (!where.empty()) where += "; the GPU, with what is on it, is lost to this process";
  return Error{fmt::format("CUDA error: {}{}", text, where)};
}

const Result<const DriverFunctions*>& load_driver() {
  static const Result<const DriverFunctions*> loaded = find_driver();
  return loaded;
}

}  // namespace glint::cuda
