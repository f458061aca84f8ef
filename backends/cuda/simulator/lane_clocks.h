// What is ordered before what among the lanes of a warp, some of which synchronise:
//
//     lanes 0-31   write, in epoch 0
//     lanes 0-15   __syncwarp(0xffff)       epoch 1 of the warp begins
//     lane 3       knows of lanes 0-15 that epoch 0 is over; of lane 20 it knows nothing
//
// The warp's epochs are counted by whoever of it synchronises. Each lane knows of every other the
// epoch before which all that it did is behind, and those that meet learn what any of them knew (a
// vector clock, as warp_clocks.h has it of warps). Where all lanes meet all know the same, so that
// the clocks are kept for kernels only in which fewer may.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "backends/cuda/simulator/instruction.h"

namespace glint::simulator {

class LaneClocks {
 public:
  /// Starts a block of so many warps: nobody knows of anybody.
  void start(size_t warps) { known_.assign(warps, {}); }
  /// Whether what a lane did in an epoch is ordered before what `observer` does now, threads of one
  /// warp both.
  bool is_over(uint32_t thread, uint32_t epoch, uint32_t observer) const {
    return epoch < known_[thread / kLanes][observer % kLanes][thread % kLanes];
  }
  /// Lanes of a warp have met; `epoch` begins.
  void meet(uint32_t warp, uint32_t lanes, uint32_t epoch) {
    Clock all = {};
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      if ((lanes >> lane & 1) == 0) continue;
      for (uint32_t of = 0; of < kLanes; ++of) all[of] = std::max(all[of], known_[warp][lane][of]);
    }
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      if ((lanes >> lane & 1) != 0) all[lane] = epoch;
    }
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      if ((lanes >> lane & 1) != 0) known_[warp][lane] = all;
    }
  }

 private:
  using Clock = std::array<uint32_t, kLanes>;
  std::vector<std::array<Clock, kLanes>> known_;  ///< by warp, and lane that knows
};

}  // namespace glint::simulator
