// Loops over memory that lies in one piece become one, wherever all that go over it may.
#include "passes/collapse_axes.h"

#include <catch2/catch.hpp>

#include "ir/kernel.h"

namespace glint::passes {
namespace {

std::string collapsed(std::string_view text) {
  auto kernel = parse_kernel(text);
  if (!kernel) FAIL(kernel.error().message);
  collapse_axes(*kernel);
  CHECK_FALSE(verify_kernel(*kernel));
  return print(*kernel);
}

TEST_CASE("pairs of loops over one buffer collapse together", "[collapse_axes]") {
  CHECK(collapsed(R"(kernel rows(%x: f32[8, 4, 2, 3], %out: f32[8, 4, 2, 3])
  parallel i in 0..4 {
    acc = reduction sum : f32
    reduce j in 0..8 {
      reduce k in 0..2 {
        reduce l in 0..3 {
          a = load %x[j, i, k, l]
          acc += a
        }
      }
    }
    parallel j in 0..8 {
      parallel k in 0..2 {
        parallel l in 0..3 {
          b = load %x[j, i, k, l]
          c = divide b, acc
          store %out[j, i, k, l] = c
        }
      }
    }
  }
)") == R"(kernel rows(%x: f32[8, 4, 6], %out: f32[8, 4, 6])
   0  parallel i in 0..4 {
   1    acc = reduction sum : f32
   2    reduce j in 0..8 {
   3      reduce k in 0..6 {
   4        a = load %x[j, i, k]
   5        acc += a
          }
        }
   6    parallel j in 0..8 {
   7      parallel k in 0..6 {
   8        b = load %x[j, i, k]
   9        c = divide b, acc
  10        store %out[j, i, k] = c
          }
        }
      }
)");
}

TEST_CASE("a loop that turns the buffer keeps the others apart", "[collapse_axes]") {
  constexpr auto kText = R"(kernel turned(%x: f32[2, 2], %out: f32[2, 2], %y: f32[2, 2])
   0  parallel i in 0..2 {
   1    parallel j in 0..2 {
   2      a = load %x[i, j]
   3      store %y[i, j] = a
        }
      }
   4  parallel i in 0..2 {
   5    parallel j in 0..2 {
   6      b = load %x[j, i]
   7      store %out[i, j] = b
        }
      }
)";
  CHECK(collapsed(kText) == kText);
}

TEST_CASE("three loops of which two pairs go over one buffer", "[collapse_axes]") {
  CHECK(collapsed(R"(kernel cube(%x: f32[2, 3, 4], %out: f32[2, 3, 4])
  parallel i in 0..2 {
    parallel j in 0..3 {
      parallel k in 0..4 {
        a = load %x[i, j, k]
        store %out[i, j, k] = a
      }
    }
  }
)") == R"(kernel cube(%x: f32[24], %out: f32[24])
   0  parallel i in 0..24 {
   1    a = load %x[i]
   2    store %out[i] = a
      }
)");
}

}  // namespace
}  // namespace glint::passes
