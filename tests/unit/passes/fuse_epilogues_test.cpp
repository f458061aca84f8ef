// Which matrices are added as a product is written: on a device, inputs and other products.
#include <catch2/catch.hpp>

#include "scheduled.h"

namespace glint::passes {
namespace {

/// Kernels and calls of a library.
size_t steps_of(std::string_view text, bool on_device) {
  return scheduled(text, on_device).steps.size();
}

TEST_CASE("a device adds an input as it writes a product", "[fuse_epilogues]") {
  constexpr auto kText = R"(graph f(%x: f32[4, 6], %w: f32[6, 7], %y: f32[4, 7]) -> f32[4, 7] {
  %m = mm %x, %w : f32[4, 7]
  %s = add %y, %m : f32[4, 7]
  %r = relu %s : f32[4, 7]
  return %r
}
)";
  CHECK(steps_of(kText, false) == 2);
  CHECK(steps_of(kText, true) == 1);
}

TEST_CASE("of two products the second adds the first", "[fuse_epilogues]") {
  constexpr auto kText =
      R"(graph f(%x: f32[4, 6], %w: f32[6, 7], %y: f32[4, 5], %v: f32[5, 7]) -> f32[4, 7] {
  %m = mm %x, %w : f32[4, 7]
  %n = mm %y, %v : f32[4, 7]
  %s = add %m, %n : f32[4, 7]
  %r = tanh %s : f32[4, 7]
  return %r
}
)";
  CHECK(steps_of(kText, false) == 3);
  CHECK(steps_of(kText, true) == 2);
}

TEST_CASE("a kernel that computes what is added adds it", "[fuse_epilogues]") {
  constexpr auto kText = R"(graph f(%x: f32[4, 6], %w: f32[6, 7], %y: f32[4, 7]) -> f32[4, 7] {
  %m = mm %x, %w : f32[4, 7]
  %e = exp %y : f32[4, 7]
  %s = add %m, %e : f32[4, 7]
  %r = sin %s : f32[4, 7]
  return %r
}
)";
  CHECK(steps_of(kText, false) == 2);
  CHECK(steps_of(kText, true) == 2);
}

TEST_CASE("a product that something else reads, or a row for each, is not added to",
          "[fuse_epilogues]") {
  constexpr auto kRead =
      R"(graph f(%x: f32[4, 6], %w: f32[6, 7], %y: f32[4, 7]) -> (f32[4, 7], f32[4, 7]) {
  %m = mm %x, %w : f32[4, 7]
  %s = add %m, %y : f32[4, 7]
  return %s, %m
}
)";
  CHECK(steps_of(kRead, true) == 2);
  constexpr auto kColumn = R"(graph f(%x: f32[4, 6], %w: f32[6, 7], %y: f32[4, 1]) -> f32[4, 7] {
  %m = mm %x, %w : f32[4, 7]
  %s = add %m, %y : f32[4, 7]
  return %s
}
)";
  CHECK(steps_of(kColumn, true) == 2);
}

}  // namespace
}  // namespace glint::passes
