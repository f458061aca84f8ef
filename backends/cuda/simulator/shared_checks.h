// Looks for races and uninitialised reads in a block's shared memory, byte by byte.
//
// Two accesses of one byte by different threads, one of them a write, need something between that
// orders them: a barrier of the block, or of the warp (`bar.warp.sync`) where both are of one warp.
// Atomic operations are ordered among themselves. So each byte remembers who wrote it last and who
// has read it, and in which phase (the barriers passed so far):
//
//     st.shared [%r1], ...     thread 0 writes byte 4 in phase 1
//     ld.shared ..., [%r2]     thread 33 reads byte 4 in phase 1: a race with thread 0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

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
  void start(size_t bytes) {
    bytes_.assign(bytes, {});
    phase_ = 1;
  }
  /// All threads of the block have met at a barrier.
  void barrier() { ++phase_; }
  /// Records an access; what is wrong with it, if something is.
  std::optional<Finding> access(const SharedAccess& access);
  /// Whether anybody has written the byte.
  bool is_written(uint32_t byte) const { return bytes_[byte].written != 0; }

 private:
  enum class Readers : uint8_t { kOne, kWarp, kBlock };
  struct Byte {
    uint32_t written = 0;  ///< the phase of the last write; 0: never
    uint32_t read = 0;     ///< the phase of the last read
    uint32_t write_epoch = 0;
    uint32_t read_epoch = 0;
    uint16_t writer = 0;
    uint16_t reader = 0;
    Readers readers = Readers::kOne;  ///< in the phase `read`
    bool atomic = false;              ///< the last write
  };

  bool races_with_write(const Byte& byte, const SharedAccess& access) const;
  bool races_with_read(const Byte& byte, const SharedAccess& access) const;
  void note_read(Byte& byte, const SharedAccess& access) const;

  std::vector<Byte> bytes_;
  uint32_t phase_ = 1;
};

}  // namespace glint::simulator
