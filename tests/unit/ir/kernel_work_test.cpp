#include "ir/kernel_work.h"

#include <catch2/catch.hpp>

using namespace glint;

TEST_CASE("operations are those of the scalars, once for each turn of the loops") {
  auto kernel = parse_kernel(
      "kernel k(%x: f32[s0, 8], %y: f32[s0, 8], %out: f32[s0])   from %sum %mul %relu\n"
      "   0  parallel i in 0..s0 {\n"
      "   1    acc = reduction sum : f32   5:11 %sum\n"
      "   2    reduce j in 0..8 {\n"
      "   3      a = load %x[i, j]         5:22 %mul\n"
      "   4      b = load %y[i, j]         5:22 %mul\n"
      "   5      c = multiply a, b         5:22 %mul\n"
      "   6      d = fma a, b, c           5:11 %relu\n"
      "   7      acc += d                  5:11 %sum\n"
      "        }\n"
      "   8    e = exp acc                 5:11 %sum\n"
      "   9    store %out[i] = e           5:11 %sum\n"
      "      }\n");
  REQUIRE(kernel.ok());
  CHECK(operations(*kernel).text() == "33*s0");
}

TEST_CASE("a flat kernel that is cut short computes less; conversions count for nothing") {
  auto kernel = parse_kernel(
      "kernel k(%x: f32[64], %out: f64[64])   from %mul\n"
      "   0  parallel i in 0..64 {\n"
      "   1    a = load %x[i]        5:22 %mul\n"
      "   2    b = multiply a, a     5:22 %mul\n"
      "   3    c = cast b : f64      5:22 %mul\n"
      "   4    store %out[i] = c     5:22 %mul\n"
      "      }\n");
  REQUIRE(kernel.ok());
  CHECK(operations(*kernel).text() == "64");
  CHECK(operations(*kernel, 16).text() == "16");
}

TEST_CASE("blocks of an axis count as the axis, though the last is shorter") {
  const Kernel kernel = *parse_kernel(
      "kernel blocks(%x: f32[1000], %out: f32[16])\n"
      "   0  parallel i in 0..16 {\n"
      "   1    acc = reduction sum : f32\n"
      "   2    reduce j in 0..min(64, -64*i + 1000) {\n"
      "   3      a = load %x[64*i + j]\n"
      "   4      acc += a\n"
      "        }\n"
      "   5    store %out[i] = acc\n"
      "      }\n");
  REQUIRE(operations(kernel) == 1000);
}
