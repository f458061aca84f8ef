// Looks for races and uninitialised reads in a block's shared memory, byte by byte.
//
// Two accesses of one byte by different threads, one of them a write, need something between that
// orders them: a barrier of the block, or of the warp (`bar.warp.sync`) where both are of one warp.
// So each byte remembers who has written it and who has read it, and in which phase (the barriers
// of the whole block passed so far):
//
//     st.shared [%r1], ...     thread 0 writes byte 4 in phase 1
//     ld.shared ..., [%r2]     thread 33 reads byte 4 in phase 1: a race with thread 0
//
// Within a phase the warps' epochs tell: a later one of the same warp is ordered behind it, and
// what barriers for a part of the block or of a warp order is known by clocks (shared_access.h).
//
// No races, though nothing orders them:
//
//   - stores of the same bytes, and a store that leaves as it is what others have read;
//   - atomic updates, among themselves;
//   - a read beside updates, where the reader updates the place afterwards (lane_reads.h);
//   - a volatile load in a loop that waits (polling.cpp) beside volatile stores and updates of the
//     same word.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "backends/cuda/simulator/accessors.h"
#include "backends/cuda/simulator/lane_reads.h"
#include "backends/cuda/simulator/shared_finding.h"

namespace glint::simulator {

class SharedChecks {
 public:
  /// What the kernel may do, and what is looked for.
  struct Kernel {
    Barriers barriers;
    bool updates = false;  ///< shared memory, atomically
    bool polls = false;    ///< it
    bool races = true;     ///< are looked for, beside uninitialised reads
  };
  using Finding = SharedFinding;

  SharedChecks() : sets_(order_), lane_reads_(order_) {}
  SharedChecks(const SharedChecks&) = delete;
  SharedChecks& operator=(const SharedChecks&) = delete;

  /// Starts a block, with a phase of its own: nothing is written. All are of one kernel.
  void start(size_t bytes, size_t warps, const Kernel& kernel);
  /// All threads of the block have met at a barrier.
  void barrier();
  WarpClocks& clocks() { return order_.warps; }
  /// Lanes of a warp have met at a barrier of the warp; `epoch` begins.
  void meet(uint32_t warp, uint32_t lanes, uint32_t epoch) {
    if (kernel_.barriers.of_lanes) order_.lanes.meet(warp, lanes, epoch);
  }
  /// Records an access; what is wrong with it, if something is.
  std::optional<Finding> access(const SharedAccess& access);
  /// What is wrong with reads by these lanes of a warp that come to a barrier, or to their end.
  std::optional<Finding> finding_at_barrier(uint32_t warp, uint32_t lanes) const;
  /// The same of all lanes of the block.
  std::optional<Finding> finding_at_barrier() const;
  /// Whether anybody has written the byte.
  bool is_written(uint32_t byte) const { return bytes_[byte].written >= first_phase_; }
  /// What was stored there was undefined: it counts as if nobody had written it.
  void forget(uint32_t byte) { bytes_[byte].written = 0; }

 private:
  struct Byte {
    uint32_t written = 0;  ///< the phase of the last write; of another block: never
    uint32_t read = 0;     ///< the phase of the last read
    Accessors writes;      ///< in the phase `written`
    Accessors reads;       ///< in the phase `read`, unless `lane_reads_` has them
    std::byte value{};     ///< by the last store
    bool atomic = false;   ///< the last write
    bool updated = false;  ///< atomically, behind the last store
    bool stale = false;  ///< some read of the phase `read`: it has got another value than is there
  };
  /// What waits for a byte, and what it may wait for.
  struct Flag {
    uint32_t polled = 0;  ///< the phase
    uint32_t set = 0;     ///< the phase of the last write, if it was volatile or an update
    Accessors polls;
    uint32_t polled_size = 0;  ///< bytes; 0: of several sizes
    uint32_t set_size = 0;
  };

  bool keeps_lanes() const { return kernel_.updates || kernel_.barriers.of_lanes; }
  std::optional<Finding> load(const SharedAccess& access);
  std::optional<Finding> poll(const SharedAccess& access);
  template <AccessKind kind>
  std::optional<Finding> write(const SharedAccess& access);
  std::optional<Finding> unwritten_in(const SharedAccess& access);
  std::optional<uint32_t> racing_writer(uint32_t at, const SharedAccess& access);
  std::optional<uint32_t> racing_reader(uint32_t at, const SharedAccess& access);
  std::optional<uint32_t> racing_poll(uint32_t at, const SharedAccess& access) const;
  bool writes_the_same(const SharedAccess& access) const;
  template <AccessKind kind>
  [[gnu::always_inline]] inline void note_write(Byte& byte, uint32_t at,
                                                const SharedAccess& access);
  void note_poll(uint32_t at, const SharedAccess& access);

  std::vector<Byte> bytes_;
  std::vector<Flag> flags_;  ///< by byte, where the kernel polls
  AccessOrder order_;
  AccessorSets sets_;
  LaneReads lane_reads_;
  Kernel kernel_;
  uint32_t phase_ = 0;
  uint32_t first_phase_ = 0;  ///< of the block
};

}  // namespace glint::simulator
