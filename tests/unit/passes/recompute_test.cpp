// What readers compute again instead of loading it: joins, and on a device indices and what lies
// behind a view.
#include <catch2/catch.hpp>

#include "scheduled.h"

namespace glint::passes {
namespace {

size_t kernels_of(std::string_view text, bool on_device) {
  return scheduled(text, on_device).kernels.size();
}

TEST_CASE("a join copies the parts of a join that it alone reads", "[recompute]") {
  constexpr auto kPadded = R"(graph f(%x: f32[4, 5]) -> f32[6, 7] {
  %out = pad %x, [1, 1, 1, 1] : f32[6, 7]
  return %out
}
)";
  CHECK(kernels_of(kPadded, false) == 1);
  CHECK(kernels_of(kPadded, true) == 1);
}

TEST_CASE("what is computed of a join's elements needs them in memory", "[recompute]") {
  constexpr auto kText = R"(graph f(%x: f32[4], %y: f32[4]) -> f32[12] {
  %both = cat [%x, %y] : f32[8]
  %twice = multiply %both, 2.0 : f32[8]
  %out = cat [%twice, %x] : f32[12]
  return %out
}
)";
  CHECK(kernels_of(kText, false) == 2);
  CHECK(kernels_of(kText, true) == 2);
}

TEST_CASE("a device computes places where they are looked at", "[recompute]") {
  constexpr auto kPlaces = R"(graph f(%x: f32[4, 5]) -> f32[4, 8] {
  %at = arange_sized 8 : i64[8]
  %from = clamp_max %at, 4 : i64[8]
  %out = index_select %x, 1, %from : f32[4, 8]
  return %out
}
)";
  CHECK(kernels_of(kPlaces, false) == 2);
  CHECK(kernels_of(kPlaces, true) == 1);
}

TEST_CASE("a device reads through a view what it computes", "[recompute]") {
  constexpr auto kFlipped = R"(graph f(%x: f32[64, 64], %y: f32[64, 64]) -> f32[64, 64] {
  %sum = add %x, %y : f32[64, 64]
  %turned = flip %sum, (0) : f32[64, 64]
  %out = multiply %turned, %y : f32[64, 64]
  return %out
}
)";
  CHECK(kernels_of(kFlipped, false) == 2);
  CHECK(kernels_of(kFlipped, true) == 1);
}

TEST_CASE("places that take divisions to follow, or much work, are not computed again",
          "[recompute]") {
  constexpr auto kMerged = R"(graph f(%x: f32[64, 60], %y: f32[3840]) -> f32[3840] {
  %sum = exp %x : f32[64, 60]
  %flat = reshape %sum, (3840) : f32[3840]
  %out = multiply %flat, %y : f32[3840]
  return %out
}
)";
  CHECK(kernels_of(kMerged, true) == 2);
  constexpr auto kDear = R"(graph f(%x: f32[64], %y: f32[64]) -> f32[64] {
  %a = exp %x : f32[64]
  %b = sin %a : f32[64]
  %c = tanh %b : f32[64]
  %d = erf %c : f32[64]
  %turned = flip %d, (0) : f32[64]
  %out = multiply %turned, %y : f32[64]
  return %out
}
)";
  CHECK(kernels_of(kDear, true) == 2);
}

TEST_CASE("a join does not compute again and again what it shows at several places",
          "[recompute]") {
  constexpr auto kExpanded = R"(graph f(%x: f32[8], %y: f32[8, 8]) -> f32[16, 8] {
  %a = exp %x : f32[8]
  %b = sin %a : f32[8]
  %c = tanh %b : f32[8]
  %d = erf %c : f32[8]
  %wide = expand %d, [8, 8] : f32[8, 8]{0, 1}
  %out = cat [%wide, %y] : f32[16, 8]
  return %out
}
)";
  CHECK(kernels_of(kExpanded, false) == 2);
  CHECK(kernels_of(kExpanded, true) == 2);
  constexpr auto kBroadcast = R"(graph f(%x: f32[8], %y: f32[8, 8]) -> f32[16, 8] {
  %a = exp %x : f32[8]
  %sum = add %y, %a : f32[8, 8]
  %out = cat [%sum, %y] : f32[16, 8]
  return %out
}
)";
  CHECK(kernels_of(kBroadcast, false) == 2);
  CHECK(kernels_of(kBroadcast, true) == 1);
  constexpr auto kInside = R"(graph f(%x: f32[8], %y: f32[8, 8]) -> f32[16, 8] {
  %a = exp %x : f32[8]
  %column = unsqueeze %a, 1 : f32[8, 1]
  %sum = add %y, %column : f32[8, 8]
  %out = cat [%sum, %y] : f32[16, 8]
  return %out
}
)";
  CHECK(kernels_of(kInside, false) == 2);
  constexpr auto kTwice = R"(graph f(%x: f32[8]) -> f32[16] {
  %a = exp %x : f32[8]
  %out = cat [%a, %a] : f32[16]
  return %out
}
)";
  CHECK(kernels_of(kTwice, false) == 2);
  CHECK(kernels_of(kTwice, true) == 1);
  constexpr auto kCheap = R"(graph f(%x: f32[8], %y: f32[8, 8]) -> f32[16, 8] {
  %a = add %x, 1.0 : f32[8]
  %wide = expand %a, [8, 8] : f32[8, 8]{0, 1}
  %out = cat [%wide, %y] : f32[16, 8]
  return %out
}
)";
  CHECK(kernels_of(kCheap, false) == 1);
}

TEST_CASE("a join reads nothing of what gives a part its sizes", "[recompute]") {
  constexpr auto kExpandedAs = R"(graph f(%x: f32[3, 1]) -> f32[6, 1] {
  %a = exp %x : f32[3, 1]
  %b = add %a, %a : f32[3, 1]
  %sum = sum %a, dim=0, keepdim=True : f32[1, 1]
  %wide = expand_as %sum, %a : f32[3, 1]{0, 1}
  %out = cat [%b, %wide] : f32[6, 1]
  return %out
}
)";
  CHECK(kernels_of(kExpandedAs, false) == 2);
  CHECK(kernels_of(kExpandedAs, true) == 2);
}

TEST_CASE("what may fail is computed for all elements, also where few are read", "[recompute]") {
  constexpr auto kSliced = R"(graph f(%x: i64[8], %y: i64[8]) -> i64[2] {
  %div = floor_divide %x, %y : i64[8]
  %part = slice %div, end=2 : i64[2]
  %out = multiply %part, 3 : i64[2]
  return %out
}
)";
  CHECK(kernels_of(kSliced, true) == 2);
  constexpr auto kJoined = R"(graph f(%x: f32[8], %ok: bool[8], %y: f32[2]) -> f32[4] {
  %known = checked %x, %ok, "not ok" : f32[8]
  %part = slice %known, end=2 : f32[2]
  %out = cat [%part, %y] : f32[4]
  return %out
}
)";
  CHECK(kernels_of(kJoined, false) == 2);
}

}  // namespace
}  // namespace glint::passes
