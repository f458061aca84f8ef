// The recorded kernels (tests/ptx) against the same computed on the host.
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <random>

#include "run_kernel.h"

namespace glint::simulator {
namespace {

template <class T>
std::vector<T> random_numbers(size_t count, T low, T high, uint32_t seed = 1) {
  std::mt19937_64 generator(seed);
  std::vector<T> values(count);
  for (T& value : values) {
    if constexpr (std::is_integral_v<T>) {
      value = std::uniform_int_distribution<T>(low, high)(generator);
    } else {
      value = std::uniform_real_distribution<T>(low, high)(generator);
    }
  }
  return values;
}

/// The greatest difference, relative to the expected number where that is greater than 1.
template <class T>
double difference(const std::vector<T>& found, const std::vector<T>& expected) {
  double worst = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    if (found[i] == expected[i] || (found[i] != found[i] && expected[i] != expected[i])) continue;
    const double off = std::abs(double(found[i]) - double(expected[i])) /
                       std::max(1.0, std::abs(double(expected[i])));
    worst = off != off ? INFINITY : std::max(worst, off);
  }
  return worst;
}

TEST_CASE("every recorded entry links", "[ptx]") {
  for (const char* name :
       {"elementwise", "reduction", "rows", "movement", "mathematics", "types", "control"}) {
    Memory memory;
    Result<LoadedModule> module = LoadedModule::load(recorded_ptx(name), memory);
    if (!module) FAIL(name << ": " << module.error().message);
    for (const Function& function : module->module().functions) {
      if (!function.entry) continue;
      const Result<Program> program = module->program(function.name);
      if (!program) FAIL_CHECK(name << ": " << function.name << ": " << program.error().message);
    }
  }
}

TEST_CASE("elementwise: a loop over the grid is exact", "[elementwise]") {
  Device device = Device::recorded("elementwise");
  const auto count = GENERATE(1ll, 31ll, 1000ll, 4099ll);
  auto x = random_numbers<float>(size_t(count), -2, 2),
       y = random_numbers<float>(size_t(count), -2, 2, 2);
  std::vector<float> out(x.size()), expected(x.size());
  for (size_t i = 0; i < x.size(); ++i) expected[i] = std::fma(x[i], 1.7f, y[i]);
  const float factor = 1.7f;
  device.check("scale_and_add", {.grid = {3}, .block = {96}}, x, y, out, factor, count);
  CHECK(out == expected);
}

TEST_CASE("elementwise: 128 bits a thread", "[elementwise]") {
  Device device = Device::recorded("elementwise");
  const auto x = random_numbers<float>(4 * 1000, -2, 2);
  auto in = x;
  std::vector<float> out(x.size());
  const float factor = 0.3f;
  const int count = 1000;
  const LaunchReport report =
      device.check("scale_four", {.grid = {4}, .block = {256}}, in, out, factor, count);
  for (size_t i = 0; i < x.size(); ++i) REQUIRE(out[i] == x[i] * 0.3f);
  CHECK(report.total.efficiency() == 1.0);
  CHECK(report.total.bytes == 2 * 16000);
}

TEST_CASE("elementwise: a chain with tanh and exp", "[elementwise]") {
  Device device = Device::recorded("elementwise");
  auto x = random_numbers<float>(5000, -6, 6), r = random_numbers<float>(5000, -9, 9, 2);
  std::vector<float> out(x.size()), expected(x.size());
  for (size_t i = 0; i < x.size(); ++i) {
    const double t = double(x[i]) * 1.5f + 0.25f;
    const double gelu = 0.5 * t * (1 + std::tanh(0.7978845608 * (t + 0.044715 * t * t * t)));
    expected[i] = float(gelu / (1 + std::exp(-double(r[i]))) + r[i]);
  }
  const float a = 1.5f, b = 0.25f;
  const int count = 5000;
  device.check("gelu_chain", {.grid = {7}, .block = {128}}, x, r, out, a, b, count);
  CHECK(difference(out, expected) < 2e-6);
}

TEST_CASE("reductions: rows, everything by atomics, everything by the last block", "[reduction]") {
  Device device = Device::recorded("reduction");
  const int rows = 9, columns = 700, count = rows * columns;
  auto x = random_numbers<float>(size_t(count), -1, 1);
  std::vector<float> sums(rows), expected(rows);
  for (int row = 0; row < rows; ++row) {
    expected[size_t(row)] =
        float(std::accumulate(x.begin() + row * columns, x.begin() + (row + 1) * columns, 0.0));
  }
  device.check("sum_rows", {.grid = {rows}, .block = {256}}, x, sums, columns);
  CHECK(difference(sums, expected) < 1e-5);

  std::vector<float> total = {0}, all = {float(std::accumulate(x.begin(), x.end(), 0.0))};
  device.check("sum_all", {.grid = {5}, .block = {128}}, x, total, count);
  CHECK(difference(total, all) < 1e-4);

  std::vector<float> partials(5), last = {0};
  for (int again = 0; again < 2; ++again) {  // the counter of blocks is left at zero
    last[0] = 0;
    device.check("sum_last_block", {.grid = {5}, .block = {128}}, x, partials, last, count);
    CHECK(difference(last, all) < 1e-4);
  }
}

TEST_CASE("reductions: where the greatest is, the first of equals", "[reduction]") {
  Device device = Device::recorded("reduction");
  auto x = random_numbers<int>(6 * 200, 0, 40);
  std::vector<float> values(x.begin(), x.end());
  std::vector<long long> out(6);
  const int columns = 200;
  device.check("arg_max_rows", {.grid = {6}, .block = {32}}, values, out, columns);
  for (int row = 0; row < 6; ++row) {
    const auto begin = values.begin() + row * columns;
    CHECK(out[size_t(row)] == std::max_element(begin, begin + columns) - begin);
  }
}

TEST_CASE("rows: softmax and layer norm", "[rows]") {
  Device device = Device::recorded("rows");
  const int rows = 5, columns = 500;
  auto x = random_numbers<float>(rows * columns, -8, 8);
  auto weight = random_numbers<float>(columns, 0.5, 2, 2),
       bias = random_numbers<float>(columns, -1, 1, 3);
  std::vector<float> soft(x.size()), norm(x.size()), soft_expected(x.size()),
      norm_expected(x.size());
  for (size_t row = 0; row < rows; ++row) {
    const float* values = x.data() + row * columns;
    const double highest = *std::max_element(values, values + columns);
    double sum = 0, mean = 0, squares = 0;
    for (size_t i = 0; i < columns; ++i) sum += std::exp(values[i] - highest), mean += values[i];
    mean /= columns;
    for (size_t i = 0; i < columns; ++i) squares += (values[i] - mean) * (values[i] - mean);
    for (size_t i = 0; i < columns; ++i) {
      soft_expected[row * columns + i] = float(std::exp(values[i] - highest) / sum);
      const double scaled = (values[i] - mean) / std::sqrt(squares / columns + 1e-5);
      norm_expected[row * columns + i] = float(scaled * weight[i] + bias[i]);
    }
  }
  device.check("softmax_rows", {.grid = {rows}, .block = {128}}, x, soft, columns);
  CHECK(difference(soft, soft_expected) < 1e-6);
  const float epsilon = 1e-5f;
  device.check("layer_norm_rows", {.grid = {rows}, .block = {128}}, x, weight, bias, norm, epsilon,
               columns);
  CHECK(difference(norm, norm_expected) < 3e-6);
}

TEST_CASE("movement: transposition through shared memory", "[movement]") {
  Device device = Device::recorded("movement");
  const int rows = 70, columns = 45;
  auto x = random_numbers<float>(size_t(rows * columns), -1, 1);
  std::vector<float> out(x.size());
  const LaunchReport report =
      device.check("transpose", {.grid = {2, 3}, .block = {32, 8}}, x, out, rows, columns);
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j)
      REQUIRE(out[size_t(j * rows + i)] == x[size_t(i * columns + j)]);
  }
  CHECK(report.total.bank_conflicts() == 0);
}

