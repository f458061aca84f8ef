// Integers of a range, and what is made of them: orders and samples, as NumPy draws them.
//
//     ranged(source, {.width = 9, .bits = 64})        0 to 9, as `Generator.integers(10)`
//
// `Generator` multiplies a word with the range and keeps the high half (Lemire 2019), `RandomState`
// masks words until one fits. Of types narrower than 32 bits several are cut from one word.
#pragma once

#include <span>
#include <vector>

#include "core/random/bit_source.h"

namespace glint::random {

/// Parts of a word that are not used yet.
class NarrowWords {
 public:
  explicit NarrowWords(BitSource& source) : source_(source) {}
  /// The lowest `bits` of a word, then the next: 1, 8 or 16.
  uint32_t next(int bits);

 private:
  BitSource& source_;
  uint32_t word_ = 0;
  int left_ = 0;
};

/// Numbers from 0 to `width`, which is included, of an integer type of 1, 8, 16, 32 or 64 bits.
class RangedIntegers {
 public:
  RangedIntegers(BitSource& source, int bits, bool masked)
      : source_(source), words_(source), bits_(bits), masked_(masked) {}
  uint64_t draw(uint64_t width);
  /// The same for a whole array, from `low` on.
  void fill(int64_t low, uint64_t width, std::span<int64_t> out);

 private:
  uint64_t word(int bits);
  uint64_t masked(uint64_t width, int bits);
  uint64_t multiplied(uint64_t width, int bits);
  template <class Product>
  uint64_t high_half(uint64_t width, int bits);

  BitSource& source_;
  NarrowWords words_;
  int bits_;
  bool masked_;
};

/// Exchanges elements from the last down to number `first`, each with one at or before it.
void shuffle(BitSource& source, std::vector<int64_t>& items, int64_t first, bool masked);
/// 0 to count - 1, shuffled by masks, as both classes do.
std::vector<int64_t> order(BitSource& source, int64_t count);
/// `count` different ones of 0 .. total - 1, as `Generator.choice` finds them.
std::vector<int64_t> sample(BitSource& source, int64_t total, int64_t count, bool shuffled);

}  // namespace glint::random
