// Which loop of a nest runs in lanes.
#include "backends/cpu/loop_plan.h"

#include <catch2/catch.hpp>

#include <string>

namespace glint {
namespace {

/// The names of the loops that run in lanes, in order.
std::string in_lanes(std::string_view text) {
  const auto kernel = parse_kernel(text);
  if (!kernel) FAIL(kernel.error().message);
  const auto plans = cpu::plan_loops(*kernel, true);
  std::string found;
  for (size_t i = 0; i < plans.size(); ++i) {
    const Loop* loop = kernel->statements[i].get_if<Loop>();
    if (loop != nullptr && plans[i].lanes > 0) found += kernel->statements[i].name;
  }
  return found;
}

TEST_CASE("the innermost loop runs in lanes, whatever it scales by", "[loop_plan]") {
  CHECK(
      in_lanes(R"(kernel scaled(%x: f32[8, 16, 99], %w: f32[16], %b: f32[16], %out: f32[8, 16, 99])
  parallel i in 0..8 {
    parallel j in 0..16 {
      parallel k in 0..99 {
        a = load %x[i, j, k]
        b = load %w[j]
        c = multiply a, b
        d = load %b[j]
        e = add c, d
        f = load %w[j]
        g = add e, f
        store %out[i, j, k] = g
      }
    }
  }
)") == "k");
}

TEST_CASE("columns run in lanes, whatever the rows are weighed by", "[loop_plan]") {
  CHECK(in_lanes(R"(kernel weighed(%x: f32[16, 99], %w: f32[16], %out: f32[99])
  parallel i in 0..99 {
    acc = reduction sum : f32
    reduce j in 0..16 {
      a = load %x[j, i]
      b = load %w[j]
      c = multiply a, b
      acc += c
    }
    store %out[i] = acc
  }
)") == "i");
}

TEST_CASE("what a value decides on counts as moving with every loop", "[loop_plan]") {
  CHECK(in_lanes(R"(kernel looked_up(%x: f32[50, 99], %at: i64[16], %out: f32[99])
  parallel i in 0..99 {
    acc = reduction sum : f32
    reduce j in 0..16 {
      a = load %at[j]
      b = load %x[a, i]
      acc += b
    }
    store %out[i] = acc
  }
)") == "i");
}

}  // namespace
}  // namespace glint
