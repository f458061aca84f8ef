// The schedule step for CUDA: says of each loop who runs its iterations.
//
//     parallel i in 0..s0 {               parallel i in 0..s0 block {      a row a block
//       acc = reduction sum : f32           acc = reduction sum : f32
//       reduce j in 0..4096 {       ->      reduce j in 0..4096 thread {   shared by its threads
//
//   outer loop   inner loops   who
//   thread       -             each thread of the grid runs some iterations, alone; loops inside
//                              run in order
//   vector       -             so too, several neighbours at a time: 16 bytes an access
//   warp         lane          a warp runs an iteration, its lanes share the inner loops
//   block        thread        a block runs an iteration, its threads share the inner loops; of few
//                              long rows, several share one (slice_rows.cpp)
//   lane         warp          a block runs 64 neighbours or fewer, one a lane; its warps share the
//                              inner loops: sums of columns, whose neighbours lie side by side;
//                              where that makes few blocks, several share the columns
//   warp, lane   -             a transpose: blocks take tiles of 32 by 32 of the two loops, which
//                              they turn in shared memory
//   -            block         all blocks share the one reduce loop of a kernel that is a reduction
//   -            thread        one block runs the whole kernel
//   (no binding)               one thread runs the whole kernel
//
//   1. A body that a team cannot share (loops in loops; a scan among other loops) goes to a thread;
//      so do scans of many columns side by side.
//   2. Where neighbouring outer iterations lie side by side in memory, and inner ones do not, lanes
//      take the outer loop.
//   3. Without inner loops, what is read side by side along another loop than the innermost is read
//      in tiles; else threads take neighbours where those lie side by side, or single elements.
//   4. Rows of at most 4 elements, or of 16 bytes, go to a thread, of at most 512 to a warp, of
//      which short ones take a part, longer ones, and those of unknown length, to a block; a shape
//      may say otherwise, or how long rows are at most.
#pragma once

#include <optional>

#include "backends/cuda/codegen/launch_shape.h"
#include "backends/cuda/codegen/loop_nest.h"
#include "ir/kernel.h"

namespace glint::cuda {

/// Rows that a warp takes, and rows that a thread scans alone: lengths at which a kernel's binding
/// changes. Of longer ones than kLongRow blocks have as many threads as there may be.
inline constexpr uint32_t kWarpRow = 512;
inline constexpr uint32_t kThreadScan = 16;
inline constexpr uint32_t kLongRow = 8192;

/// What one access moves at most: bytes, and elements.
inline constexpr int64_t kVectorBytes = 16;
inline constexpr int64_t kMostLanes = 8;

Kernel bind_axes(Kernel kernel, const LaunchShape& shape = {});

/// How many iterations an inner nest has at most; nothing where only the launch knows.
std::optional<int64_t> most_iterations(const Kernel& kernel, const Nest& nest,
                                       const LaunchShape& shape);

/// How many neighbours a thread does at a time, in a nest whose innermost loop is bound `vector`.
int64_t vector_lanes(const Kernel& kernel, size_t nest, const LaunchShape& shape = {});

}  // namespace glint::cuda
