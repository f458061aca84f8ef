// Random numbers against PyTorch's for the same seeds: tests/golden/tensor/random.txt, one line a
// call with its first, middle and last value and its sum.
#include "core/tensor/generator.h"

#include <catch2/catch.hpp>
#include <fstream>
#include <sstream>

#include "core/tensor/copy.h"

namespace glint {
namespace {

void draw(const std::string& kind, int64_t high, const Tensor& x, Generator& generator) {
  if (kind == "rand")
    fill_uniform(x, 0.0, 1.0, generator);
  else if (kind == "randn")
    fill_normal(x, 0.0, 1.0, generator);
  else if (kind == "uniform")
    fill_uniform(x, -1.3, 2.7, generator);
  else if (kind == "normal")
    fill_normal(x, 0.3, 1.7, generator);
  else if (kind == "bernoulli")
    fill_bernoulli(x, 0.3, generator);
  else if (kind == "exponential")
    fill_exponential(x, 1.5, generator);
  else if (kind == "randint")
    fill_random_integers(x, -3, high, generator);
  else if (kind == "randperm")
    fill_permutation(x, generator);
  else
    FAIL("unknown kind " + kind);
}

TEST_CASE("draws are PyTorch's") {
  std::ifstream file(GLINT_SOURCE_DIR "/tests/golden/tensor/random.txt");
  REQUIRE(file);
  Generator generator;
  std::string line;
  int rows = 0;
  while (std::getline(file, line)) {
    INFO(line);
    std::istringstream words(line);
    std::string kind, name;
    int64_t count = 0, call = 0;
    double first = 0, middle = 0, last = 0, sum = 0;
    words >> kind >> name >> count >> call >> first >> middle >> last >> sum;
    if (call == 0) generator.seed(uint64_t(count));
    DType dtype = find_dtype(name).value_or(DType::kInt64);
    Tensor x = Tensor::empty({count}, dtype);
    draw(kind, kind == "randint" ? std::stoll(name) : 0, x, generator);
    Tensor wide = convert(x, DType::kFloat64);
    const double* value = wide.data<double>();
    // rand's bits are exact; the others may differ in the last bit where the C library does.
    double tolerance = kind == "rand" || dtype_category(dtype) == DTypeCategory::kInteger ? 0.0
                       : dtype == DType::kFloat64                                         ? 1e-12
                                                                                          : 1e-6;
    if (dtype == DType::kBFloat16) tolerance = 8e-3;
    double total = 0;
    for (int64_t i = 0; i < count; ++i) total += value[i];
    if (count > 0) {
      CHECK(value[0] == Approx(first).margin(tolerance).epsilon(tolerance));
      CHECK(value[count / 2] == Approx(middle).margin(tolerance).epsilon(tolerance));
      CHECK(value[count - 1] == Approx(last).margin(tolerance).epsilon(tolerance));
    }
    CHECK(total == Approx(sum).margin(1e-5).epsilon(dtype == DType::kBFloat16 ? 1e-3 : 1e-6));
    ++rows;
  }
  CHECK(rows > 300);
}

TEST_CASE("a seed starts over, cached normals included") {
  Generator generator(3);
  Tensor a = Tensor::empty({3}, DType::kFloat32), b = Tensor::empty({3}, DType::kFloat32);
  fill_normal(a, 0.0, 1.0, generator);
  generator.seed(3);
  fill_normal(b, 0.0, 1.0, generator);
  CHECK(std::equal(a.data<float>(), a.data<float>() + 3, b.data<float>()));
  CHECK(generator.initial_seed() == 3);
}

TEST_CASE("a generator draws the published Mersenne twister sequence") {
  Generator generator(5489);
  uint32_t last = 0;
  for (int i = 0; i < 10000; ++i) last = generator.next32();
  CHECK(last == 4123659995u);
}

TEST_CASE("strided targets fill in the order of memory") {
  Generator generator(1);
  Tensor base = Tensor::empty({4, 6}, DType::kFloat32);
  Tensor t = Tensor::view_of(base, {6, 4}, {1, 6}, 0);
  fill_uniform(t, 0.0, 1.0, generator);
  generator.seed(1);
  Tensor dense = Tensor::empty({6, 4}, DType::kFloat32);
  fill_uniform(dense, 0.0, 1.0, generator);
  CHECK(base.data<float>()[6] == dense.data<float>()[6]);
  CHECK(base.data<float>()[1] == dense.data<float>()[1]);
}

}  // namespace
}  // namespace glint
