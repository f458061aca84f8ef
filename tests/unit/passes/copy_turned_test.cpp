// What lies across the rows of a kernel is copied before it, on a device.
#include <catch2/catch.hpp>

#include "scheduled.h"

namespace glint::passes {
namespace {

std::vector<std::string> kernels_of(std::string_view text, bool on_device = true) {
  std::vector<std::string> names;
  for (const Kernel& kernel : scheduled(text, on_device).kernels) names.push_back(kernel.name);
  return names;
}

using Names = std::vector<std::string>;

TEST_CASE("a row that is read across is copied, and seen as before", "[copy_turned]") {
  constexpr auto kSum = R"(graph f(%x: f32[s0, s1], %y: f32[s1, s0]) -> f32[s0] {
  %t = t %y : f32[s0, s1]{1, s0}
  %sum = add %x, %t : f32[s0, s1]
  %out = sum %sum, dim=1 : f32[s0]
  return %out
}
)";
  CHECK(kernels_of(kSum, false) == Names{"add_sum"});
  const Schedule schedule = scheduled(kSum, true);
  REQUIRE(schedule.kernels.size() == 2);
  CHECK(print(schedule.kernels[0])
            .starts_with("kernel add_sum(%x: f32[s0, s1], %y: f32[s1, s0]{1, s1}, %out: f32[s0])"));
  constexpr auto kCopy =
      R"(kernel add_sum_copy_y(%y: f32[s1, s0], %y_turned: f32[s0, s1])   from %sum
   0  parallel i in 0..s0 {
   1    parallel j in 0..s1 {
   2      a = load %y[j, i]           %sum
   3      store %y_turned[i, j] = a   %sum
        }
      }
)";
  CHECK(print(schedule.kernels[1]) == kCopy);
}

TEST_CASE("results that lie across too, and sums of what lies across, read it as it lies",
          "[copy_turned]") {
  constexpr auto kColumns = R"(graph f(%x: f32[s0, s1]) -> f32[s0, s1] {
  %out = softmax %x, 0 : f32[s0, s1]
  return %out
}
)";
  CHECK(kernels_of(kColumns).size() == 1);
  constexpr auto kSum = R"(graph f(%x: f32[s0, s1]) -> f32[s1] {
  %t = t %x : f32[s1, s0]{1, s1}
  %out = sum %t, dim=1 : f32[s1]
  return %out
}
)";
  CHECK(kernels_of(kSum).size() == 1);
}

TEST_CASE("columns are copied out of rows", "[copy_turned]") {
  constexpr auto kColumns = R"(graph f(%x: f32[512, 512], %y: f32[512, 512]) -> f32[512, 512] {
  %t = t %y : f32[512, 512]{1, 512}
  %sum = add %x, %t : f32[512, 512]
  %out = softmax %sum, 0 : f32[512, 512]
  return %out
}
)";
  CHECK(kernels_of(kColumns) == Names{"add_softmax", "add_softmax_copy_y"});
}

TEST_CASE("two readers have one copy", "[copy_turned]") {
  constexpr auto kTwo = R"(graph f(%x: f32[512, 500]) -> (f32[500, 512], f32[500, 512]) {
  %t = t %x : f32[500, 512]{1, 500}
  %a = softmax %t, 1 : f32[500, 512]
  %b = cumsum %t, 1 : f32[500, 512]
  return %a, %b
}
)";
  CHECK(kernels_of(kTwo) == Names{"softmax", "cumsum", "softmax_copy_x"});
}

TEST_CASE("what is small, short, or read along the rows too is not copied", "[copy_turned]") {
  constexpr auto kSmall = R"(graph f(%x: f32[64, 64]) -> f32[64, 64] {
  %t = t %x : f32[64, 64]{1, 64}
  %out = softmax %t, 1 : f32[64, 64]
  return %out
}
)";
  CHECK(kernels_of(kSmall).size() == 1);
  constexpr auto kShort = R"(graph f(%x: f32[8, 9000]) -> f32[9000, 8] {
  %t = t %x : f32[9000, 8]{1, 9000}
  %out = softmax %t, 1 : f32[9000, 8]
  return %out
}
)";
  CHECK(kernels_of(kShort).size() == 1);
  constexpr auto kBoth = R"(graph f(%x: f32[512, 512]) -> f32[512, 512] {
  %t = t %x : f32[512, 512]{1, 512}
  %sum = add %x, %t : f32[512, 512]
  %out = softmax %sum, 1 : f32[512, 512]
  return %out
}
)";
  CHECK(kernels_of(kBoth).size() == 1);
}

}  // namespace
}  // namespace glint::passes
