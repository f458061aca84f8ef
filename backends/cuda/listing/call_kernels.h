// The kernels of Glint's own that do a schedule's library call: those that it launched, if it ran
// on the GPU, else what is known from the call.
//
//     kernels_of(schedule, call).by_tile     matrix_product, matrix_product_32x32, ...
//     runs_of(schedule, call, false)->last   {scatter}, a block of 256 threads, 40 of them
//
// Products and convolutions are done by tiled kernels wherever NVIDIA's libraries do not, so on the
// simulated GPU always: their text is known from the call. Other texts depend on how the tensors of
// a call lie in memory, and on how many elements there are.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ir/kernel.h"

namespace glint::cuda {

struct CallKernel {
  std::string entry;
  std::string source;
  std::string grid;      ///< blocks, as a text: `14`, `4 x 2`, `(s0 + 15) // 16`
  uint32_t threads = 0;  ///< of a block
  uint32_t dynamic_shared = 0;
};
/// Computes a library call by tiles of one size.
struct TileKernel : CallKernel {
  int64_t side = 16;  ///< of a tile
};
struct CallKernels {
  std::vector<TileKernel> by_tile = {};  ///< the smallest first; empty: no such kernel does it
  std::optional<size_t> usual = {};      ///< the one that its sizes ask for, if they are known here

  /// Which of them a listing shows.
  const TileKernel& shown() const { return by_tile[usual.value_or(0)]; }
  /// The same kernel among them; null: it is none of them.
  const TileKernel* find(const CallKernel& kernel) const;
};
CallKernels kernels_of(const Schedule& schedule, const LibraryCall& call);

/// `14`, `4 x 2`
std::string extent_text(const std::array<uint32_t, 3>& sizes);

/// What runs of a call launched, in the order of their first launch.
struct CallRuns {
  std::vector<CallKernel> last;   ///< the last run
  std::vector<CallKernel> all;    ///< all of them
  std::string_view library = {};  ///< NVIDIA's, if it did the last run
};
/// Nothing where no call of its text ran on a GPU, in a schedule that is tuned or in one that is
/// not.
std::optional<CallRuns> runs_of(const Schedule& schedule, const LibraryCall& call, bool is_tuned);

/// NVIDIA's library that does such a call on the GPU that there is; empty: none.
std::string_view library_for(const Schedule& schedule, const LibraryCall& call);

}  // namespace glint::cuda
