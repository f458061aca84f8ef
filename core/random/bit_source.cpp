#include "core/random/bit_source.h"

#include <algorithm>
#include <array>
#include <bit>

namespace glint::random {

// ---- The Mersenne Twister ----------------------------------------------------------------------

uint64_t TwisterSource::next64() {
  const uint64_t high = next32();
  return high << 32 | next32();
}

void TwisterSource::fill_uniform(std::span<double> out) {
  for (double& number : out) number = twister.random();
}

void TwisterSource::seed(std::span<const uint32_t> words) {
  std::ranges::copy(words, twister.words().begin());
  twister.words()[0] = 0x80000000u;  // so that not all are 0
  twister.position() = MersenneTwister::kWords - 1;
}

std::vector<uint32_t> TwisterSource::state() const {
  MersenneTwister copy = twister;
  std::vector<uint32_t> words(copy.words().begin(), copy.words().end());
  words.push_back(static_cast<uint32_t>(copy.position()));
  return words;
}

bool TwisterSource::set_state(std::span<const uint32_t> words) {
  if (words.size() != MersenneTwister::kWords + 1 || words.back() > MersenneTwister::kWords)
    return false;
  std::ranges::copy(words.first(MersenneTwister::kWords), twister.words().begin());
  twister.position() = words.back();
  return true;
}

// ---- PCG64 -------------------------------------------------------------------------------------

void PcgSource::advance() {
  constexpr Wide kMultiplier = Wide{2549297995355413924u} << 64 | 4865540595714422341u;
  state_ = state_ * kMultiplier + increment_;
}

uint64_t PcgSource::next64() {
  advance();
  const auto high = static_cast<uint64_t>(state_ >> 64);
  return std::rotr(high ^ static_cast<uint64_t>(state_), static_cast<int>(high >> 58));
}

void PcgSource::fill_uniform(std::span<double> out) {
  for (double& number : out) number = uniform();
}

uint32_t PcgSource::next32() {
  has_kept_ = !has_kept_;
  if (!has_kept_) return kept_;
  const uint64_t both = next64();
  kept_ = static_cast<uint32_t>(both >> 32);
  return static_cast<uint32_t>(both);
}

void PcgSource::seed(std::span<const uint32_t> words) {
  // Pairs of words are numbers of 64 bits, the lower word first; pairs of those, the higher first.
  const auto wide = [&](size_t i) {
    const Wide high = uint64_t{words[i + 1]} << 32 | words[i];
    return high << 64 | (uint64_t{words[i + 3]} << 32 | words[i + 2]);
  };
  state_ = 0;
  increment_ = wide(4) << 1 | 1;
  advance();
  state_ += wide(0);
  advance();
  has_kept_ = false;
  kept_ = 0;
}

std::vector<uint32_t> PcgSource::state() const {
  std::vector<uint32_t> words;
  for (const Wide number : {state_, increment_})
    for (int shift = 96; shift >= 0; shift -= 32)
      words.push_back(static_cast<uint32_t>(number >> shift));
  words.push_back(has_kept_);
  words.push_back(kept_);
  return words;
}

bool PcgSource::set_state(std::span<const uint32_t> words) {
  if (words.size() != 10) return false;
  Wide numbers[2] = {};
  for (size_t i = 0; i < 8; ++i) numbers[i / 4] = numbers[i / 4] << 32 | words[i];
  state_ = numbers[0];
  increment_ = numbers[1];
  has_kept_ = words[8] != 0;
  kept_ = words[9];
  return true;
}

// ---- Seeds -------------------------------------------------------------------------------------

namespace {

constexpr size_t kPoolSize = 4;
constexpr int kShift = 16;

/// Mixes words with a multiplier that changes at every use.
struct Hash {
  uint32_t multiplier;
  uint32_t factor;
  uint32_t operator()(uint32_t value) {
    value ^= multiplier;
    multiplier *= factor;
    value *= multiplier;
    return value ^ value >> kShift;
  }
};

uint32_t mix(uint32_t x, uint32_t y) {
  const uint32_t result = 0xca01f9ddu * x - 0x4973f715u * y;
  return result ^ result >> kShift;
}

std::array<uint32_t, kPoolSize> pool_of(std::span<const uint32_t> entropy) {
  std::array<uint32_t, kPoolSize> pool;
  Hash hash{0x43b0d7e5u, 0x931e8875u};
  for (size_t i = 0; i < kPoolSize; ++i) pool[i] = hash(i < entropy.size() ? entropy[i] : 0);
  for (size_t from = 0; from < kPoolSize; ++from)
    for (size_t to = 0; to < kPoolSize; ++to)
      if (from != to) pool[to] = mix(pool[to], hash(pool[from]));
  for (size_t i = kPoolSize; i < entropy.size(); ++i)
    for (uint32_t& word : pool) word = mix(word, hash(entropy[i]));
  return pool;
}

}  // namespace

std::vector<uint32_t> seed_words(std::span<const uint32_t> entropy, size_t count) {
  const auto pool = pool_of(entropy);
  Hash hash{0x8b51f9ddu, 0x58f38dedu};
  std::vector<uint32_t> words(count);
  for (size_t i = 0; i < count; ++i) words[i] = hash(pool[i % kPoolSize]);
  return words;
}

}  // namespace glint::random
