// Looks for races and uninitialised reads in a block's shared memory, byte by byte.
//
// Two accesses of one byte by different threads, one of them a write, need something between that
// orders them: a barrier of the block, or of the warp (`bar.warp.sync`) where both are of one warp.
// Atomic operations are ordered among themselves. So each byte remembers who wrote it last and who
// has read it, and in which phase (the barriers of the whole block passed so far):
//
//     st.shared [%r1], ...     thread 0 writes byte 4 in phase 1
//     ld.shared ..., [%r2]     thread 33 reads byte 4 in phase 1: a race with thread 0
//
// Within a phase the warps' epochs tell: a later one of the same warp is ordered behind it, and
// what a barrier for a part of the block orders is known by the warps' clocks (warp_clocks.h).
// There each warp's last read of a byte that several read is kept; without such barriers a byte
// that several warps have read in a phase needs no more to be told from one that may be written.
//
// Where a part of a warp may synchronise, its lanes have clocks too (lane_clocks.h), and every
// lane's last read is kept: once for a word of four bytes, and of each of its bytes from where one
// is read without the others, until the phase ends.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

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
};

class SharedChecks {
 public:
  struct Finding {
    bool race = false;  ///< else an uninitialised read
    std::string message;
    uint32_t byte = 0;
  };

  /// Which barriers the kernel may have beside those of the whole block and of whole warps.
  struct Barriers {
    bool of_parts = false;  ///< of a block
    bool of_lanes = false;  ///< of a part of a warp
  };

  /// Starts a block: nothing is written.
  void start(size_t bytes, size_t warps, Barriers barriers) {
    bytes_.assign(bytes, {});
    shared_reads_.clear();
    clocks_.start();
    barriers_ = barriers;
    if (barriers.of_lanes) {
      lane_clocks_.start(warps);
      const size_t words = (bytes + kWord - 1) / kWord;
      lane_reads_.assign(words * kWord, {});
      split_.assign(words, 0);
    }
    phase_ = 1;
  }
  /// All threads of the block have met at a barrier.
  void barrier() {
    ++phase_;
    shared_reads_.clear();
  }
  WarpClocks& clocks() { return clocks_; }
  /// Lanes of a warp have met at a barrier of the warp; `epoch` begins.
  void meet(uint32_t warp, uint32_t lanes, uint32_t epoch) {
    if (barriers_.of_lanes) lane_clocks_.meet(warp, lanes, epoch);
  }
  /// Records an access; what is wrong with it, if something is.
  std::optional<Finding> access(const SharedAccess& access);
  /// Whether anybody has written the byte.
  bool is_written(uint32_t byte) const { return bytes_[byte].written != 0; }

 private:
  /// Who has read a byte: nobody, one thread, several of a warp, several of the block.
  enum class Readers : uint8_t { kNone, kOne, kWarp, kBlock };
  struct Reads {
    uint32_t epoch = 0;   ///< of kBlock: the place in `shared_reads_`
    uint16_t thread = 0;  ///< the last
    Readers readers = Readers::kNone;
  };
  struct Byte {
    uint32_t written = 0;  ///< the phase of the last write; 0: never
    uint32_t read = 0;     ///< the phase of the last read
    uint32_t write_epoch = 0;
    uint16_t writer = 0;
    bool atomic = false;  ///< the last write
    Reads reads;          ///< in the phase `read`, without those that are ordered before the last
  };
  static constexpr uint32_t kWord = 4;
  using WarpReads = std::array<Reads, kMostWarps>;
  /// The last reads by the lanes of one warp.
  struct LaneReads {
    uint32_t warp = 0;
    uint32_t lanes = 0;  ///< those that have read
    std::array<uint32_t, kLanes> epochs{};
  };

  bool is_ordered(uint32_t thread, uint32_t epoch, const SharedAccess& access) const;
  bool races_with_write(const Byte& byte, const SharedAccess& access) const;
  bool races_with(const Reads& reads, const SharedAccess& access) const;
  /// Of a byte that was read in this phase.
  std::optional<uint32_t> racing_reader(const Byte& byte, const SharedAccess& access) const;
  void note(Reads& reads, const SharedAccess& access) const;
  void note_of_block(Reads& reads, const SharedAccess& access);
  /// Every read of most kernels comes here, those of lanes' barriers are few.
  [[gnu::always_inline]] inline void note_read(Byte& byte, const SharedAccess& access);
  void note_lane_read(uint32_t at, const SharedAccess& access);
  std::optional<uint32_t> racing_lane_reader(uint32_t at, const SharedAccess& access) const;

  std::vector<Byte> bytes_;
  std::vector<WarpReads> shared_reads_;  ///< of this phase, of bytes that several warps have read
  /// By byte, of this phase; those of a word that is not split are at its first byte.
  std::vector<std::vector<LaneReads>> lane_reads_;
  std::vector<uint32_t> split_;  ///< by word: the phase in which it was split last
  WarpClocks clocks_;
  LaneClocks lane_clocks_;
  Barriers barriers_;
  uint32_t phase_ = 1;
};

}  // namespace glint::simulator
