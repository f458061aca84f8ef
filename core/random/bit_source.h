// Where random bits come from: NumPy's bit generators MT19937 and PCG64, bit for bit.
//
//     PcgSource source;
//     source.seed(seed_words({42}, 8));     as `numpy.random.PCG64(42)`
//     source.uniform()                      0.7739560485559633
//
// PCG64 is a linear congruence of 128 bits whose halves are folded and rotated (XSL-RR, O'Neill);
// half of a draw is kept where 32 bits are asked for. The seed's words are mixed into a pool of
// four, from which a source takes as many as it needs (O'Neill's seed_seq).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/random/mersenne_twister.h"

namespace glint::random {

class BitSource {
 public:
  virtual ~BitSource() = default;
  virtual uint32_t next32() = 0;
  virtual uint64_t next64() = 0;
  /// A float in [0, 1) of 53 random bits.
  virtual double uniform() = 0;
  /// The same as often as there is room.
  virtual void fill_uniform(std::span<double> out) = 0;
  float uniform_float() { return static_cast<float>(next32() >> 8) * 0x1p-24f; }

  /// From words that `seed_words` has made.
  virtual void seed(std::span<const uint32_t> words) = 0;
  virtual size_t seed_size() const = 0;
  /// The state as words of 32 bits, the highest of a number first.
  virtual std::vector<uint32_t> state() const = 0;
  /// False, and nothing done, where these are not the words of a state.
  virtual bool set_state(std::span<const uint32_t> words) = 0;
};

class TwisterSource final : public BitSource {
 public:
  uint32_t next32() override { return twister.next_word(); }
  uint64_t next64() override;
  double uniform() override { return twister.random(); }
  void fill_uniform(std::span<double> out) override;
  void seed(std::span<const uint32_t> words) override;
  size_t seed_size() const override { return MersenneTwister::kWords; }
  std::vector<uint32_t> state() const override;
  bool set_state(std::span<const uint32_t> words) override;

  MersenneTwister twister;
};

class PcgSource final : public BitSource {
 public:
  uint32_t next32() override;
  uint64_t next64() override;
  double uniform() override { return static_cast<double>(next64() >> 11) * 0x1p-53; }
  void fill_uniform(std::span<double> out) override;
  void seed(std::span<const uint32_t> words) override;
  size_t seed_size() const override { return 8; }
  std::vector<uint32_t> state() const override;
  bool set_state(std::span<const uint32_t> words) override;

 private:
  __extension__ using Wide = unsigned __int128;
  void advance();

  Wide state_ = 0;
  Wide increment_ = 1;
  bool has_kept_ = false;
  uint32_t kept_ = 0;  ///< stays when it is used: states show it
};

/// `count` words that entropy is mixed to: `SeedSequence(...).generate_state(count)`.
std::vector<uint32_t> seed_words(std::span<const uint32_t> entropy, size_t count);

}  // namespace glint::random
