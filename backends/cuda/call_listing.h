// What the listings show of a schedule's library calls, which have no loop nest of their own.
//
//     // %matmul: `mm` is a library call; where no library does it, this kernel does, by tiles of
//     // 16 x 16, which its sizes ask for
//     extern "C" __global__ void matrix_product(...
//
// Matrix products and convolutions are done by Glint's own tiled kernels wherever NVIDIA's
// libraries do not, so on the simulated GPU always: their text is known from the call. Any other
// call has a line that says so, and nobody who asks for a region's kernels is left with nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "backends/cuda/compiled_kernel.h"
#include "core/support/result.h"
#include "core/support/stage_log.h"
#include "ir/kernel.h"

namespace glint::cuda {

/// A kernel of Glint's own that computes a library call by tiles of one size.
struct CallKernel {
  std::string entry;
  std::string source;
  int64_t side = 16;  ///< of a tile
};
struct CallKernels {
  std::vector<CallKernel> by_tile = {};  ///< the smallest first; empty: no such kernel does it
  std::optional<size_t> usual = {};      ///< the one that its sizes ask for, if they are known here
};
CallKernels kernels_of(const Schedule& schedule, const LibraryCall& call);

// ---- behind what is listed of the schedule's kernels, what its calls run
// --------------------------

/// The CUDA C++ of each.
std::vector<StageLine> with_call_sources(const Schedule& schedule, std::vector<StageLine> listed);
/// What `lines_of` makes of its compiled text; a line for what is missing where it makes nothing.
using ModuleLines = Result<std::vector<StageLine>> (*)(const CompiledModule& module);
std::vector<StageLine> with_call_code(const Schedule& schedule, std::vector<StageLine> listed,
                                      std::string_view what, ModuleLines lines_of);
/// What the simulated GPU counted of each size of tiles that ran.
std::vector<StageLine> with_call_counts(const Schedule& schedule, std::vector<StageLine> listed);

}  // namespace glint::cuda
