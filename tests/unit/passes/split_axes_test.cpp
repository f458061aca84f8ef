// A loop whose index is divided becomes one for each part, where the divisors divide one another.
#include "passes/split_axes.h"

#include <catch2/catch.hpp>

#include "ir/kernel.h"
#include "scheduled.h"

namespace glint::passes {
namespace {

std::string split(std::string_view text, bool expected = true) {
  auto kernel = parse_kernel(text);
  if (!kernel) FAIL(kernel.error().message);
  CHECK(split_axes(*kernel) == expected);
  CHECK_FALSE(verify_kernel(*kernel));
  return print(*kernel);
}

TEST_CASE("quotients and remainders become loops", "[split_axes]") {
  CHECK(split(R"(kernel turned(%x: f32[4, 3, 2], %out: f32[24])
  parallel i in 0..24 {
    a = index i
    b = floor_divide a, 6
    c = index i
    d = floor_divide c, 3
    e = remainder d, 2
    f = index i
    g = remainder f, 3
    h = load %x[b, g, e]
    store %out[i] = h
  }
)") == R"(kernel turned(%x: f32[4, 3, 2], %out: f32[24])
   0  parallel i in 0..4 {
   1    parallel j in 0..2 {
   2      parallel k in 0..3 {
   3        h = load %x[i, k, j]
   4        store %out[6*i + 3*j + k] = h
          }
        }
      }
)");
}

TEST_CASE("parts that are computed with are values still, and so is the whole index",
          "[split_axes]") {
  CHECK(split(R"(kernel places(%out: i64[s0, 8])
  parallel n in 0..s0 {
    parallel i in 0..8 {
      a = index i
      b = floor_divide a, 4
      c = remainder a, 4
      d = multiply b, c
      e = add d, a
      store %out[n, i] = e
    }
  }
)") == R"(kernel places(%out: i64[s0, 8])
   0  parallel i in 0..s0 {
   1    parallel j in 0..2 {
   2      parallel k in 0..4 {
   3        a = index 4*j + k
   4        b = index j
   5        c = index k
   6        d = multiply b, c
   7        e = add d, a
   8        store %out[i, 4*j + k] = e
          }
        }
      }
)");
}

TEST_CASE("sizes divide as numbers do", "[split_axes]") {
  CHECK(split(R"(kernel turned(%x: f32[s0, s1], %out: f32[s0*s1])
  parallel i in 0..s0*s1 {
    a = index i
    b = index s0
    c = floor_divide a, b
    d = remainder a, b
    e = load %x[d, c]
    store %out[i] = e
  }
)") == R"(kernel turned(%x: f32[s0, s1], %out: f32[s0*s1])
   0  parallel i in 0..s1 {
   1    parallel j in 0..s0 {
   2      e = load %x[j, i]
   3      store %out[s0*i + j] = e
        }
      }
)");
}

TEST_CASE("sums of products divide where a size is the quotient", "[split_axes]") {
  CHECK(split(R"(kernel windows(%x: f32[s0, s1], %out: f32[3*s0*s1 - 6*s0])
  parallel i in 0..3*s0*s1 - 6*s0 {
    a = index i
    b = index s1 - 2
    c = remainder a, b
    d = floor_divide a, b
    e = remainder d, 3
    f = index 3*s1 - 6
    g = floor_divide a, f
    h = load %x[g, e + c]
    store %out[i] = h
  }
)") == R"(kernel windows(%x: f32[s0, s1], %out: f32[-6*s0 + 3*s0*s1])
   0  parallel i in 0..s0 {
   1    parallel j in 0..3 {
   2      parallel k in 0..s1 - 2 {
   3        h = load %x[i, j + k]
   4        store %out[(3*s1 - 6)*i + (s1 - 2)*j + k] = h
          }
        }
      }
)");
}

TEST_CASE("quotients that are always zero", "[split_axes]") {
  CHECK(split(R"(kernel zero(%x: i64[24], %out: i64[24])
  parallel i in 0..24 {
    a = index i
    b = floor_divide a, 24
    c = remainder a, 4
    d = floor_divide c, 4
    e = floor_divide a, 4
    f = add b, d
    g = add f, e
    store %out[i] = g
  }
)") == R"(kernel zero(%x: i64[24], %out: i64[24])
   0  parallel i in 0..6 {
   1    parallel j in 0..4 {
   2      b = index 0
   3      d = index 0
   4      e = index i
   5      f = add b, d
   6      g = add f, e
   7      store %out[4*i + j] = g
        }
      }
)");
}

TEST_CASE("more loops than letters keep apart from the values", "[split_axes]") {
  std::string text = "kernel deep(%x: f32[256], %out: f32[256])\n  parallel i in 0..256 {\n";
  std::string places = "0";
  const std::string_view names = "bcdefghopqr";
  text += "    a = index i\n";
  for (int k = 1; k <= 7; ++k) {
    const std::string name(1, names[static_cast<size_t>(k - 1)]);
    text += "    " + name + " = floor_divide a, " + std::to_string(1 << k) + "\n";
    places += " + " + name;
  }
  text += "    u = load %x[" + places.substr(4) + "]\n    store %out[i] = u\n  }\n";
  const std::string printed = split(text);
  CHECK(printed.find("parallel n in 0..2") != std::string::npos);
  CHECK(printed.find("parallel i1 in 0..2") != std::string::npos);
  const auto again = parse_kernel(printed);
  REQUIRE(again.ok());
  CHECK(print(*again) == printed);
}

TEST_CASE("other divisors leave the loop as it is", "[split_axes]") {
  constexpr auto kUneven = R"(kernel uneven(%x: f32[24], %out: f32[24])
   0  parallel i in 0..24 {
   1    a = index i
   2    b = floor_divide a, 6
   3    c = remainder a, 4
   4    d = load %x[b + c]
   5    store %out[i] = d
      }
)";
  CHECK(split(kUneven, false) == kUneven);
  constexpr auto kRest = R"(kernel rest(%x: f32[24], %out: f32[20])
   0  parallel i in 0..20 {
   1    a = index i
   2    b = floor_divide a, 6
   3    c = load %x[b]
   4    store %out[i] = c
      }
)";
  CHECK(split(kRest, false) == kRest);
}

TEST_CASE("what a processor copies from a permuted tensor needs no division", "[split_axes]") {
  constexpr auto kPatches = R"(graph f(%x: f32[2, 3, 8, 8]) -> f32[2, 4, 48] {
  %parts = reshape %x, [2, 3, 2, 4, 2, 4] : f32[2, 3, 2, 4, 2, 4]
  %turned = permute %parts, [0, 2, 4, 1, 3, 5] : f32[2, 2, 2, 3, 4, 4]{192, 32, 4, 64, 8, 1}
  %out = reshape %turned, [2, 4, 48] : f32[2, 4, 48]
  return %out
}
)";
  const auto divides = [&](bool on_device) {
    return print(scheduled(kPatches, on_device)).find("floor_divide") != std::string::npos;
  };
  CHECK_FALSE(divides(false));
  CHECK(divides(true));
}

}  // namespace
}  // namespace glint::passes
