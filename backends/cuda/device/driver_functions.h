// CUDA's driver, `libcuda.so.1`, loaded at run time: its functions, by name.
//
//     const Result<const DriverFunctions*>& driver = load_driver();   // or that there is none
//     CuAddress address = 0;
//     if (auto fault = (*driver)->outcome((*driver)->allocate(&address, 4096))) ...
//
// Types and numbers are those of the driver's manual; no header is needed. Where CUDA's header is
// there, a test compares them with it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "core/support/result.h"

namespace glint::cuda {

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

/// CUDA_KERNEL_NODE_PARAMS in its first version.
struct CuKernelNode {
  CuFunction function;
  unsigned grid[3];
  unsigned block[3];
  unsigned shared;
  void** arguments;
  void** extra;
};

namespace driver {
inline constexpr CuResult kSuccess = 0;
inline constexpr CuResult kOutOfMemory = 2;
inline constexpr CuResult kInvalidImage = 200;
inline constexpr CuResult kNoDevice = 100;
inline constexpr CuResult kNoBinaryForGpu = 209;
inline constexpr CuResult kUnsupportedPtxVersion = 222;
inline constexpr CuResult kNotReady = 600;
/// What a kernel did; of these the last ones are a range, from a stack's fault to a failed launch.
inline constexpr CuResult kIllegalAddress = 700;
inline constexpr CuResult kLaunchTimeout = 702;
inline constexpr CuResult kAssert = 710;
inline constexpr CuResult kHardwareStackError = 714;
inline constexpr CuResult kLaunchFailed = 719;
inline constexpr int kMultiprocessorCount = 16;
inline constexpr int kThreadsPerMultiprocessor = 39;
inline constexpr int kMostSharedOfBlock = 97;  ///< where a kernel was allowed it
inline constexpr int kCapabilityMajor = 75;
inline constexpr int kCapabilityMinor = 76;
/// Of cuFuncSetAttribute: bytes of shared memory that a launch may ask for, beyond 48 KiB in all.
inline constexpr int kMostDynamicShared = 8;
/// Of cuModuleLoadDataEx: where the compiler's messages go, and how many bytes there are.
inline constexpr int kErrorLogBuffer = 5;
inline constexpr int kErrorLogBytes = 6;
/// A stream that does not wait for the default one.
inline constexpr unsigned kNonBlocking = 1;
/// An event that has no time, and costs less.
inline constexpr unsigned kWithoutTime = 2;
}  // namespace driver

struct DriverFunctions {
  CuResult (*init)(unsigned flags);
  CuResult (*version)(int* version);
  CuResult (*error_text)(CuResult, const char** text);
  CuResult (*device_count)(int* count);
  CuResult (*device)(CuDevice*, int ordinal);
  CuResult (*device_name)(char* name, int length, CuDevice);
  CuResult (*device_attribute)(int* value, int attribute, CuDevice);
  CuResult (*device_memory)(size_t* bytes, CuDevice);
  CuResult (*retain_context)(CuContext*, CuDevice);
  CuResult (*set_context)(CuContext);
  CuResult (*synchronise)();

  CuResult (*allocate)(CuAddress*, size_t bytes);
  CuResult (*free)(CuAddress);
  CuResult (*memory_left)(size_t* free, size_t* total);
  CuResult (*allocate_pinned)(void**, size_t bytes, unsigned flags);
  CuResult (*free_pinned)(void*);
  CuResult (*pinned_address)(CuAddress*, void* block, unsigned flags);
  CuResult (*upload)(CuAddress target, const void* source, size_t bytes, CuStream);
  CuResult (*download)(void* target, CuAddress source, size_t bytes, CuStream);
  CuResult (*fill)(CuAddress target, unsigned char value, size_t bytes, CuStream);

  CuResult (*load)(CuModule*, const void* image, unsigned count, int* options, void** values);
  CuResult (*unload)(CuModule);
  CuResult (*function)(CuFunction*, CuModule, const char* name);
  CuResult (*set_attribute)(CuFunction, int attribute, int value);
  CuResult (*launch)(CuFunction, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                     unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                     CuStream, void** arguments, void** extra);

  CuResult (*make_stream)(CuStream*, unsigned flags, int priority);
  CuResult (*query_stream)(CuStream);
  CuResult (*wait_for_stream)(CuStream);
  CuResult (*have_stream_wait)(CuStream, CuEvent, unsigned flags);
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

  /// The version of CUDA that the driver is of: `12.2`.
  std::string cuda_version() const;
  /// What is said where NVRTC is newer than the driver, which cannot read its code.
  Error older_than_nvrtc() const;
  /// `CUDA error: an illegal memory access was encountered`, as PyTorch says it; of what a kernel
  /// did, where to look. `kernel`: which it was, if that is known.
  Error failure(CuResult result, std::string_view kernel = {}) const;
  /// Nothing where it went well.
  std::optional<Error> outcome(CuResult result) const {
    return result == driver::kSuccess ? std::nullopt : std::optional(failure(result));
  }
};

/// What is said where nothing is wrong, and there is no GPU.
inline constexpr std::string_view kNoDriverText =
    "Found no NVIDIA driver on your system. Please check that you have an NVIDIA GPU and installed "
    "a driver from http://www.nvidia.com/Download/index.aspx (GLINT_GPU=sim offers a simulated "
    "GPU)";
inline constexpr std::string_view kNoGpuText =
    "No CUDA GPUs are available (GLINT_GPU=sim offers a simulated one)";

/// The driver, opened when it is first asked for and never unloaded; the error says what is
/// missing.
const Result<const DriverFunctions*>& load_driver();

}  // namespace glint::cuda