TEST_CASE("movement: a tile without padding has bank conflicts", "[movement]") {
  Device device = Device::recorded("movement");
  auto x = random_numbers<float>(64 * 64, -1, 1);
  std::vector<float> out(x.size());
  const int size = 64;
  const LaunchReport report =
      device.check("transpose_conflicting", {.grid = {2, 2}, .block = {32, 32}}, x, out, size);
  for (size_t i = 0; i < 64; ++i) {
    for (size_t j = 0; j < 64; ++j) REQUIRE(out[j * 64 + i] == x[i * 64 + j]);
  }
  // 4 blocks of 32 warps read a column each: 32 turns instead of 1.
  CHECK(report.total.bank_conflicts() == 4 * 32 * 31);
}

TEST_CASE("movement: gather counts from both ends, and traps outside", "[movement]") {
  Device device = Device::recorded("movement");
  auto x = random_numbers<float>(100, -1, 1);
  auto index = random_numbers<long long>(300, -100, 99);
  std::vector<float> out(index.size());
  const long long limit = 100;
  const int count = 300;
  const Launch launch{.grid = {3}, .block = {128}};
  device.check("gather", launch, x, index, out, limit, count);
  for (size_t i = 0; i < index.size(); ++i) {
    REQUIRE(out[i] == x[size_t(index[i] < 0 ? index[i] + 100 : index[i])]);
  }
  index[200] = 100;
  const LaunchResult result = device.run("gather", launch, x, index, out, limit, count);
  REQUIRE(result.fault);
  CHECK(result.fault->kind == FaultKind::kTrap);
  CHECK(result.fault->block == Index3{1, 0, 0});
  CHECK(result.fault->thread == Index3{72, 0, 0});
}

