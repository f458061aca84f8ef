// Fourier transforms against the sum that defines them: every form, lengths of all kinds, numbers
// of rows on both sides of what is done at once.
#include "core/platform/fourier.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <complex>
#include <numbers>
#include <random>
#include <vector>

namespace glint {
namespace {

using Complex = std::complex<double>;

std::vector<double> numbers(int64_t count) {
  std::mt19937 source(7);
  std::uniform_real_distribution<double> one(-1, 1);
  std::vector<double> made(static_cast<size_t>(count));
  for (double& number : made) number = one(source);
  return made;
}

Complex at(const std::vector<double>& pairs, int64_t place) {
  return {pairs[size_t(2 * place)], pairs[size_t(2 * place + 1)]};
}

/// Element `k` of a transform, by the sum.
template <class F>
Complex by_sum(int64_t length, int64_t k, double sign, F&& element) {
  Complex sum = 0;
  for (int64_t j = 0; j < length; ++j)
    sum += element(j) *
           std::polar(1.0, sign * 2 * std::numbers::pi * double(j * k % length) / double(length));
  return sum;
}

constexpr int64_t kLengths[] = {1, 2, 3, 4, 5, 6, 8, 9, 12, 16, 17, 30, 31, 37, 64, 74, 100};

}  // namespace

TEST_CASE("complex transforms") {
  for (int64_t length : kLengths) {
    for (int64_t rows : {1, 3, 35}) {
      const auto in = numbers(2 * rows * length);
      std::vector<double> out(in.size());
      for (bool inverse : {false, true}) {
        fourier_transform({.rows = rows, .length = length, .inverse = inverse, .scale = 0.5},
                          in.data(), out.data());
        const int64_t row = rows - 1;
        double worst = 0;
        for (int64_t k = 0; k < length; ++k) {
          const Complex wanted = by_sum(length, k, inverse ? 1 : -1,
                                        [&](int64_t j) { return 0.5 * at(in, row * length + j); });
          worst = std::max(worst, std::abs(wanted - at(out, row * length + k)));
        }
        INFO(length << " x " << rows);
        CHECK(worst < 1e-11);
      }
    }
  }
}

TEST_CASE("real transforms, and back") {
  for (int64_t length : kLengths) {
    for (int64_t rows : {1, 2, 69}) {
      const int64_t width = length / 2 + 1, row = rows - 1;
      const auto in = numbers(rows * length);
      std::vector<double> half(size_t(2 * rows * width)), back(in.size());
      fourier_transform({.form = FourierForm::kRealToComplex, .rows = rows, .length = length},
                        in.data(), half.data());
      double worst = 0;
      for (int64_t k = 0; k < width; ++k) {
        const Complex wanted =
            by_sum(length, k, -1, [&](int64_t j) { return Complex(in[size_t(row * length + j)]); });
        worst = std::max(worst, std::abs(wanted - at(half, row * width + k)));
      }
      fourier_transform({.form = FourierForm::kComplexToReal,
                         .rows = rows,
                         .length = length,
                         .scale = 1.0 / double(length)},
                        half.data(), back.data());
      for (size_t i = 0; i < in.size(); ++i) worst = std::max(worst, std::abs(in[i] - back[i]));
      INFO(length << " x " << rows);
      CHECK(worst < 1e-11);
    }
  }
}

}  // namespace glint
