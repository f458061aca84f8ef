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
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

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

  /// Starts a block: nothing is written.
  void start(size_t bytes, bool has_part_barriers) {
    bytes_.assign(bytes, {});
    shared_reads_.clear();
    clocks_.start();
    has_part_barriers_ = has_part_barriers;
    phase_ = 1;
  }
  /// All threads of the block have met at a barrier.
  void barrier() {
    ++phase_;
    shared_reads_.clear();
  }
  WarpClocks& clocks() { return clocks_; }
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
  using WarpReads = std::array<Reads, kMostWarps>;

  bool is_ordered(uint32_t thread, uint32_t epoch, const SharedAccess& access) const;
  bool races_with_write(const Byte& byte, const SharedAccess& access) const;
  bool races_with(const Reads& reads, const SharedAccess& access) const;
  /// Of a byte that was read in this phase.
  std::optional<uint32_t> racing_reader(const Byte& byte, const SharedAccess& access) const;
  void note(Reads& reads, const SharedAccess& access) const;
  void note_of_block(Reads& reads, const SharedAccess& access);
  void note_read(Byte& byte, const SharedAccess& access);

  std::vector<Byte> bytes_;
  std::vector<WarpReads> shared_reads_;  ///< of this phase, of bytes that several warps have read
  WarpClocks clocks_;
  bool has_part_barriers_ = false;
  uint32_t phase_ = 1;
};

}  // namespace glint::simulator
