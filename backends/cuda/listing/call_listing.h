// What the listings show of a schedule's library calls, which have no loop nest of their own.
//
//     // %matmul: `mm` is a library call, which cuBLASLt did; where no library does it, this kernel
//     // does, by tiles of 16 x 16
//     extern "C" __global__ void matrix_product(...
//
// Of a product or a convolution the kernel is known from the call, of any other call when it ran on
// the GPU (call_kernels.h): until then a line says that, and nobody who asks for a region's kernels
// is left with nothing.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "backends/cuda/codegen/compiled_kernel.h"
#include "backends/cuda/compile/register_counts.h"
#include "backends/cuda/listing/call_kernels.h"
#include "backends/cuda/listing/schedule_parts.h"
#include "core/support/result.h"
#include "core/support/stage_log.h"
#include "ir/kernel.h"

namespace glint::cuda {

/// A row of the table of launches: its cells, and where it comes from.
struct LaunchRow {
  std::vector<std::string> cells;
  std::vector<Span> origins;
};
/// A row for each kernel of a call, or for the call where none is known; `-` for what nobody knows.
/// `missing`: why NVRTC did not compile one.
std::vector<LaunchRow> call_rows(const ListedSchedule& listed, const LibraryCall& call,
                                 RegisterCounts& counts, std::optional<Error>& missing);

/// Cells of such a row: registers, shared memory and occupancy of a kernel in its module.
std::vector<std::string> needs_of(const CallKernel& kernel,
                                  std::shared_ptr<const CompiledModule> module,
                                  RegisterCounts& counts);

/// Below such a table, what kept NVRTC from compiling a kernel, or from machine code.
void append_missing(std::vector<StageLine>& lines, const std::optional<Error>& missing,
                    const RegisterCounts& counts);

/// All kernels that may have done a call.
std::vector<CallKernel> kernels_of_call(const ListedSchedule& listed, const LibraryCall& call);

// ---- beside what is listed of the schedule's kernels, what its calls run ------------------------

/// The CUDA C++ of each.
std::vector<StageLine> with_call_sources(const ListedSchedule& listed, KernelSections sections);
/// What `lines_of` makes of its compiled text; a line for what is missing where it makes nothing.
using ModuleLines = std::vector<StageLine> (*)(const CompiledModule& module);
std::vector<StageLine> with_call_code(const ListedSchedule& listed, KernelSections sections,
                                      std::string_view what, ModuleLines lines_of);
/// What the simulated GPU counted of all that ran, whichever its tiles.
std::vector<StageLine> with_call_counts(const ListedSchedule& listed, KernelSections sections);

}  // namespace glint::cuda
