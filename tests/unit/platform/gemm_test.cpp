// Matrix products against a plain triple loop: every dtype, layout, batch form and epilogue, on
// both sides of the limit between our own kernel and the library.
#include "core/platform/gemm.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "core/support/thread_pool.h"
#include "core/tensor/copy.h"
#include "core/tensor/generator.h"
#include "core/tensor/views.h"

namespace glint {
namespace {

Tensor normal(Dims sizes, DType dtype) {
  Tensor x = Tensor::empty(sizes, DType::kFloat32);
  fill_normal(x, 0.0, 1.0, default_generator());
  if (!is_floating(dtype)) {
    for (int64_t i = 0; i < x.numel(); ++i) x.data<float>()[i] = std::round(x.data<float>()[i] * 4);
  }
  return convert(x, dtype);
}

GemmMatrix matrix(const Tensor& x) {
  return {x.raw_data(), x.stride(1), x.stride(2), x.size(0) == 1 ? 0 : x.stride(0)};
}

/// What may follow a product: nothing, what the library does itself, a function of the caller's.
enum class After { kNothing, kRelu, kTanh };

double activated(double x, After after) {
  return after == After::kRelu ? std::max(x, 0.0) : after == After::kTanh ? std::tanh(x) : x;
}

/// tanh of values as the sums are kept.
GemmActivation tanh_of(DType dtype) {
  return [dtype](void* values, int64_t n) {
    for (int64_t i = 0; i < n; ++i) {
      if (dtype == DType::kFloat64) {
        double& value = static_cast<double*>(values)[i];
        value = std::tanh(value);
      } else {
        float& value = static_cast<float*>(values)[i];
        value = std::tanh(value);
      }
    }
  };
}

const double* row_of(const Tensor& wide, int64_t batch, int64_t i) {
  int64_t b = wide.size(0) == 1 ? 0 : batch;
  return wide.data<double>() + b * wide.stride(0) + i * wide.stride(1);
}

/// Nothing but pointers in its loop: this runs without optimisation under the sanitizers.
double dot(const double* a, int64_t step_a, const double* b, int64_t step_b, int64_t n) {
  double sum = 0;
  for (int64_t l = 0; l < n; ++l, a += step_a, b += step_b) sum += *a * *b;
  return sum;
}

/// Checks every element of c, which (p, m, k) or (1, m, k) elements of a and b likewise have given.
void check_values(const Tensor& a, const Tensor& b, const Tensor& c, const Tensor* bias = nullptr,
                  After after = After::kNothing) {
  int64_t m = c.size(1), n = c.size(2), k = a.size(2);
  Tensor wide_a = convert(a, DType::kFloat64), wide_b = convert(b, DType::kFloat64);
  Tensor wide_c = convert(c, DType::kFloat64);
  Tensor wide_bias = bias ? convert(*bias, DType::kFloat64) : Tensor();
  double unit = c.dtype() == DType::kFloat64    ? 1e-12
                : c.dtype() == DType::kFloat32  ? 2e-5
                : c.dtype() == DType::kBFloat16 ? 1e-2
                : c.dtype() == DType::kFloat16  ? 2e-3
                                                : 0.0;
  double worst = 0;
  int64_t row_step = m * n * k > 5'000'000 ? 13 : 1;  // large products by sample
  for (int64_t p = 0; p < c.size(0); ++p)
    for (int64_t i = 0; i < m; i += row_step)
      for (int64_t j = 0; j < n; ++j) {
        double sum = dot(row_of(wide_a, p, i), wide_a.stride(2),
                         row_of(wide_b, p, 0) + j * wide_b.stride(2), wide_b.stride(1), k);
        double wanted = activated(sum + (bias ? wide_bias.data<double>()[j] : 0.0), after);
        double error = std::abs(row_of(wide_c, p, i)[j * wide_c.stride(2)] - wanted);
        worst = std::max(worst, error / (1 + std::abs(wanted) + std::sqrt(double(k)) * 0.1));
      }
  INFO("m " << m << " n " << n << " k " << k << " batches " << c.size(0) << " dtype "
            << dtype_name(c.dtype()));
  CHECK(worst <= unit);
}

/// Multiplies a (p, m, k) or (1, m, k) by b likewise into c and checks that.
void check_product(const Tensor& a, const Tensor& b, const Tensor& c, const Tensor* bias = nullptr,
                   After after = After::kNothing) {
  int64_t m = c.size(1), n = c.size(2), k = a.size(2);
  GemmProblem problem = {.dtype = c.dtype(),
                         .m = m,
                         .n = n,
                         .k = k,
                         .batches = c.size(0),
                         .a = matrix(a),
                         .b = matrix(b),
                         .c = matrix(c),
                         .bias = bias ? bias->raw_data() : nullptr,
                         .relu = after == After::kRelu,
                         .activation = after == After::kTanh ? tanh_of(c.dtype()) : nullptr};
  gemm(problem);
  check_values(a, b, c, bias, after);
}

/// A (batches, rows, columns) tensor, stored by columns if `transposed`.
Tensor stored(int64_t batches, int64_t rows, int64_t columns, bool transposed, DType dtype) {
  if (!transposed) return normal({batches, rows, columns}, dtype);
  return transpose(normal({batches, columns, rows}, dtype), 1, 2);
}

TEST_CASE("products of every layout and odd sizes") {
  for (DType dtype : {DType::kFloat32, DType::kFloat64, DType::kBFloat16, DType::kFloat16,
                      DType::kInt64, DType::kInt32})
    for (Dims size : {Dims{1, 1, 1}, Dims{1, 33, 17}, Dims{9, 1, 5}, Dims{7, 31, 13},
                      Dims{17, 65, 40}, Dims{70, 33, 129}, Dims{100, 100, 100}})
      for (int layout = 0; layout < 8; ++layout) {
        int64_t m = size[0], n = size[1], k = size[2];
        Tensor a = stored(1, m, k, layout & 1, dtype), b = stored(1, k, n, layout & 2, dtype);
        Tensor c = layout & 4 ? transpose(Tensor::empty({1, n, m}, dtype), 1, 2)
                              : Tensor::empty({1, m, n}, dtype);
        check_product(a, b, c);
      }
}

TEST_CASE("a product as a step of a loop, also added to what is there") {
  for (Dims size : {Dims{1, 1, 1}, Dims{3, 5, 7}, Dims{17, 65, 40}, Dims{64, 33, 129}})
    for (int layout = 0; layout < 4; ++layout) {
      const int64_t m = size[0], n = size[1], k = size[2];
      const Tensor a = stored(1, m, k, layout & 1, DType::kFloat32);
      const Tensor b = stored(1, k, n, layout & 2, DType::kFloat32);
      // The rows of the result have gaps.
      const Tensor c = slice(Tensor::full({1, m, n + 3}, 7, DType::kFloat32), 2, 0, n);
      const GemmProblem problem = {.m = m,
                                   .n = n,
                                   .k = k,
                                   .a = matrix(a),
                                   .b = matrix(b),
                                   .c = matrix(c),
                                   .activation = nullptr};
      gemm_step(problem);
      check_values(a, b, c);
      gemm_step(problem, /*accumulate=*/true);
      for (int64_t i = 0; i < m; ++i)
        for (int64_t j = 0; j < n; ++j) c.data<float>()[i * (n + 3) + j] /= 2;
      check_values(a, b, c);
    }
}

TEST_CASE("batches, repeated operands included") {
  for (DType dtype : {DType::kFloat32, DType::kFloat64, DType::kBFloat16})
    for (int64_t size : {5, 40, 70}) {
      Tensor a = stored(6, size, size, false, dtype), b = stored(6, size, size, true, dtype);
      Tensor one = stored(1, size, size, false, dtype);
      Tensor c = Tensor::empty({6, size, size}, dtype);
      check_product(a, b, c);
      check_product(a, one, c);
      check_product(one, b, c);
      check_product(stored(6, size, size, true, dtype), one, c);
    }
}

TEST_CASE("bias and activation, each and both, small, large and wider than a row") {
  for (After after : {After::kNothing, After::kRelu, After::kTanh})
    for (DType dtype : {DType::kFloat32, DType::kBFloat16, DType::kFloat64})
      for (Dims size :
           {Dims{6, 9, 5}, Dims{130, 90, 80}, Dims{20, 600, 200}, Dims{520, 513, 530}}) {
        Tensor a = stored(1, size[0], size[2], false, dtype);
        Tensor b = stored(1, size[2], size[1], true, dtype);
        Tensor c = slice(Tensor::empty({1, size[0], size[1] + 3}, dtype), 2, 0, size[1]);
        Tensor bias = normal({size[1]}, dtype);
        check_product(a, b, c, &bias, after);
        check_product(a, b, Tensor::empty({1, size[0], size[1]}, dtype), nullptr, after);
      }
}

TEST_CASE("a few rows with a matrix stored by columns, and with one column") {
  for (DType dtype : {DType::kFloat32, DType::kFloat64})
    for (int64_t m : {1, 2, 3, 5, 16, 17})
      for (int64_t n : {1, 2, 7, 8, 9, 30})
        for (int64_t k : {1, 15, 16, 17, 64, 100}) {
          Tensor a = stored(1, m, k, false, dtype), b = stored(1, k, n, true, dtype);
          check_product(a, b, Tensor::empty({1, m, n}, dtype));
          Tensor bias = normal({n}, dtype);
          Tensor c = slice(Tensor::empty({1, m, n + 3}, dtype), 2, 0, n);
          check_product(slice(stored(1, m, k + 2, false, dtype), 2, 1, k + 1), b, c, &bias,
                        After::kTanh);
          check_product(stored(3, m, k, false, dtype), b, Tensor::empty({3, m, n}, dtype), &bias,
                        After::kRelu);
        }
  const int before = num_threads();
  for (int threads : {1, 2}) {
    set_num_threads(threads);
    for (Dims size : {Dims{1, 1030, 770}, Dims{2, 3001, 520}, Dims{1025, 1, 515}})
      check_product(stored(1, size[0], size[2], false, DType::kFloat32),
                    stored(1, size[2], size[1], true, DType::kFloat32),
                    Tensor::empty({1, size[0], size[1]}, DType::kFloat32));
  }
  set_num_threads(before);
}

TEST_CASE("empty products") {
  Tensor bias = normal({4}, DType::kFloat32);
  check_product(normal({1, 3, 0}, DType::kFloat32), normal({1, 0, 4}, DType::kFloat32),
                Tensor::empty({1, 3, 4}, DType::kFloat32), &bias);
  check_product(normal({1, 0, 3}, DType::kFloat32), normal({1, 3, 4}, DType::kFloat32),
                Tensor::empty({1, 0, 4}, DType::kFloat32));
}

TEST_CASE("operands within larger tensors, and repeated rows") {
  Tensor big = normal({1, 200, 300}, DType::kFloat32);
  Tensor a = slice(slice(big, 1, 10, 110), 2, 5, 125);
  Tensor b = slice(slice(big, 1, 0, 120), 2, 100, 230);
  Tensor c = slice(Tensor::empty({1, 100, 260}, DType::kFloat32), 2, 40, 170);
  check_product(a, b, c);
  check_product(expand(slice(a, 1, 0, 1), {1, 100, 120}), b, c);
}

TEST_CASE("large products, one thread and two, through every entry of the library") {
  int before = num_threads();
  for (int threads : {1, 2}) {
    set_num_threads(threads);
    for (DType dtype : {DType::kFloat32, DType::kBFloat16}) {
      Tensor a = stored(1, 520, 513, false, dtype), b = stored(1, 513, 530, true, dtype);
      check_product(a, b, Tensor::empty({1, 520, 530}, dtype));
    }
    Tensor a = stored(1, 40, 300, false, DType::kFloat32);
    check_product(a, stored(1, 300, 700, false, DType::kFloat32),
                  Tensor::empty({1, 40, 700}, DType::kFloat32));
  }
  set_num_threads(before);
}

TEST_CASE("a shape's primitive is made once") {
  Tensor a = stored(1, 90, 91, false, DType::kFloat32),
         b = stored(1, 91, 92, false, DType::kFloat32);
  Tensor c = Tensor::empty({1, 90, 92}, DType::kFloat32);
  check_product(a, b, c);
  GemmStatistics before = gemm_statistics();
  for (int i = 0; i < 5; ++i) check_product(a, b, c);
  GemmStatistics after = gemm_statistics();
  CHECK(after.created == before.created);
  CHECK(after.library_calls + after.direct_calls == before.library_calls + before.direct_calls + 5);
}

}  // namespace
}  // namespace glint