TEST_CASE("movement: atomics on global and shared memory", "[movement]") {
  Device device = Device::recorded("movement");
  auto values = random_numbers<int>(1000, 0, 9);
  std::vector<float> ones(1000, 1.0f), sums(10);
  const int count = 1000, bins = 10;
  device.check("scatter_add", {.grid = {4}, .block = {256}}, ones, values, sums, count);
  std::vector<int> counts(10);
  const Launch launch{.grid = {3}, .block = {64}, .dynamic_shared = 40};
  device.check("histogram", launch, values, counts, bins, count);
  for (int bin = 0; bin < 10; ++bin) {
    const auto expected = std::count(values.begin(), values.end(), bin);
    CHECK(sums[size_t(bin)] == float(expected));
    CHECK(counts[size_t(bin)] == int(expected));
  }
}

TEST_CASE("movement: dynamic shared memory", "[movement]") {
  Device device = Device::recorded("movement");
  std::vector<int> x(128), out(128);
  std::iota(x.begin(), x.end(), 0);
  device.check("reverse_block", {.grid = {2}, .block = {64}, .dynamic_shared = 256}, x, out);
  for (int i = 0; i < 128; ++i) REQUIRE(out[size_t(i)] == i / 64 * 64 + 63 - i % 64);
}

struct Function1 {
  const char* name;
  double low, high;
  std::function<double(double)> function;
  double tolerance;
};

template <class T>
void check_function(Device& device, const Function1& row) {
  auto x = random_numbers<T>(2000, T(row.low), T(row.high));
  std::vector<T> out(x.size()), expected(x.size());
  for (size_t i = 0; i < x.size(); ++i) expected[i] = T(row.function(x[i]));
  const int count = 2000;
  device.check(row.name, {.grid = {8}, .block = {256}}, x, out, count);
  INFO(row.name);
  CHECK(difference(out, expected) < row.tolerance);
}

