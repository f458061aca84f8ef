#include <string>
#include <string_view>

#include <catch2/catch.hpp>

#include "ir/call_types.h"
#include "ir/kernel.h"

using namespace glint;

namespace {

Kernel kernel_of(const std::string& header, const std::string& body) {
  auto kernel = parse_kernel("kernel k(" + header + ")\n" + body);
  if (!kernel.ok()) FAIL(kernel.error().message);
  return *kernel;
}

std::string read(const std::string& header, const std::string& body) {
  return traffic(kernel_of(header, body)).read.text();
}
std::string written(const std::string& header, const std::string& body) {
  return traffic(kernel_of(header, body)).written.text();
}

/// What `loads` read in two loops, of which the second is inside the first.
std::string read_in(std::string_view rows, std::string_view columns, const std::string& parameters,
                    const std::string& loads) {
  return read(parameters, "   0  parallel i in 0.." + std::string(rows) +
                              " {\n   1    parallel j in 0.." + std::string(columns) + " {\n" +
                              loads + "        }\n      }\n");
}

}  // namespace

TEST_CASE("a part of a buffer counts as that part") {
  CHECK(read_in("10", "512", "%x: f32[1000, 512]", "   2      a = load %x[i, j]\n") == "20480");
  CHECK(read_in("1000", "2", "%x: f32[1000, 512]", "   2      a = load %x[i, j + 3]\n") == "8000");
  CHECK(read_in("256", "512", "%x: f32[1000, 512]", "   2      a = load %x[2*i, j]\n") == "524288");
  CHECK(read_in("9", "9", "%x: f32[1000, 512]", "   2      a = load %x[-i + 9, j]\n") == "324");
  CHECK(read_in("s0", "2", "%x: f32[s0, 512]", "   2      a = load %x[i, j + 3]\n") == "8*s0");
}

TEST_CASE("what loops do not change is read once") {
  CHECK(read_in("1000", "64", "%w: f32[5000, 64]", "   2      a = load %w[0, j]\n") == "256");
  CHECK(read_in("s0", "8", "%x: f32[s0], %y: f32[8]",
                "   2      a = load %x[i]\n   3      b = load %y[j]\n") == "4*s0 + 32");
  CHECK(read_in("8", "8", "%x: f32[8, 8]{0, 1}", "   2      a = load %x[i, j]\n") == "32");
}

TEST_CASE("a number of the call's is no memory") {
  CHECK(read_in("s0", "8", "%x: f32[s0], %k: f64",
                "   2      a = load %x[i]\n   3      b = load %k[]\n") == "4*s0");
}

TEST_CASE("a loaded index names one place an iteration, and no more than there are") {
  const std::string gather = "   2      a = load %i[i, j]\n   3      b = load %x[i, a]\n";
  CHECK(read_in("1000", "2", "%x: f32[1000, 512], %i: i64[1000, 2]", gather) == "24000");
  CHECK(read_in("s0", "2", "%x: f32[s0, 512], %i: i64[s0, 2]", gather) == "24*s0");
  const std::string rows = "   2      a = load %i[i]\n   3      b = load %w[a, j]\n";
  CHECK(read_in("4", "64", "%w: f32[5000, 64], %i: i64[4]", rows) == "1056");
  CHECK(read_in("9000", "64", "%w: f32[5000, 64], %i: i64[9000]", rows) == "1352000");
  CHECK(read_in("s0", "64", "%w: f32[5000, 64], %i: i64[s0]", rows) == "8*s0 + 256*min(5000, s0)");
}

TEST_CASE("an index that a reduction gives is one for all that it went over") {
  CHECK(read("%x: i64[10, 64], %w: f32[1000], %out: f32[10]",
             "   0  parallel i in 0..10 {\n"
             "   1    acc = reduction maximum : i64\n"
             "   2    reduce j in 0..64 {\n"
             "   3      a = load %x[i, j]\n"
             "   4      acc = maximum(acc, a)\n"
             "        }\n"
             "   5    b = load %w[acc]\n"
             "   6    store %out[i] = b\n"
             "      }\n") == "5160");
}

