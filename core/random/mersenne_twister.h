// The Mersenne Twister mt19937, seeded and drawn from as CPython's `random` does, and NumPy's
// `RandomState`.
//
//     MersenneTwister twister;
//     twister.seed(0);
//     twister.random()          0.8444218515250481
//
// (Tensors have their own generator with PyTorch's draws: core/tensor/generator.h.)
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace glint::random {

class MersenneTwister {
 public:
  static constexpr size_t kWords = 624;

  MersenneTwister() { seed(0); }
  /// As `random.seed(magnitude)`: the seed's 32-bit words, lowest first, initialise the state.
  void seed(uint64_t magnitude);
  void seed_words(std::span<const uint32_t> key);
  /// As `numpy.random.seed(first)`: Knuth's initialisation by one word.
  void seed_word(uint32_t first);

  uint32_t next_word() {
    if (position_ >= kWords) [[unlikely]]
      twist();
    uint32_t y = words_[position_++];
    y ^= y >> 11;
    y ^= (y << 7) & 0x9d2c5680u;
    y ^= (y << 15) & 0xefc60000u;
    return y ^ (y >> 18);
  }
  /// A float in [0, 1) of 53 random bits, from two words.
  double random() {
    const uint32_t a = next_word() >> 5;
    const uint32_t b = next_word() >> 6;
    return (a * 67108864.0 + b) * (1.0 / 9007199254740992.0);
  }
  /// `count` random bits, 1 to 63.
  uint64_t bits(int count);

  std::array<uint32_t, kWords>& words() { return words_; }
  size_t& position() { return position_; }

 private:
  void twist();

  std::array<uint32_t, kWords> words_ = {};
  size_t position_ = kWords;
};

}  // namespace glint::random