TEST_CASE("mathematics: functions of floats", "[mathematics]") {
  Device device = Device::recorded("mathematics");
  const std::vector<Function1> functions = {
      {"exp_f32", -80, 80, [](double x) { return std::exp(x); }, 3e-7},
      {"exp2_f32", -120, 120, [](double x) { return std::exp2(x); }, 3e-7},
      {"expm1_f32", -5, 5, [](double x) { return std::expm1(x); }, 3e-7},
      {"log_f32", 1e-6, 1e6, [](double x) { return std::log(x); }, 3e-7},
      {"log1p_f32", -0.99, 100, [](double x) { return std::log1p(x); }, 3e-7},
      {"sin_f32", -1e6, 1e6, [](double x) { return std::sin(x); }, 3e-7},
      {"cos_f32", -1e6, 1e6, [](double x) { return std::cos(x); }, 3e-7},
      {"tan_f32", -1.5, 1.5, [](double x) { return std::tan(x); }, 8e-7},
      {"atan_f32", -50, 50, [](double x) { return std::atan(x); }, 3e-7},
      {"asin_f32", -1, 1, [](double x) { return std::asin(x); }, 4e-7},
      {"tanh_f32", -9, 9, [](double x) { return std::tanh(x); }, 3e-7},
      {"erf_f32", -4, 4, [](double x) { return std::erf(x); }, 3e-7},
      {"pow_f32", 0.01, 100, [](double x) { return std::pow(x, double(1.7f)); }, 8e-7},
      {"sqrt_f32", 0, 1e9, [](double x) { return std::sqrt(x); }, 1e-7},
      {"rsqrt_f32", 1e-3, 1e9, [](double x) { return 1 / std::sqrt(x); }, 2e-7},
      {"reciprocal_f32", -5, 5, [](double x) { return 1 / x; }, 1e-7},
      {"lgamma_f32", 0.1, 50, [](double x) { return std::lgamma(x); }, 1e-6},
      {"floor_f32", -99, 99, [](double x) { return std::floor(x); }, 1e-9},
      {"round_f32", -99, 99, [](double x) { return std::nearbyint(x); }, 1e-9},
      {"fmod_f32", -99, 99, [](double x) { return std::fmod(x, double(0.7f)); }, 1e-9},
      {"fast_exp_f32", -20, 20, [](double x) { return std::exp(x); }, 5e-6},
      {"fast_divide_f32", -5, 5, [](double x) { return 3 / x; }, 3e-7},
  };
  for (const Function1& row : functions) check_function<float>(device, row);
}

TEST_CASE("mathematics: functions of doubles", "[mathematics]") {
  Device device = Device::recorded("mathematics");
  const std::vector<Function1> functions = {
      {"exp_f64", -600, 600, [](double x) { return std::exp(x); }, 3e-16},
      {"log_f64", 1e-9, 1e9, [](double x) { return std::log(x); }, 4e-16},
      {"sin_f64", -1e9, 1e9, [](double x) { return std::sin(x); }, 4e-16},
      {"cos_f64", -1e9, 1e9, [](double x) { return std::cos(x); }, 4e-16},
      {"tanh_f64", -9, 9, [](double x) { return std::tanh(x); }, 5e-16},
      {"erf_f64", -4, 4, [](double x) { return std::erf(x); }, 5e-16},
      {"pow_f64", 0.01, 100, [](double x) { return std::pow(x, 1.7); }, 5e-16},
      {"sqrt_f64", 0, 1e9, [](double x) { return std::sqrt(x); }, 1e-30},
      {"rsqrt_f64", 1e-3, 1e9, [](double x) { return 1 / std::sqrt(x); }, 3e-16},
      {"reciprocal_f64", -5, 5, [](double x) { return 1 / x; }, 1e-30},
  };
  for (const Function1& row : functions) check_function<double>(device, row);
}

TEST_CASE("mathematics: at the ends of the ranges", "[mathematics]") {
  Device device = Device::recorded("mathematics");
  const float infinity = INFINITY;
  std::vector<float> x = {0.0f, -0.0f, infinity, -infinity, NAN, 1e-40f, 3e38f, -1.0f};
  std::vector<float> out(x.size());
  const int count = int(x.size());
  const Launch launch{.grid = {1}, .block = {32}};
  device.check("log_f32", launch, x, out, count);
  CHECK(out[0] == -infinity);
  CHECK(out[2] == infinity);
  CHECK(std::isnan(out[3]));
  CHECK(std::isnan(out[4]));
  CHECK(std::abs(out[5] - std::log(1e-40f)) < 1e-4f);
  CHECK(std::isnan(out[7]));
  device.check("exp_f32", launch, x, out, count);
  CHECK(std::isnan(out[4]));
  out[4] = 0;
  CHECK(out == std::vector<float>{1, 1, infinity, 0, 0, 1, infinity, out[7]});
  device.check("reciprocal_f32", launch, x, out, count);
  CHECK(out[0] == infinity);
  CHECK(out[1] == -infinity);
}

}  // namespace
}  // namespace glint::simulator
