// The Kernel IR interpreter by itself: results, order of statements, stepping.
#include <catch2/catch.hpp>

#include "backends/interp/kernel_interpreter.h"

namespace glint {
namespace {

Kernel parsed(const char* text) {
  auto kernel = parse_kernel(text);
  if (!kernel) FAIL(kernel.error().message);
  return kernel.value();
}

const char* const kRowSum = R"(kernel row_sum(%x: f32[s0, 3], %out: f32[s0])
  parallel i in 0..s0 {
    acc = reduction sum : f32
    reduce j in 0..3 {
      a = load %x[i, j]
      acc += a
    }
    store %out[i] = acc
  }
)";

TEST_CASE("a kernel is stepped statement by statement") {
  const Kernel kernel = parsed(kRowSum);
  float x[] = {1, 2, 3, 10, 20, 30};
  float out[2] = {};
  std::byte* parameters[] = {reinterpret_cast<std::byte*>(x), reinterpret_cast<std::byte*>(out)};
  const int64_t symbols[] = {2};
  KernelInterpreter run(kernel, symbols, parameters);
  std::vector<uint32_t> order;
  while (!run.done()) {
    order.push_back(run.statement());
    run.step();
  }
  const std::vector<uint32_t> row = {1, 2, 3, 4, 3, 4, 3, 4, 5};
  std::vector<uint32_t> expected = {0};
  for (int i = 0; i < 2; ++i) expected.insert(expected.end(), row.begin(), row.end());
  CHECK(order == expected);
  CHECK(out[0] == 6);
  CHECK(out[1] == 60);
  CHECK(run.text(1) == "60");
  CHECK(run.text(3) == "30");
}

TEST_CASE("values can be looked at between steps") {
  const Kernel kernel = parsed(kRowSum);
  float x[] = {1, 2, 3};
  float out[1] = {};
  std::byte* parameters[] = {reinterpret_cast<std::byte*>(x), reinterpret_cast<std::byte*>(out)};
  const int64_t symbols[] = {1};
  KernelInterpreter run(kernel, symbols, parameters);
  while (run.statement() != 5) run.step();
  CHECK(run.loop_index(2) == 2);
  CHECK(run.text(1) == "6");
  CHECK(out[0] == 0);
}

TEST_CASE("a failed check stops the kernel") {
  const Kernel kernel = parsed(R"(kernel bounds(%x: i64[3], %out: i64[3])
  parallel i in 0..3 {
    a = load %x[i]
    p = less a, 2
    check p, "too large"
    store %out[i] = a
  })");
  int64_t x[] = {1, 5, 0};
  int64_t out[3] = {};
  std::byte* parameters[] = {reinterpret_cast<std::byte*>(x), reinterpret_cast<std::byte*>(out)};
  KernelInterpreter run(kernel, {}, parameters);
  run.run();
  REQUIRE(run.failed());
  CHECK(*run.failed() == 3);
  CHECK(out[0] == 1);
}

TEST_CASE("loops of no iterations are skipped") {
  const Kernel kernel = parsed(kRowSum);
  const int64_t symbols[] = {0};
  std::byte* parameters[] = {nullptr, nullptr};
  KernelInterpreter run(kernel, symbols, parameters);
  run.run();
  CHECK(run.done());
  CHECK(run.steps() == 1);
}

}  // namespace
}  // namespace glint
