#include "core/random/mersenne_twister.h"

#include <algorithm>
#include <vector>

namespace glint::random {

void MersenneTwister::seed_word(uint32_t first) {
  words_[0] = first;
  for (uint32_t i = 1; i < kWords; ++i)
    words_[i] = 1812433253u * (words_[i - 1] ^ (words_[i - 1] >> 30)) + i;
  position_ = kWords;
}

void MersenneTwister::seed(uint64_t magnitude) {
  std::vector<uint32_t> key = {static_cast<uint32_t>(magnitude)};
  if (magnitude >> 32) key.push_back(static_cast<uint32_t>(magnitude >> 32));
  seed_words(key);
}

void MersenneTwister::seed_words(std::span<const uint32_t> key) {
  seed_word(19650218u);
  size_t i = 1;
  size_t j = 0;
  auto advance = [&] {
    if (++i >= kWords) {
      words_[0] = words_[kWords - 1];
      i = 1;
    }
  };
  for (size_t count = std::max(kWords, key.size()); count > 0; --count) {
    uint32_t previous = words_[i - 1];
    words_[i] = (words_[i] ^ ((previous ^ (previous >> 30)) * 1664525u)) + key[j] +
                static_cast<uint32_t>(j);
    advance();
    if (++j >= key.size()) j = 0;
  }
  for (size_t count = kWords - 1; count > 0; --count) {
    uint32_t previous = words_[i - 1];
    words_[i] =
        (words_[i] ^ ((previous ^ (previous >> 30)) * 1566083941u)) - static_cast<uint32_t>(i);
    advance();
  }
  words_[0] = 0x80000000u;
}

void MersenneTwister::twist() {
  constexpr size_t kShift = 397;
  const auto step = [&](size_t i, size_t next, size_t far) {
    const uint32_t y = (words_[i] & 0x80000000u) | (words_[next] & 0x7fffffffu);
    words_[i] = words_[far] ^ (y >> 1) ^ (y & 1 ? 0x9908b0dfu : 0u);
  };
  for (size_t i = 0; i < kWords - kShift; ++i) step(i, i + 1, i + kShift);
  for (size_t i = kWords - kShift; i < kWords - 1; ++i) step(i, i + 1, i + kShift - kWords);
  step(kWords - 1, 0, kShift - 1);
  position_ = 0;
}

uint64_t MersenneTwister::bits(int count) {
  if (count <= 32) return next_word() >> (32 - count);
  uint64_t low = next_word();
  return low | static_cast<uint64_t>(next_word() >> (64 - count)) << 32;
}

}  // namespace glint::random
