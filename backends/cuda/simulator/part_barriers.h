// Barriers that say how many threads they take, which may be a part of the block's:
//
//     bar.sync 1, 64       the warp comes to barrier 1 and waits until 64 threads have come
//     bar.arrive 1, 64     it comes, and goes on
//
// Those that wait go on as soon as the last has come, so that whoever waits for them by other means
// does not wait for ever. What all that came did before is ordered before what those do that waited
// (warp_clocks.h). In a kernel that has such a barrier, barriers for all threads count as ones that
// take as many as the block has; without any, BlockRunner lets go all warps at once.
#pragma once

#include <cstdint>

#include "backends/cuda/simulator/warp_clocks.h"

namespace glint::simulator {

struct Program;
struct Warp;

/// That a warp has come to a barrier which is not complete.
struct Arrival {
  uint32_t barrier = 0;
  uint32_t threads = 0;  ///< how many the barrier takes
  uint32_t warp = 0;
  WarpClocks::Clock clock = {};
};

bool has_part_barriers(const Program& program);
/// Whether a barrier of a warp may be one of a part of its lanes (`bar.warp.sync 0xffff`).
bool has_lane_barriers(const Program& program);

/// The warp comes to a barrier that takes `count` threads (0: all), whether it waits there or not.
void come_to_barrier(Warp& warp, uint32_t barrier, uint32_t count);

}  // namespace glint::simulator
