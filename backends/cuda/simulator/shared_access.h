// One thread's access of shared memory, and which accesses barriers order.
//
//     order.is_before(33, 0, access)    what thread 33 did in its warp's epoch 0 is behind `access`
//
// The order is that inside a phase, between two barriers of the whole block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "backends/cuda/simulator/lane_clocks.h"
#include "backends/cuda/simulator/warp_clocks.h"

namespace glint::simulator {

enum class AccessKind : uint8_t { kLoad, kStore, kAtomic };

struct SharedAccess {
  uint32_t thread = 0;  ///< its number in the block
  uint32_t epoch = 0;   ///< how often its warp has synchronised
  uint32_t offset = 0;
  uint32_t size = 0;
  AccessKind kind = AccessKind::kLoad;
  bool is_flag = false;                      ///< a volatile store, or a volatile load that polls
  const std::byte* value = nullptr;          ///< of a store
  const std::byte* memory = nullptr;         ///< what is there
  const Instruction* instruction = nullptr;  ///< that does it

  /// Of a store: whether it leaves something else there.
  bool changes() const {
    if (size != sizeof(uint32_t)) return std::memcmp(value, memory, size) != 0;
    return std::memcmp(value, memory, sizeof(uint32_t)) != 0;
  }
};

/// Which barriers the kernel may have beside those of the whole block and of whole warps.
struct Barriers {
  bool of_parts = false;  ///< of a block
  bool of_lanes = false;  ///< of a part of a warp
};

inline bool same_warp(uint32_t a, uint32_t b) {
  return a / kLanes == b / kLanes;
}

class AccessOrder {
 public:
  /// Starts a block of so many warps.
  void start(size_t count, Barriers kinds) {
    barriers = kinds;
    warps.start();
    if (kinds.of_lanes) lanes.start(count);
  }
  /// Whether what a thread did in an epoch of its warp is ordered before an access of this phase.
  bool is_before(uint32_t thread, uint32_t epoch, const SharedAccess& access) const {
    if (same_warp(thread, access.thread)) {
      return barriers.of_lanes ? lanes.is_over(thread, epoch, access.thread)
                               : epoch != access.epoch;
    }
    return warps.is_over(thread / kLanes, epoch, access.thread / kLanes);
  }

  WarpClocks warps;
  LaneClocks lanes;
  Barriers barriers;
};

}  // namespace glint::simulator
