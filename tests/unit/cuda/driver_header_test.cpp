// What we say of CUDA's driver, held against its header where that is installed: numbers, and the
// size and kind of every argument.
#include <catch2/catch.hpp>

#if __has_include(<cuda.h>)
#include <cuda.h>

#include <type_traits>

#include "backends/cuda/device/driver_functions.h"

namespace glint::cuda {
namespace {

/// Enumerations count as integers, and a pointer as any other.
template <class Ours, class Theirs>
constexpr bool same_argument() {
  return sizeof(Ours) == sizeof(Theirs) && std::is_pointer_v<Ours> == std::is_pointer_v<Theirs>;
}

template <class Ours, class Theirs>
struct SameCall : std::false_type {};
template <class... Ours, class... Theirs>
struct SameCall<CuResult (*)(Ours...), CUresult (*)(Theirs...)> {
  static constexpr bool value = [] {
    if constexpr (sizeof...(Ours) != sizeof...(Theirs))
      return false;
    else
      return (same_argument<Ours, Theirs>() && ...);
  }();
};
template <auto Member, auto Function>
constexpr bool kSame =
    SameCall<std::remove_cvref_t<decltype(std::declval<DriverFunctions>().*Member)>,
             decltype(Function)>::value;

using F = DriverFunctions;
static_assert(kSame<&F::init, &cuInit>);
static_assert(kSame<&F::version, &cuDriverGetVersion>);
static_assert(kSame<&F::error_text, &cuGetErrorString>);
static_assert(kSame<&F::device_count, &cuDeviceGetCount>);
static_assert(kSame<&F::device, &cuDeviceGet>);
static_assert(kSame<&F::device_name, &cuDeviceGetName>);
static_assert(kSame<&F::device_attribute, &cuDeviceGetAttribute>);
static_assert(kSame<&F::device_memory, &cuDeviceTotalMem_v2>);
static_assert(kSame<&F::retain_context, &cuDevicePrimaryCtxRetain>);
static_assert(kSame<&F::set_context, &cuCtxSetCurrent>);
static_assert(kSame<&F::synchronise, &cuCtxSynchronize>);
static_assert(kSame<&F::allocate, &cuMemAlloc_v2>);
static_assert(kSame<&F::free, &cuMemFree_v2>);
static_assert(kSame<&F::memory_left, &cuMemGetInfo_v2>);
static_assert(kSame<&F::allocate_pinned, &cuMemHostAlloc>);
static_assert(kSame<&F::free_pinned, &cuMemFreeHost>);
static_assert(kSame<&F::pinned_address, &cuMemHostGetDevicePointer_v2>);
static_assert(kSame<&F::upload, &cuMemcpyHtoDAsync_v2>);
static_assert(kSame<&F::download, &cuMemcpyDtoHAsync_v2>);
static_assert(kSame<&F::fill, &cuMemsetD8Async>);
static_assert(kSame<&F::load, &cuModuleLoadDataEx>);
static_assert(kSame<&F::unload, &cuModuleUnload>);
static_assert(kSame<&F::function, &cuModuleGetFunction>);
static_assert(kSame<&F::set_attribute, &cuFuncSetAttribute>);
static_assert(kSame<&F::launch, &cuLaunchKernel>);
static_assert(kSame<&F::make_stream, &cuStreamCreateWithPriority>);
static_assert(kSame<&F::query_stream, &cuStreamQuery>);
static_assert(kSame<&F::wait_for_stream, &cuStreamSynchronize>);
static_assert(kSame<&F::have_stream_wait, &cuStreamWaitEvent>);
static_assert(kSame<&F::make_event, &cuEventCreate>);
static_assert(kSame<&F::destroy_event, &cuEventDestroy_v2>);
static_assert(kSame<&F::record_event, &cuEventRecord>);
static_assert(kSame<&F::query_event, &cuEventQuery>);
static_assert(kSame<&F::wait_for_event, &cuEventSynchronize>);
static_assert(kSame<&F::make_graph, &cuGraphCreate>);
static_assert(kSame<&F::instantiate, &cuGraphInstantiateWithFlags>);
static_assert(kSame<&F::launch_graph, &cuGraphLaunch>);
static_assert(kSame<&F::destroy_executable, &cuGraphExecDestroy>);
static_assert(kSame<&F::destroy_graph, &cuGraphDestroy>);
// The first versions of these are not declared any more; the second ones take the same arguments,
// of a structure that only grew at its end.
static_assert(kSame<&F::elapsed, &cuEventElapsedTime>);
static_assert(kSame<&F::add_kernel, &cuGraphAddKernelNode>);
static_assert(kSame<&F::change_kernel, &cuGraphExecKernelNodeSetParams>);
static_assert(offsetof(CuKernelNode, function) == offsetof(CUDA_KERNEL_NODE_PARAMS, func));
static_assert(offsetof(CuKernelNode, block) == offsetof(CUDA_KERNEL_NODE_PARAMS, blockDimX));
static_assert(offsetof(CuKernelNode, shared) == offsetof(CUDA_KERNEL_NODE_PARAMS, sharedMemBytes));
static_assert(offsetof(CuKernelNode, arguments) == offsetof(CUDA_KERNEL_NODE_PARAMS, kernelParams));
static_assert(offsetof(CuKernelNode, extra) == offsetof(CUDA_KERNEL_NODE_PARAMS, extra));

static_assert(driver::kSuccess == CUDA_SUCCESS);
static_assert(driver::kOutOfMemory == CUDA_ERROR_OUT_OF_MEMORY);
static_assert(driver::kInvalidImage == CUDA_ERROR_INVALID_IMAGE);
static_assert(driver::kNoBinaryForGpu == CUDA_ERROR_NO_BINARY_FOR_GPU);
static_assert(driver::kUnsupportedPtxVersion == CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
static_assert(driver::kNotReady == CUDA_ERROR_NOT_READY);
static_assert(driver::kIllegalAddress == CUDA_ERROR_ILLEGAL_ADDRESS);
static_assert(driver::kLaunchTimeout == CUDA_ERROR_LAUNCH_TIMEOUT);
static_assert(driver::kAssert == CUDA_ERROR_ASSERT);
static_assert(driver::kHardwareStackError == CUDA_ERROR_HARDWARE_STACK_ERROR);
static_assert(driver::kLaunchFailed == CUDA_ERROR_LAUNCH_FAILED);
static_assert(driver::kMultiprocessorCount == CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
static_assert(driver::kMostSharedOfBlock == CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
static_assert(driver::kThreadsPerMultiprocessor ==
              CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
static_assert(driver::kMostDynamicShared == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
static_assert(driver::kCapabilityMajor == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
static_assert(driver::kCapabilityMinor == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
static_assert(driver::kErrorLogBuffer == CU_JIT_ERROR_LOG_BUFFER);
static_assert(driver::kErrorLogBytes == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES);
static_assert(driver::kNonBlocking == CU_STREAM_NON_BLOCKING);
static_assert(driver::kWithoutTime == CU_EVENT_DISABLE_TIMING);

}  // namespace
}  // namespace glint::cuda
#endif
