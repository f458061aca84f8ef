// Convolutions through the library against plain loops: each pass, in one to three dimensions, in
// groups, with every kind of window, and cut into parts in every way.
#include "core/platform/convolution.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "core/platform/convolution_parts.h"
#include "core/platform/gemm_onednn.h"
#include "core/support/thread_pool.h"
#include "core/tensor/copy.h"
#include "core/tensor/generator.h"

namespace glint {
namespace {

Tensor normal(Dims sizes, DType dtype = DType::kFloat32) {
  Tensor x = Tensor::empty(sizes, DType::kFloat32);
  fill_normal(x, 0.0, 1.0, default_generator());
  return convert(x, dtype);
}

struct Case {
  Dims input;
  Dims weight;
  int64_t stride = 1, padding = 0, dilation = 1, groups = 1;
};

ConvolutionWindows windows_of(const Case& c) {
  const size_t dims = c.input.size() - 2;
  return {std::vector<int64_t>(dims, c.stride), std::vector<int64_t>(dims, c.padding),
          std::vector<int64_t>(dims, c.dilation), c.groups};
}

Dims result_sizes(const Case& c) {
  Dims sizes = {c.input[0], c.weight[0]};
  for (size_t i = 2; i < c.input.size(); ++i) {
    const int64_t reach = (c.weight[i] - 1) * c.dilation + 1;
    sizes.push_back((c.input[i] + 2 * c.padding - reach) / c.stride + 1);
  }
  return sizes;
}

/// Sizes of three dimensions that windows move in, the missing ones first and of size 1.
std::array<int64_t, 3> three(const Dims& sizes) {
  std::array<int64_t, 3> made = {1, 1, 1};
  const size_t dims = sizes.size() - 2;
  for (size_t i = 0; i < dims; ++i) made[3 - dims + i] = sizes[2 + i];
  return made;
}

/// Calls `visit` with the places in input, weight and result of each product that is summed.
template <class Visit>
void for_each_product(const Case& c, Visit&& visit) {
  const auto size = three(c.input), kernel = three(c.weight), places = three(result_sizes(c));
  const size_t dims = c.input.size() - 2;
  const int64_t channels = c.weight[1], outputs = c.weight[0] / c.groups;
  const auto at = [&](int64_t p, int64_t k, size_t i) {
    const bool moves = i >= 3 - dims;
    return moves ? p * c.stride + k * c.dilation - c.padding : 0;
  };
  const int64_t area = places[0] * places[1] * places[2];
  const int64_t steps = channels * kernel[0] * kernel[1] * kernel[2];
  for (int64_t n = 0; n < c.input[0]; ++n)
    for (int64_t o = 0; o < c.weight[0]; ++o)
      for (int64_t p = 0; p < area; ++p)
        for (int64_t s = 0; s < steps; ++s) {
          const int64_t k2 = s % kernel[2], k1 = s / kernel[2] % kernel[1],
                        k0 = s / (kernel[2] * kernel[1]) % kernel[0],
                        channel = s / (kernel[2] * kernel[1] * kernel[0]);
          const int64_t x0 = at(p / (places[2] * places[1]), k0, 0),
                        x1 = at(p / places[2] % places[1], k1, 1), x2 = at(p % places[2], k2, 2);
          if (x0 < 0 || x1 < 0 || x2 < 0 || x0 >= size[0] || x1 >= size[1] || x2 >= size[2])
            continue;
          const int64_t of_all = o / outputs * channels + channel;
          visit(((n * c.input[1] + of_all) * size[0] + x0) * size[1] * size[2] + x1 * size[2] + x2,
                o * steps + s, (n * c.weight[0] + o) * area + p);
        }
}

/// What the pass computes, by plain loops.
Tensor expected(const Case& c, ConvolutionPass pass, const ConvolutionTensors& t) {
  const Tensor made = Tensor::empty(Dims(t.computed(pass).sizes()), DType::kFloat64);
  fill(made, Scalar(0.0));
  double* sum = made.data<double>();
  const float *x = t.input->data<float>(), *w = t.weight->data<float>(),
              *y = t.result->data<float>();
  const int64_t area = t.result->numel() / (t.result->size(0) * t.result->size(1));
  if (pass == ConvolutionPass::kForward && t.bias)
    for (int64_t i = 0; i < made.numel(); ++i)
      sum[i] = t.bias->data<float>()[i / area % t.result->size(1)];
  for_each_product(c, [&](int64_t i, int64_t k, int64_t p) {
    switch (pass) {
      case ConvolutionPass::kForward:
        sum[p] += double(x[i]) * w[k];
        break;
      case ConvolutionPass::kOfInput:
        sum[i] += double(w[k]) * y[p];
        break;
      case ConvolutionPass::kOfWeight:
        sum[k] += double(x[i]) * y[p];
        break;
    }
  });
  return made;
}

/// Checks the pass on each number of threads.
void check_pass(const Case& c, ConvolutionPass pass, bool with_bias,
                std::initializer_list<int> threads = {1}) {
  const Tensor input = normal(c.input), weight = normal(c.weight), result = normal(result_sizes(c)),
               bias = normal({c.weight[0]});
  const bool has_bias = with_bias && pass == ConvolutionPass::kForward;
  const ConvolutionTensors tensors = {&input, &weight, &result, has_bias ? &bias : nullptr};
  const Tensor wanted = expected(c, pass, tensors);
  const int before = num_threads();
  for (const int each : threads) {
    set_num_threads(each);
    fill(tensors.computed(pass), Scalar(7.0));
    REQUIRE(convolve(pass, windows_of(c), tensors));
    const float* got = tensors.computed(pass).data<float>();
    const double* value = wanted.data<double>();
    double worst = 0;
    for (int64_t i = 0; i < wanted.numel(); ++i)
      worst = std::max(worst, std::abs(got[i] - value[i]) / (1 + std::abs(value[i])));
    CHECK(worst < 1e-3);
  }
  set_num_threads(before);
}

constexpr ConvolutionPass kPasses[] = {ConvolutionPass::kForward, ConvolutionPass::kOfInput,
                                       ConvolutionPass::kOfWeight};

TEST_CASE("each pass of a convolution is what plain loops give") {
  if (!has_onednn()) return;
  const Case cases[] = {
      {{2, 4, 9}, {6, 4, 3}},
      {{2, 3, 10, 9}, {5, 3, 3, 2}, 2, 1},
      {{1, 1, 6, 7}, {1, 1, 2, 3}},
      {{2, 20, 12, 11}, {33, 20, 3, 3}, 1, 2, 2},
      {{2, 8, 7, 7}, {16, 4, 3, 3}, 1, 1, 1, 2},
      {{2, 32, 9, 9}, {32, 1, 3, 3}, 2, 1, 1, 32},
      {{1, 3, 4, 5, 6}, {4, 3, 2, 3, 3}, 1, 1},
      {{3, 16, 5, 5}, {32, 16, 1, 1}},
      {{2, 2, 8, 8}, {3, 2, 5, 5}, 3, 4, 2},
  };
  for (const Case& c : cases)
    for (const ConvolutionPass pass : kPasses)
      for (const bool with_bias : {false, true}) check_pass(c, pass, with_bias);
}

TEST_CASE("a convolution of bfloat16 is rounded once, its weight's gradient too") {
  if (!has_onednn()) return;
  const int before = num_threads();
  const Case c = {{5, 20, 12, 12}, {24, 20, 3, 3}, 1, 1};
  const Tensor input = normal(c.input, DType::kBFloat16),
               weight = normal(c.weight, DType::kBFloat16),
               result = normal(result_sizes(c), DType::kBFloat16);
  const Tensor wide[] = {convert(input, DType::kFloat32), convert(weight, DType::kFloat32),
                         convert(result, DType::kFloat32)};
  for (const ConvolutionPass pass : kPasses) {
    const Tensor wanted = expected(c, pass, {&wide[0], &wide[1], &wide[2]});
    for (const int threads : {1, 2}) {
      set_num_threads(threads);
      const Tensor x = clone(input), w = clone(weight), y = clone(result);
      const ConvolutionTensors tensors = {&x, &w, &y};
      // Not every processor has the instructions.
      if (!convolve(pass, windows_of(c), tensors)) continue;
      const Tensor got = convert(tensors.computed(pass), DType::kFloat64);
      double worst = 0;
      for (int64_t i = 0; i < wanted.numel(); ++i) {
        const double value = wanted.data<double>()[i];
        worst = std::max(worst, std::abs(got.data<double>()[i] - value) / (1 + std::abs(value)));
      }
      CHECK(worst < 0x1p-8);
    }
  }
  set_num_threads(before);
}

TEST_CASE("a convolution is the same however it is cut into parts") {
  if (!has_onednn()) return;
  // Images for each thread and too few; channels that fill blocks and that do not; more images than
  // a part takes; groups.
  const auto check = [](const Case& c, ConvolutionPass pass) {
    check_pass(c, pass, true, {1, 2, 3, 5});
  };
  check({{7, 16, 13, 13}, {24, 16, 3, 3}, 1, 1}, ConvolutionPass::kForward);
  check({{1, 40, 13, 13}, {72, 40, 3, 3}, 1, 1}, ConvolutionPass::kForward);
  check({{9, 8, 100, 100}, {8, 8, 1, 1}}, ConvolutionPass::kForward);
  for (const ConvolutionPass pass : kPasses) {
    check({{5, 20, 9, 9}, {36, 20, 3, 3}, 1, 1}, pass);
    check({{1, 52, 14, 12}, {36, 52, 3, 3}, 2, 1}, pass);
    check({{7, 16, 13, 13}, {32, 4, 3, 3}, 1, 1, 1, 4}, pass);
  }
}

TEST_CASE("parts cover images or channels, and lanes are no more than threads") {
  const int before = num_threads();
  set_num_threads(4);
  ConvolutionShape shape = {.dims = 2, .images = 10, .channels = 48, .outputs = 80};
  shape.all_channels = 48, shape.all_outputs = 80;
  shape.sizes = shape.places = {28, 28, 1};
  shape.kernel = {3, 3, 1};
  const auto covered = [&](int64_t ConvolutionShape::* extent) {
    const ConvolutionParts parts(shape);
    int64_t total = 0;
    for (int64_t i = 0; i < parts.count(); ++i) total += parts.shape(i).*extent;
    CHECK(parts.lanes() <= 4);
    return total;
  };
  CHECK(covered(&ConvolutionShape::images) == 10);
  CHECK_FALSE(ConvolutionParts(shape).are_summed());
  shape.pass = int64_t(ConvolutionPass::kOfWeight);
  CHECK(ConvolutionParts(shape).are_summed());
  CHECK(ConvolutionParts(shape).lanes() == ConvolutionParts(shape).count());
  shape.images = 1;
  CHECK(covered(&ConvolutionShape::outputs) == 80);
  CHECK_FALSE(ConvolutionParts(shape).are_summed());
  shape.pass = int64_t(ConvolutionPass::kOfInput);
  CHECK(covered(&ConvolutionShape::channels) == 48);
  set_num_threads(before);
}

TEST_CASE("what the library does not take is left to others") {
  const Tensor input = convert(normal({1, 2, 5}), DType::kFloat64),
               weight = convert(normal({1, 2, 3}), DType::kFloat64),
               result = Tensor::empty({1, 1, 3}, DType::kFloat64);
  CHECK_FALSE(convolve(ConvolutionPass::kForward, {{1}, {0}, {1}, 1}, {&input, &weight, &result}));
}

}  // namespace
}  // namespace glint
