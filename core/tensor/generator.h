// Random numbers: PyTorch's generators, draw for draw. This is the processor's; of a GPU's it keeps
// the state, a seed and how far it was used (backends/cuda/kernels/draw_kernels.h makes the
// numbers).
//
// A Mersenne twister (mt19937) seeded by one number. `rand` takes 24 bits of one 32-bit draw for
// float32 and 53 bits of two draws for float64. `randn` of 16 or more elements draws uniforms for
// all, then turns them into normals 16 at a time (Box-Muller); a length that is no multiple of 16
// redraws its last 16. Shorter ones go value by value, and keep the second of each pair.
//
//     default_generator().seed(0);
//     Tensor x = Tensor::empty({3}, DType::kFloat32);
//     fill_normal(x, 0.0, 1.0, default_generator());     // 1.5410, -0.2934, -2.1788
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "core/tensor/tensor.h"

namespace glint {

/// What the numbers of a GPU come from: each is a function of the seed, the offset that its call
/// begins at, and where it stands in the tensor.
struct DeviceGenerator {
  uint64_t seed;
  uint64_t offset = 0;  ///< a multiple of 4: a counter gives four numbers

  /// The state as it is, for a call that makes so many draws a thread; the next one goes on behind.
  DeviceGenerator take(uint64_t draws) {
    const DeviceGenerator before = *this;
    offset += (draws + 3) / 4 * 4;
    return before;
  }
};

class Generator {
 public:
  static constexpr uint64_t kDefaultSeed = 67280421310721;

  explicit Generator(uint64_t seed = kDefaultSeed) {
    this->seed(seed);
    on_device = {seed};
  }

  /// Forgets cached normals. What draws on a GPU has a seed of its own.
  void seed(uint64_t value);
  uint64_t initial_seed() const { return seed_; }
  uint32_t next32() {
    if (left_ == 0) [[unlikely]]
      refill();
    --left_;
    uint32_t word = state_[kWords - 1 - left_];
    word ^= word >> 11;
    word ^= (word << 7) & 0x9d2c5680u;
    word ^= (word << 15) & 0xefc60000u;
    return word ^ (word >> 18);
  }
  /// Two draws, the first one high.
  uint64_t next64() {
    uint64_t high = next32();
    return (high << 32) | next32();
  }

  /// The second value of a scalar Box-Muller pair, kept for the next call.
  std::optional<double> next_double_normal;
  /// Beside the processor's, so that who keeps a generator and goes back to it (a region that ends
  /// early) goes back on both.
  DeviceGenerator on_device = {kDefaultSeed};

 private:
  static constexpr uint32_t kWords = 624;
  void refill();

  std::array<uint32_t, kWords> state_;
  uint32_t left_ = 0;
  uint64_t seed_ = 0;
};

/// The generator that all operators draw from unless given another.
Generator& default_generator();

// What these fill is new: that counts as no write.

/// `x.uniform_(from, to)`; `torch.rand` is (0, 1).
void fill_uniform(const Tensor& tensor, double from, double to, Generator& generator);
/// `x.normal_(mean, std)`; `torch.randn` is (0, 1).
void fill_normal(const Tensor& tensor, double mean, double deviation, Generator& generator);
/// `x.random_(low, high)`, as `torch.randint`: integers in [low, high).
void fill_random_integers(const Tensor& tensor, int64_t low, int64_t high, Generator& generator);
/// `x.bernoulli_(p)`: ones with probability p.
void fill_bernoulli(const Tensor& tensor, double probability, Generator& generator);
/// `torch.bernoulli(p)` into `tensor`, one probability an element.
void fill_bernoulli(const Tensor& tensor, const Tensor& probabilities, Generator& generator);
/// `x.exponential_(rate)`.
void fill_exponential(const Tensor& tensor, double rate, Generator& generator);
/// `x.cauchy_(median, sigma)`.
void fill_cauchy(const Tensor& tensor, double median, double sigma, Generator& generator);
/// `x.log_normal_(mean, std)`: e to the power of normal numbers.
void fill_log_normal(const Tensor& tensor, double mean, double deviation, Generator& generator);
/// `x.geometric_(p)`: how many trials it takes, of which each succeeds with probability p.
void fill_geometric(const Tensor& tensor, double probability, Generator& generator);
/// `torch.randperm`: a permutation of 0 .. n-1 into an int tensor of n elements.
void fill_permutation(const Tensor& tensor, Generator& generator);

}  // namespace glint
