#include "core/tensor/generator.h"

#include <cmath>
#include <numbers>

#include "core/tensor/copy.h"
#include "core/tensor/drawing.h"
#include "core/tensor/normal_block.h"

namespace glint {

namespace {

/// Sixteen uniforms become sixteen normals: value j and j + 8 are one Box-Muller pair.
template <class T>
void normal_block(T* data, Wide<T> mean, Wide<T> deviation) {
  using W = Wide<T>;
  for (int j = 0; j < 8; ++j) {
    W first = W(T(W(1) - W(data[j])));  // (0, 1], so that the logarithm is finite
    W second = W(data[j + 8]);
    W radius = std::sqrt(W(-2) * std::log(first));
    W angle = W(2.0 * std::numbers::pi * double(second));
    data[j] = T(std::fma(radius * std::cos(angle), deviation, mean));
    data[j + 8] = T(std::fma(radius * std::sin(angle), deviation, mean));
  }
}

template <>
void normal_block(float* data, float mean, float deviation) {
  float_normal_block(data, mean, deviation);
}

template <class T>
void fill_normal_blocks(T* data, int64_t count, double mean, double deviation,
                        Generator& generator) {
  for (int64_t i = 0; i < count; ++i) data[i] = T(draw_unit<T>(generator));
  auto wide_mean = Wide<T>(mean), wide_deviation = Wide<T>(deviation);
  parallel_for(0, count / 16, 256, [&](int64_t begin, int64_t end) {
    for (int64_t block = begin; block < end; ++block)
      normal_block(data + block * 16, wide_mean, wide_deviation);
  });
  if (count % 16 == 0) return;
  T* last = data + count - 16;
  for (int j = 0; j < 16; ++j) last[j] = T(draw_unit<T>(generator));
  normal_block(last, wide_mean, wide_deviation);
}

/// The 16-bit types: each block draws just before it is made, in float32, and rounds once.
template <class T>
void fill_short_normal_blocks(T* data, int64_t count, double mean, double deviation,
                              Generator& generator) {
  auto make_block = [&](T* target) {
    float block[16];
    for (float& value : block) value = draw_unit<float>(generator);
    float_normal_block(block, float(mean), float(deviation));
    for (int j = 0; j < 16; ++j) target[j] = T(block[j]);
  };
  for (int64_t i = 0; i + 16 <= count; i += 16) make_block(data + i);
  if (count % 16 != 0) make_block(data + count - 16);
}

}  // namespace

double draw_normal(double mean, double deviation, Generator& generator) {
  if (generator.next_double_normal) {
    double value = *generator.next_double_normal;
    generator.next_double_normal.reset();
    return std::fma(value, deviation, mean);
  }
  double first = draw_unit<double>(generator);
  double second = draw_unit<double>(generator);
  double radius = std::sqrt(-2.0 * std::log1p(-second));
  double angle = 2.0 * std::numbers::pi * first;
  generator.next_double_normal = radius * std::sin(angle);
  return std::fma(radius * std::cos(angle), deviation, mean);
}

void Generator::seed(uint64_t value) {
  seed_ = value;
  state_[0] = uint32_t(value);
  for (uint32_t i = 1; i < kWords; ++i)
    state_[i] = 1812433253u * (state_[i - 1] ^ (state_[i - 1] >> 30)) + i;
  left_ = 0;
  next_double_normal.reset();
}

void Generator::refill() {
  constexpr uint32_t kShift = 397, kRest = kWords - kShift;
  uint32_t* state = state_.data();
  auto twist = [](uint32_t high, uint32_t low) {
    uint32_t mixed = (high & 0x80000000u) | (low & 0x7fffffffu);
    return (mixed >> 1) ^ (-(low & 1u) & 0x9908b0dfu);
  };
  // Three runs instead of indices modulo 624: the compiler makes vector code of the first two.
  for (uint32_t i = 0; i < kRest; ++i) state[i] = state[i + kShift] ^ twist(state[i], state[i + 1]);
  for (uint32_t i = kRest; i < kWords - 1; ++i)
    state[i] = state[i - kRest] ^ twist(state[i], state[i + 1]);
  state[kWords - 1] = state[kShift - 1] ^ twist(state[kWords - 1], state[0]);
  left_ = kWords;
}

Generator& default_generator() {
  static auto* const instance = new Generator;
  return *instance;
}

void fill_uniform(const Tensor& tensor, double from, double to, Generator& generator) {
  visit_floating(tensor.dtype(), [&]<class T>() {
    auto low = Wide<T>(from), high = Wide<T>(to);
    if (low == 0 && high == 1 && sizeof(T) > 2)
      return fill_in_order<T>(tensor, [&] { return T(draw_unit<T>(generator)); });
    fill_in_order<T>(tensor, [&] {
      T value = T(std::fma(draw_unit<T>(generator), high - low, low));
      // A 16-bit value may round up to the bound, which is not part of the range.
      if (sizeof(T) == 2 && value == T(high)) return T(low);
      return value;
    });
  });
}

void fill_normal(const Tensor& tensor, double mean, double deviation, Generator& generator) {
  visit_floating(tensor.dtype(), [&]<class T>() {
    if (tensor.numel() >= 16 && tensor.is_contiguous()) {
      if constexpr (sizeof(T) == 2)
        fill_short_normal_blocks(tensor.data<T>(), tensor.numel(), mean, deviation, generator);
      else
        fill_normal_blocks(tensor.data<T>(), tensor.numel(), mean, deviation, generator);
    } else {
      fill_in_order<T>(tensor,
                       [&] { return convert_element<T>(draw_normal(mean, deviation, generator)); });
    }
  });
}

void fill_random_integers(const Tensor& tensor, int64_t low, int64_t high, Generator& generator) {
  auto range = uint64_t(high) - uint64_t(low);
  visit_dtype(tensor.dtype(), [&]<class T>() {
    fill_in_order<T>(tensor, [&] {
      uint64_t draw = range >= (uint64_t(1) << 28) ? generator.next64() : generator.next32();
      return convert_element<T>(int64_t(draw % range + uint64_t(low)));
    });
  });
}

void fill_bernoulli(const Tensor& tensor, double probability, Generator& generator) {
  visit_dtype(tensor.dtype(), [&]<class T>() {
    fill_in_order<T>(tensor, [&] {
      return convert_element<T>(int64_t(draw_unit<double>(generator) < probability));
    });
  });
}

void fill_bernoulli(const Tensor& tensor, const Tensor& probabilities, Generator& generator) {
  // In the order in which `tensor` is filled: that of memory.
  Tensor dense = clone(probabilities);
  if (!same_dims(dense.strides(), tensor.strides())) dense = contiguous(probabilities);
  // Float64 probabilities draw float64 uniforms, all others float32 ones.
  const bool is_wide = probabilities.dtype() == DType::kFloat64;
  if (!is_wide) dense = convert(dense, DType::kFloat32);
  int64_t place = 0;
  auto draw = [&] {
    const int64_t at = place++;
    return is_wide ? draw_unit<double>(generator) < dense.data<double>()[at]
                   : draw_unit<float>(generator) < dense.data<float>()[at];
  };
  visit_dtype(tensor.dtype(), [&]<class T>() {
    fill_in_order<T>(tensor, [&] { return convert_element<T>(int64_t(draw())); });
  });
}

void fill_exponential(const Tensor& tensor, double rate, Generator& generator) {
  visit_floating(tensor.dtype(), [&]<class T>() {
    fill_in_order<T>(tensor, [&] {
      double unit = draw_unit<double>(generator);
      return convert_element<T>(-1.0 / rate * std::log1p(-unit));
    });
  });
}

void fill_cauchy(const Tensor& tensor, double median, double sigma, Generator& generator) {
  visit_floating(tensor.dtype(), [&]<class T>() {
    fill_in_order<T>(tensor, [&] {
      const double unit = draw_unit<double>(generator);
      return convert_element<T>(median + sigma * std::tan(std::numbers::pi * (unit - 0.5)));
    });
  });
}

void fill_log_normal(const Tensor& tensor, double mean, double deviation, Generator& generator) {
  visit_floating(tensor.dtype(), [&]<class T>() {
    fill_in_order<T>(tensor, [&] {
      return convert_element<T>(std::exp(draw_normal(mean, deviation, generator)));
    });
  });
}

void fill_geometric(const Tensor& tensor, double probability, Generator& generator) {
  visit_dtype(tensor.dtype(), [&]<class T>() {
    fill_in_order<T>(tensor, [&] {
      const double unit = draw_unit<double>(generator);
      return convert_element<T>(std::ceil(std::log(unit) / std::log1p(-probability)));
    });
  });
}

void fill_permutation(const Tensor& tensor, Generator& generator) {
  visit_dtype(tensor.dtype(), [&]<class T>() {
    Tensor dense = tensor.is_contiguous() ? tensor : Tensor::empty(tensor.sizes(), tensor.dtype());
    T* data = dense.data<T>();
    int64_t count = dense.numel();
    for (int64_t i = 0; i < count; ++i) data[i] = convert_element<T>(i);
    for (int64_t i = 0; i + 1 < count; ++i) {
      auto chosen = int64_t(generator.next32() % uint64_t(count - i));
      std::swap(data[i], data[i + chosen]);
    }
    if (!dense.is_same(tensor)) copy(tensor, dense);
  });
}

}  // namespace glint