TEST_CASE("the same elements in another loop over the axis count once") {
  const std::string softmax =
      "   0  parallel i in 0..10 {\n"
      "   1    n = load %i[i]\n"
      "   2    acc = reduction sum : f32\n"
      "   3    reduce j in 0..64 {\n"
      "   4      a = load %x[n, 2*j]\n"
      "   5      acc += a\n"
      "        }\n"
      "   6    parallel j in 0..64 {\n"
      "   7      b = load %x[n, 2*j]\n"
      "   8      c = divide b, acc\n"
      "   9      store %out[i, j] = c\n"
      "        }\n"
      "      }\n";
  const std::string parameters = "%x: f32[1000, 512], %i: i64[10], %out: f32[1000, 64]";
  CHECK(read(parameters, softmax) == "2640");
  CHECK(written(parameters, softmax) == "2560");
}

TEST_CASE("different parts of a buffer are together no more than the box around them") {
  const std::string x = "%x: f32[1000, 512]";
  CHECK(read_in("10", "511", x, "   2      a = load %x[i, j]\n   3      b = load %x[i, j + 1]\n") ==
        "20480");
  CHECK(read_in("10", "10", x, "   2      a = load %x[i, j]\n   3      b = load %x[j, i]\n") ==
        "400");
  CHECK(read_in("2", "512", x, "   2      a = load %x[i, j]\n   3      b = load %x[i + 7, j]\n") ==
        "8192");
}

TEST_CASE("windows, diagonals and blocks") {
  CHECK(read_in("510", "3", "%x: f32[512]", "   2      a = load %x[i + j]\n") == "2048");
  CHECK(read_in("s0", "3", "%x: f32[s0 + 2]", "   2      a = load %x[i + j]\n") == "4*s0 + 8");
  CHECK(read_in("8", "3", "%x: f32[8, 8]", "   2      a = load %x[i, i]\n") == "32");
  CHECK(read_in("16", "min(64, -64*i + 1000)", "%x: f32[4000]",
                "   2      a = load %x[64*i + j]\n") == "4000");
  CHECK(read_in("4", "16", "%x: f32[1000]",
                "   2      n = index 16*i + j\n   3      a = load %x[n]\n") == "256");
}

TEST_CASE("a mask keeps an access inside") {
  CHECK(read_in("8", "12", "%x: f32[8, 10], %p: bool[12]",
                "   2      p = load %p[j]\n"
                "   3      a = load %x[i, j - 1] if p else 0.0\n") == "332");
}

TEST_CASE("stores to a part of a buffer, and scattered ones") {
  CHECK(written("%x: f32[4], %i: i64[4], %out: f32[1000]",
                "   0  parallel i in 0..4 {\n"
                "   1    a = load %x[i]\n"
                "   2    n = load %i[i]\n"
                "   3    store %out[n] = a\n"
                "      }\n") == "16");
  CHECK(written("%out: f32[1000, 8]",
                "   0  parallel i in 0..10 {\n"
                "   1    store %out[i + 5, 3] = 1.0\n"
                "      }\n") == "40");
}

TEST_CASE("a library call moves each of its tensors once, as far as it lies in memory") {
  const auto schedule = parse_schedule(
      "schedule f(%x: f32[100, 64], %i: i64[20, 64]{1, 0}, %v: f32[20, 64]) -> f32[100, 64] {\n"
      "  slot 0   25600 bytes, output\n"
      "  %y = tensor f32[100, 64] in slot 0\n"
      "  call %y = scatter_add %x, 0, %i, %v   from %y 2:4\n"
      "  return %y\n"
      "}\n");
  if (!schedule.ok()) FAIL(schedule.error().message);
  const Traffic moved = traffic(*schedule, std::get<LibraryCall>(schedule->steps[0].kind));
  CHECK(moved.read.text() == "30880");
  CHECK(moved.written.text() == "25600");
}
