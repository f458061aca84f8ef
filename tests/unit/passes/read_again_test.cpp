// What later kernels make again from what it was made of, and where they read it instead: the
// buffers of the schedule's kernels tell.
#include <catch2/catch.hpp>

#include <algorithm>

#include "scheduled.h"

namespace glint::passes {
namespace {

/// Whether some kernel stores the value of that name (of which its buffer has no `%`).
bool stores(std::string_view text, std::string_view name, bool on_device = false) {
  const Schedule schedule = scheduled(text, on_device);
  return std::ranges::any_of(schedule.kernels, [&](const Kernel& kernel) {
    return std::ranges::any_of(kernel.statements, [&](const Statement& statement) {
      const auto* store = statement.get_if<Store>();
      return store != nullptr && "%" + kernel[store->buffer].name == name;
    });
  });
}

/// The rows of %x are too long to be gone over twice in one kernel; `made` is what both need.
std::string centred(std::string_view made, std::string_view parameters = "%x: f32[4, 90000]",
                    std::string_view returned = "%out") {
  const bool both = returned != "%out";
  return std::string("graph f(") + std::string(parameters) + ") -> " +
         (both ? "(f32[4, 90000], f32[4, 90000])" : "f32[4, 90000]") + " {\n" + std::string(made) +
         R"(  %square = multiply %made, %made : f32[4, 90000]
  %sum = sum %square, [1], keepdim=True : f32[4, 1]
  %out = multiply %made, %sum : f32[4, 90000]
  return )" +
         (both ? "%out, %made" : "%out") + "\n}\n";
}

TEST_CASE("what is made of one tensor that is given is made again", "[read_again]") {
  // In steps, the first of which nobody else reads, and with numbers a row.
  const std::string text = centred(R"(  %less = subtract %x, %m : f32[4, 90000]
  %made = multiply %less, 3.0 : f32[4, 90000]
)",
                                   "%x: f32[4, 90000], %m: f32[4, 1]");
  CHECK_FALSE(stores(text, "%made"));
  CHECK_FALSE(stores(text, "%made", true));
}

TEST_CASE("what is returned is in memory, and read there", "[read_again]") {
  CHECK(stores(centred("  %made = subtract %x, %m : f32[4, 90000]\n",
                       "%x: f32[4, 90000], %m: f32[4, 1]", "both"),
               "%made"));
}

TEST_CASE("much work is not done again", "[read_again]") {
  CHECK(stores(centred("  %made = tanh %x : f32[4, 90000]\n"), "%made"));
  CHECK(stores(centred(R"(  %a = divide 1.0, %x : f32[4, 90000]
  %made = add %a, 1.0 : f32[4, 90000]
)"),
               "%made"));
}

TEST_CASE("wider tensors are not read instead, nor parts of longer rows", "[read_again]") {
  CHECK(stores(centred(R"(  %low = to %x, float32 : f32[4, 90000]
  %made = subtract %low, 2.0 : f32[4, 90000]
)",
                       "%x: f64[4, 90000]"),
               "%made"));
  CHECK(stores(centred(R"(  %t = slice %x, 1, 0, 90000, 1 : f32[4, 90000]{90001, 1}
  %a = subtract %t, 2.0 : f32[4, 90000]
  %made = multiply %a, 3.0 : f32[4, 90000]
)",
                       "%x: f32[4, 90001]"),
               "%made"));
}

TEST_CASE("a tensor more is read where that saves a store", "[read_again]") {
  constexpr auto kTwo = "%x: f32[4, 90000], %y: f32[4, 90000]";
  const std::string sum = centred("  %made = add %x, %y : f32[4, 90000]\n", kTwo);
  CHECK_FALSE(stores(sum, "%made"));
  constexpr auto kThree = "%x: f32[4, 90000], %y: f32[4, 90000], %z: f32[4, 90000]";
  CHECK(stores(centred(R"(  %a = add %x, %y : f32[4, 90000]
  %made = add %a, %z : f32[4, 90000]
)",
                       kThree),
               "%made"));
}

TEST_CASE("sums that read the same by then share a kernel", "[read_again]") {
  constexpr auto kText =
      R"(graph f(%x: f32[32, 16, 1000], %g: f32[32, 16, 1000]) -> (f32[32, 1, 1], f32[16], f32[16]) {
  %made = multiply %g, %x : f32[32, 16, 1000]
  %rows = sum %made, [1, 2], keepdim=True : f32[32, 1, 1]
  %first = sum %made, [0, 2] : f32[16]
  %second = sum %g, [0, 2] : f32[16]
  return %rows, %first, %second
}
)";
  CHECK_FALSE(stores(kText, "%made"));
  CHECK(scheduled(kText, false).kernels.size() == 2);
}

TEST_CASE("a processor reads rows in long pieces again in one kernel", "[read_again]") {
  const auto text = [](int places) {
    const std::string p = std::to_string(places);
    return "graph f(%x: f32[8, 16, " + p + "]) -> f32[8, 16, " + p + "] {\n" +
           "  %sum = sum %x, [0, 2], keepdim=True : f32[1, 16, 1]\n" +
           "  %out = divide %x, %sum : f32[8, 16, " + p + "]\n" + "  return %out\n}\n";
  };
  CHECK(scheduled(text(64), false).kernels.size() == 1);
  CHECK(scheduled(text(16), false).kernels.size() == 2);
  CHECK(scheduled(text(9000), false).kernels.size() == 2);
}

}  // namespace
}  // namespace glint::passes
