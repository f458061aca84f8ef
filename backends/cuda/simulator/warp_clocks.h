// What is ordered before what, among the warps of a block that meet at barriers for a part of it.
//
// A warp's time goes in epochs: one is over where its lanes synchronise (`bar.warp.sync`), or where
// the warp comes to such a barrier. Of every warp each knows how many epochs are ordered before
// what it does now, and whoever waits at a barrier learns what all that came to it knew (a vector
// clock):
//
//     warps 0 and 1 write in epoch 0, come to `bar.sync 1, 64`, and read in epoch 1
//     warp 1 knows {1, 1} then: what warp 0 did in epoch 0 is behind it, what it does next is not
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace glint::simulator {

/// Of a block's 1024 threads.
inline constexpr size_t kMostWarps = 32;

class WarpClocks {
 public:
  /// The epochs of each warp that are over.
  using Clock = std::array<uint32_t, kMostWarps>;

  /// Starts a block: nobody knows of anybody.
  void start() { known_ = {}; }
  /// Whether what a warp did in an epoch is ordered before what `observer` does now.
  bool is_over(uint32_t warp, uint32_t epoch, uint32_t observer) const {
    return epoch < known_[observer][warp];
  }
  /// Ends the epoch of a warp that comes to a barrier; what those learn that wait there.
  Clock end_epoch(uint32_t warp, uint32_t& epoch) {
    known_[warp][warp] = ++epoch;
    return known_[warp];
  }
  void learn(uint32_t warp, const Clock& clock) {
    for (size_t i = 0; i < kMostWarps; ++i) known_[warp][i] = std::max(known_[warp][i], clock[i]);
  }

 private:
  std::array<Clock, kMostWarps> known_ = {};
};

}  // namespace glint::simulator
