// The recorded kernels of all element types, and those whose lanes part, against the host.
#include <bit>
#include <cmath>
#include <random>

#include "run_kernel.h"

namespace glint::simulator {
namespace {

uint16_t half_bits(float value) {
  return std::bit_cast<uint16_t>(_Float16(value));
}
float half_value(uint16_t bits) {
  return float(std::bit_cast<_Float16>(bits));
}

std::vector<int> random_integers(size_t count, int low, int high) {
  std::mt19937 generator(3);
  std::vector<int> values(count);
  for (int& value : values) value = std::uniform_int_distribution<int>(low, high)(generator);
  return values;
}

constexpr int kCount = 300;
const Launch kLaunch{.grid = {3}, .block = {128}};

TEST_CASE("types: float16, single and in pairs", "[types]") {
  Device device = Device::recorded("types");
  std::vector<uint16_t> x(kCount), y(kCount), out(kCount);
  for (size_t i = 0; i < kCount; ++i) {
    x[i] = half_bits(float(i) * 0.37f - 40);
    y[i] = half_bits(1.0f / (float(i) + 1));
  }
  device.check("add_f16", kLaunch, x, y, out, kCount);
  for (size_t i = 0; i < kCount; ++i)
    REQUIRE(out[i] == half_bits(half_value(x[i]) + half_value(y[i])));
  const int pairs = kCount / 2;
  device.check("fma_f16x2", kLaunch, x, y, out, pairs);
  for (size_t i = 0; i < kCount; ++i) {
    const double exact = double(half_value(x[i])) * half_value(y[i]) + half_value(x[i]);
    REQUIRE(out[i] == half_bits(float(exact)));
  }
}

TEST_CASE("types: bfloat16", "[types]") {
  Device device = Device::recorded("types");
  std::vector<uint16_t> x(kCount), y(kCount), out(kCount);
  for (size_t i = 0; i < kCount; ++i) {
    x[i] = uint16_t(std::bit_cast<uint32_t>(float(i) * 3.7f - 200) >> 16);
    y[i] = uint16_t(std::bit_cast<uint32_t>(1.0f / (float(i) + 1)) >> 16);
  }
  device.check("add_bf16", kLaunch, x, y, out, kCount);
  const auto value = [](uint16_t bits) { return std::bit_cast<float>(uint32_t(bits) << 16); };
  for (size_t i = 0; i < kCount; ++i) {
    const float sum = value(x[i]) + value(y[i]);
    // Rounded to the nearest: half a unit of the last of 8 bits.
    REQUIRE(std::abs(value(out[i]) - sum) <= std::abs(sum) / 256);
  }
}

TEST_CASE("types: integers of 32 and 64 bits", "[types]") {
  Device device = Device::recorded("types");
  const std::vector<int> numbers = random_integers(2 * kCount, -100000, 100000);
  std::vector<int> x(numbers.begin(), numbers.begin() + kCount),
      y(numbers.begin() + kCount, numbers.end());
  std::vector<int> out(kCount);
  for (int& divisor : y) divisor |= 1;
  device.check("integers_i32", kLaunch, x, y, out, kCount);
  for (size_t i = 0; i < kCount; ++i) {
    const int a = x[i], b = y[i];
    const int expected = a / b + (a % b) * 3 + ((a << 3) ^ (b >> 2)) + std::popcount(unsigned(a)) +
                         std::countl_zero(unsigned(b)) + std::abs(b) + std::min(a, b);
    REQUIRE(out[i] == expected);
  }
  std::vector<long long> wide_x(kCount), wide_y(kCount), wide_out(kCount);
  for (size_t i = 0; i < kCount; ++i) {
    wide_x[i] = (long long)(x[i]) * 1234567890123ll;
    wide_y[i] = i % 3 == 0 ? y[i] : (long long)(y[i]) * 98765432101ll;
  }
  device.check("integers_i64", kLaunch, wide_x, wide_y, wide_out, kCount);
  for (size_t i = 0; i < kCount; ++i) {
    const long long a = wide_x[i], b = wide_y[i];
    const auto high = (long long)((__int128(a) * b) >> 64);
    REQUIRE(wide_out[i] == a / b + (a % b) * 3 + (a << 3) - (b >> 2) + high + std::max(a, b));
  }
}

TEST_CASE("types: bytes, and conversions that clamp", "[types]") {
  Device device = Device::recorded("types");
  std::vector<uint8_t> x(kCount);
  std::vector<int8_t> y(kCount);
  std::vector<int16_t> out(kCount);
  for (size_t i = 0; i < kCount; ++i) x[i] = uint8_t(i * 7), y[i] = int8_t(i * 13);
  device.check("bytes_u8", kLaunch, x, y, out, kCount);
  for (size_t i = 0; i < kCount; ++i)
    REQUIRE(out[i] == int16_t(x[i] * y[i] + (x[i] > 128 ? 1 : 0)));

  std::vector<double> numbers = {0.0, -0.5, 1.75, -3.99, 1e20, -1e20, 4294967296.5, 200.9, NAN};
  const int count = int(numbers.size());
  std::vector<float> f(numbers.size());
  std::vector<int> i32(numbers.size());
  std::vector<long long> i64(numbers.size());
  std::vector<uint8_t> u8(numbers.size());
  std::vector<unsigned long long> u64(numbers.size());
  device.check("convert", {.block = {32}}, numbers, f, i32, i64, u8, u64, count);
  CHECK(std::vector<int>(i32.begin(), i32.end() - 1) ==
        std::vector<int>{0, 0, 1, -3, INT32_MAX, INT32_MIN, INT32_MAX, 200});
  CHECK(i64[4] == INT64_MAX);
  CHECK(i64[5] == INT64_MIN);
  CHECK(i64[6] == 4294967296ll);
  CHECK(i64[8] == INT64_MIN);
  CHECK(u8[7] == 200);
  CHECK(u64[4] == UINT64_MAX);
  CHECK(u64[6] == 4294967296ull);
  CHECK(f[2] == 1.75f);
}

TEST_CASE("types: integers and flags to floats", "[types]") {
  Device device = Device::recorded("types");
  std::vector<int> x = random_integers(kCount, INT32_MIN, INT32_MAX);
  std::vector<long long> wide(kCount);
  std::vector<uint8_t> flags(kCount);
  for (size_t i = 0; i < kCount; ++i) wide[i] = (long long)(x[i]) * 1234567891ll, flags[i] = i % 2;
  std::vector<float> out(kCount);
  std::vector<double> doubles(kCount);
  device.check("to_floats", kLaunch, x, wide, flags, out, doubles, kCount);
  for (size_t i = 0; i < kCount; ++i) {
    REQUIRE(out[i] == float(x[i]) + (flags[i] != 0 ? 0.5f : 0.0f));
    REQUIRE(doubles[i] == double(wide[i]));
  }
}

TEST_CASE("control: loops of different lengths", "[control]") {
  Device device = Device::recorded("control");
  std::vector<int> x = random_integers(kCount, 1, 5000), out(kCount);
  const LaunchReport report = device.check("collatz", kLaunch, x, out, kCount);
  for (size_t i = 0; i < kCount; ++i) {
    int steps = 0;
    for (int n = x[i]; n != 1; ++steps) n = n % 2 == 0 ? n / 2 : 3 * n + 1;
    REQUIRE(out[i] == steps);
  }
  CHECK(report.total.divergent > 0);
  CHECK(report.total.divergent < report.total.branches);
}

TEST_CASE("control: a switch with a loop inside", "[control]") {
  Device device = Device::recorded("control");
  std::vector<int> x = random_integers(kCount, 0, 400), out(kCount, 11);
  device.check("choose", kLaunch, x, out, kCount);
  for (size_t i = 0; i < kCount; ++i) {
    int v = x[i];
    switch (v & 7) {
      case 0:
        v = v * 3 + 1;
        break;
      case 1:
        v = v ^ 0x55;
        break;
      case 2:
        v = -v;
        break;
      case 3:
        v = v / 3;
        break;
      case 4: {
        auto sum = unsigned(v);
        for (int k = 0; k < int(sum & 31); ++k) sum += unsigned(k) * sum;
        v = int(sum);
        break;
      }
      case 5:
        v = v << 2;
        break;
      case 6:
        v = v > 100 ? v - 100 : 12;
        break;
      default:
        v = 7;
    }
    REQUIRE(out[i] == v);
  }
}

float polynomial(float x, int degree) {
  float sum = 1.0f;
  for (int k = 0; k < degree; ++k) {
    if (sum > 1000.0f) return sum;
    sum = sum * x + float(k);
  }
  return sum;
}

TEST_CASE("control: a function that is called, by some lanes and by all", "[control]") {
  Device device = Device::recorded("control");
  std::vector<float> x(kCount), out(kCount);
  for (size_t i = 0; i < kCount; ++i) x[i] = float(i % 37) * 0.4f - 3;
  device.check("call_function", kLaunch, x, out, kCount);
  for (size_t i = 0; i < kCount; ++i) {
    const float v = x[i] > 0.5f ? polynomial(x[i], int(i & 7)) : x[i];
    REQUIRE(out[i] == v + polynomial(v, 3));
  }
}

TEST_CASE("control: ballots and shuffles keep order", "[control]") {
  Device device = Device::recorded("control");
  std::vector<int> x = random_integers(kCount, -5, 5), out(kCount), total = {0};
  device.check("compact", kLaunch, x, out, total, kCount);
  std::vector<int> expected;
  std::copy_if(x.begin(), x.end(), std::back_inserter(expected), [](int v) { return v > 0; });
  REQUIRE(total[0] == int(expected.size()));
  out.resize(expected.size());
  CHECK(out == expected);
}

TEST_CASE("control: lanes meet again though one path may stop the kernel", "[control]") {
  Device device = Device::recorded("control");
  std::vector<float> x(128), out(128);
  for (size_t i = 0; i < 128; ++i) x[i] = i % 3 == 0 ? -float(i) : float(i);
  const int columns = 64;
  device.check("early_return", {.grid = {2}, .block = {64}}, x, out, columns);
  CHECK(out[0] == 0.0f);
  CHECK(out[63] == 63.0f * 64 / 2);
}

}  // namespace
}  // namespace glint::simulator
