// The generator behind `random`: the Mersenne Twister mt19937, seeded and drawn from as CPython
// does.
//
//     PythonRandom generator;
//     generator.seed(0);
//     generator.random()          0.8444218515250481
//
// (Tensors have their own generator with PyTorch's draws: core/tensor/generator.h.)
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace glint::runtime {

class PythonRandom {
 public:
  static constexpr size_t kWords = 624;

  PythonRandom() { seed(0); }
  /// As `random.seed(magnitude)`: the seed's 32-bit words, lowest first, initialise the state.
  void seed(uint64_t magnitude);
  void seed_words(std::span<const uint32_t> key);

  uint32_t next_word();
  /// A float in [0, 1) of 53 random bits, from two words.
  double random();
  /// `count` random bits, 1 to 63.
  uint64_t bits(int count);

  std::array<uint32_t, kWords>& words() { return words_; }
  size_t& position() { return position_; }

 private:
  void fill(uint32_t first);
  void twist();

  std::array<uint32_t, kWords> words_ = {};
  size_t position_ = kWords;
};

}  // namespace glint::runtime
