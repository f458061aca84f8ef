// Kernel IR to CUDA C++ to PTX.
//
//     auto compiled = compile_cuda({&relu, &softmax}, {.architecture = "compute_90"});
//     if (!compiled) ... compiled.error().message      // NVRTC is missing, or what it says
//
//   1. each kernel's axes are bound (bind_axes.h) and it is written (kernel_writer.h);
//   2. those that are not known yet are one program, and NVRTC makes PTX of it: a program of fifty
//      kernels takes little longer than one of a single kernel;
//   3. what was compiled is kept by the kernels' text, until as much again has been compiled since,
//      and its PTX in files (code_cache.h).
//
// A compiler's error comes with the statement that its line was written for, and that statement's
// place in the script.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "backends/cuda/codegen/compiled_kernel.h"
#include "backends/cuda/codegen/write_program.h"
#include "backends/cuda/compile/compiler_log.h"
#include "backends/cuda/device/device.h"
#include "core/support/result.h"
#include "ir/kernel.h"

namespace glint::cuda {

struct CudaOptions {
  /// Whose PTX: `compute_75` and later, or `sm_75`. Empty: GLINT_CUDA_ARCH, the GPU's, else
  /// `compute_80`.
  std::string architecture = {};
  /// It is to run on the GPU: GLINT_CUDA_ARCH holds only if that takes such code.
  bool for_launch = false;
  WriteOptions write = {};
  /// One a kernel, if they are not all as `write` says.
  std::vector<LaunchShape> shapes = {};
  /// What was compiled before is taken; else all kernels are compiled, in one module.
  bool reuses_code = true;
};

/// One compiled kernel for each that is given, in order.
Result<std::vector<CompiledKernel>> compile_cuda(const std::vector<const Kernel*>& kernels,
                                                 const CudaOptions& options);

/// CUDA C++ that somebody else wrote; the diagnostics are NVRTC's, by the text's own lines.
struct CompiledText {
  std::string ptx;    ///< empty: it did not compile
  std::string cubin;  ///< machine code, of an architecture `sm_90`
  std::vector<Diagnostic> diagnostics;
};
/// The code of a text, from the files of what was compiled before, or by NVRTC, which looks for
/// headers in those folders.
Result<CompiledText> compile_text(const std::string& source, const std::string& architecture,
                                  const std::vector<std::string>& header_folders = {});
/// The same for who only looks at it: no program is counted.
Result<CompiledText> code_of_text(const std::string& source, const std::string& architecture,
                                  const std::vector<std::string>& header_folders = {});

/// Such a text for those who look at it, of the architecture that there is.
Result<std::shared_ptr<const CompiledModule>> compiled_module(std::string source);

/// How many programs have been compiled since the start; one that a file had counts too.
uint64_t program_count();

/// Whether a GPU takes what is compiled for an architecture: PTX that is no newer than it
/// (`compute_80`), machine code of its own generation (`sm_80`); of what is for one alone, as
/// `sm_90a`, its own.
bool runs_on(std::string_view architecture, const GpuProperties& gpu);

/// The architecture to compile for: what is asked for, else GLINT_CUDA_ARCH, else that of the GPU
/// there is, else `compute_80`. For a real GPU it is the nearest that NVRTC knows; the error says
/// that it knows none.
Result<std::string> architecture_of(const CudaOptions& options);

/// The first error among a compiler's diagnostics: what it says, of which statement of which
/// kernel, and that statement's place in the script.
Error located_error(const std::vector<Diagnostic>& diagnostics, const WrittenProgram& program,
                    const std::vector<const Kernel*>& kernels);

}  // namespace glint::cuda
