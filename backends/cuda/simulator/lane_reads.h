// Which lanes have read what in a phase, each lane's last read of every word, for kernels in which
// the two threads that accessors.h keeps are too few: those with barriers for a part of a warp, and
// those that update shared memory atomically.
//
// A read beside another thread's atomic update is a race, unless the reader goes on to update the
// place itself: then its update finds out whether what it has read was still there.
//
//     old = *address;                                          thread 0 reads, thread 1 has updated
//     do { assumed = old; old = atomicCAS(address, assumed, ...) } ...      thread 0 updates: fine
//
// So such a race is open until the reader updates the place, or comes to a barrier or its end,
// where it is told.
//
// A list is kept once for a word of four bytes, and for each of its bytes from where one is
// accessed without the others, until the phase ends.
#pragma once

#include <array>
#include <optional>
#include <unordered_map>
#include <vector>

#include "backends/cuda/simulator/shared_access.h"

namespace glint::simulator {

/// A read and another thread's atomic update that nothing orders.
struct OpenRace {
  uint64_t order = 0;  ///< the first is told
  uint32_t byte = 0;
  uint32_t other = 0;   ///< the thread that came before the one that met it
  SharedAccess access;  ///< of the one that met it
};

class LaneReads {
 public:
  explicit LaneReads(const AccessOrder& order) : order_(order) {}

  /// Forgets all. Lists of former phases need no clearing: who reads a byte first in one does it.
  void start(size_t bytes);
  /// A phase begins.
  void clear();
  /// `is_first`: nobody has read the byte in this phase before.
  void note(uint32_t at, const SharedAccess& access, bool is_first) {
    const bool is_listed = at % kWord == 0 || split_[at / kWord] == phase_;
    if (is_listed || !is_of_word(at, access)) note_listed(at, access, is_first);
  }
  /// Another thread whose read of a byte nothing orders before the access. Somebody has read the
  /// byte in this phase, here and below.
  std::optional<uint32_t> beside(uint32_t at, const SharedAccess& access) const;

  /// An atomic update: the races of those that have read the byte are open, those of the thread
  /// itself are none.
  void update(uint32_t at, const SharedAccess& access);
  /// The reader has met an update by another thread.
  void open(uint32_t at, const SharedAccess& access, uint32_t other);
  /// The first open race whose reader is among these lanes of a warp.
  std::optional<OpenRace> open_race(uint32_t warp, uint32_t lanes) const;
  /// The first of all.
  std::optional<OpenRace> open_race() const;

 private:
  static constexpr uint32_t kWord = 4;
  /// Those of one warp.
  struct OfWarp {
    uint32_t warp = 0;
    uint32_t lanes = 0;  ///< that have read
    uint32_t open = 0;   ///< of these, those in an open race
    std::array<uint32_t, kLanes> epochs{};
  };

  /// Whether all of the word is accessed.
  static bool is_of_word(uint32_t at, const SharedAccess& access) {
    const uint32_t word = at / kWord * kWord;
    return access.offset <= word && word + kWord <= access.offset + access.size;
  }
  void note_listed(uint32_t at, const SharedAccess& access, bool is_first);
  /// Where the list of a byte is.
  uint32_t place(uint32_t at) const {
    return split_[at / kWord] == phase_ ? at : at / kWord * kWord;
  }
  static uint64_t key(uint32_t place, uint32_t thread) { return uint64_t{place} << 32 | thread; }
  static OfWarp& of_warp(std::vector<OfWarp>& list, uint32_t warp);
  /// Lists for each byte of a word that is not accessed as a whole.
  void split(uint32_t at, const SharedAccess& access, bool is_first);
  void open(OfWarp& reads, uint32_t place, uint32_t reader, const OpenRace& race);

  const AccessOrder& order_;
  std::vector<std::vector<OfWarp>> lists_;  ///< by byte, those of a whole word at its first
  std::vector<uint32_t> split_;             ///< by word: the phase in which it was split last
  std::unordered_map<uint64_t, OpenRace> open_;
  uint64_t opened_ = 0;
  uint32_t phase_ = 0;
};

}  // namespace glint::simulator
