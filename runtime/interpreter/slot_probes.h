// The slots in which a set looks for a hash, one after the other: CPython's way.
//
// First the slot that the hash's low bits name, and nine after it where the table is long enough;
// then as many from another slot, which more and more of the hash's upper bits choose.
//
//     SlotProbes at(hash, 31);     // a table of 32 slots
//     at.slot();                   // hash & 31
//     at.advance();                // the next one
#pragma once

#include <cstddef>
#include <cstdint>

namespace glint::runtime {

class SlotProbes {
 public:
  SlotProbes(uint64_t hash, size_t mask)
      : mask_(mask), upper_(hash), first_(hash & mask), slot_(first_), left_(run_length()) {}

  size_t slot() const { return slot_; }
  void advance() {
    if (left_ > 0) {
      --left_;
      ++slot_;
      return;
    }
    constexpr int kUpperShift = 5;
    upper_ >>= kUpperShift;
    slot_ = first_ = (first_ * 5 + 1 + upper_) & mask_;
    left_ = run_length();
  }

 private:
  size_t run_length() const {
    constexpr size_t kNeighbours = 9;
    return first_ + kNeighbours <= mask_ ? kNeighbours : 0;
  }

  size_t mask_;
  uint64_t upper_;
  size_t first_;
  size_t slot_;
  size_t left_;
};

}  // namespace glint::runtime
