// Which launches become one: schedules of `add` (x + 1, of two lengths) and `scale` (x * y), and
// what the pass makes of them.
#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "passes/batch_launches.h"
#include "passes/fuse.h"

using namespace glint;
using namespace glint::passes;

namespace {

std::string kernel(const char* name, const std::string& size, const char* extra) {
  return fmt::format(
      "kernel {0}(%x: f32[{1}], %out: f32[{1}])\n  parallel i in 0..{1} {{\n    a = load %x[i]\n"
      "{2}    b = add a, 1.0\n    store %out[i] = b\n  }}\n",
      name, size, extra);
}

struct Batched {
  std::string steps;  ///< those of the schedule, as text, without their traffic
  std::string why;    ///< the reasons, one a line
};

/// Runs the pass on the lines of steps. Tensors: inputs %p and %q of 8 elements, %r of 5 and %s of
/// s0; results %a, %b and %c of 8, %d of 5 and %e of s0.
Batched batch(const std::string& steps, std::vector<Update> updates = {},
              const std::string& size = "8") {
  std::string text = kernel("add", size, "") + kernel("add_2", size, "") +
                     kernel("short", "5", "") + kernel("any", "s0", "") +
                     kernel("checked", size, "    p = less a, 9.0\n    check p, \"too large\"\n");
  text += fmt::format(
      "kernel scale(%x: f32[{0}], %y: f32[{0}], %out: f32[{0}])\n  parallel i in 0..{0} {{\n"
      "    a = load %x[i]\n    b = load %y[i]\n    c = multiply a, b\n    store %out[i] = c\n  "
      "}}\n",
      size);
  text += fmt::format(
      "schedule f(%p: f32[{0}], %q: f32[{0}], %r: f32[5], %s: f32[s0]) -> "
      "(f32[{0}], f32[{0}], f32[{0}], f32[5], f32[s0]) {{\n",
      size);
  for (int slot = 0; slot < 5; ++slot)
    text += fmt::format("  slot {}   4*{} bytes, output\n", slot,
                        slot < 3    ? size
                        : slot == 3 ? "5"
                                    : "s0");
  for (int slot = 0; slot < 5; ++slot)
    text += fmt::format("  %{} = tensor f32[{}] in slot {}\n", "abcde"[slot],
                        slot < 3    ? size
                        : slot == 3 ? "5"
                                    : "s0",
                        slot);
  auto schedule = parse_schedule(text + steps + "  return %a, %b, %c, %d, %e\n}\n");
  INFO(text << steps << (schedule.ok() ? "" : schedule.error().message));
  REQUIRE(schedule.ok());
  Graph graph;
  for (const char* name : {"a", "b", "c", "d", "e"})
    graph.add_parameter(name, TensorType::tensor(DType::kFloat32, {}));
  std::vector<FusionDecision> decisions;
  batch_launches(*schedule, graph, updates, decisions);
  Batched made;
  for (const StageLine& line : schedule_lines(*schedule)) {
    std::string each = line.text.substr(0, line.text.find("   reads"));
    if (each.starts_with("  launch") || each.starts_with("     and") || each.starts_with("  call"))
      made.steps += each.substr(each.find_first_not_of(' ')) + "\n";
  }
  for (const FusionDecision& decision : decisions)
    made.why += (decision.fused ? "yes " : "no ") + reason_text(decision) + "\n";
  return made;
}

const char* const kYes = "yes alike: one launch runs the code of one kernel on both\n";

}  // namespace

TEST_CASE("batches: like launches that do not wait for one another are one") {
  Batched made = batch("  launch add(%p, %a)\n  launch add_2(%q, %b)\n");
  CHECK(made.steps == "launch add(%p, %a)\nand (%q, %b)\n");
  CHECK(made.why == kYes);
  // What both read does not matter.
  CHECK(batch("  launch add(%p, %a)\n  launch add(%p, %b)\n").steps ==
        "launch add(%p, %a)\nand (%p, %b)\n");
  // Past one that is not alike.
  made = batch("  launch add(%p, %a)\n  launch scale(%p, %q, %c)\n  launch add_2(%q, %b)\n");
  CHECK(made.steps == "launch add(%p, %a)\nand (%q, %b)\nlaunch scale(%p, %q, %c)\n");
  CHECK(made.why == "no not alike: one launch for both would save some 10 ns, but no code\n" +
                        std::string(kYes));
}

TEST_CASE("batches: the code of the longest runs the shorter, where it is known which that is") {
  CHECK(batch("  launch short(%r, %d)\n  launch add(%q, %b)\n").steps ==
        "launch add(%r, %d) for 5\nand (%q, %b)\n");
  CHECK(batch("  launch add(%q, %b)\n  launch short(%r, %d)\n").steps ==
        "launch add(%q, %b)\nand (%r, %d) for 5\n");
  CHECK(batch("  launch add(%q, %b)\n  launch any(%s, %e)\n").steps ==
        "launch add(%q, %b)\nlaunch any(%s, %e)\n");
  CHECK(batch("  launch add(%q, %b)\n  launch any(%s, %e)\n", {}, "2*s0").steps ==
        "launch add(%q, %b)\nand (%s, %e) for s0\n");
}

TEST_CASE("batches: what one makes, the other does not wait for") {
  Batched made = batch("  launch add(%p, %a)\n  launch add_2(%a, %b)\n");
  CHECK(made.steps == "launch add(%p, %a)\nlaunch add_2(%a, %b)\n");
  CHECK(made.why == "no alike, but one waits for what is made behind the other\n");
  made = batch("  launch add(%p, %a)\n  launch scale(%p, %q, %c)\n  launch add_2(%c, %b)\n");
  CHECK(made.steps == "launch add(%p, %a)\nlaunch scale(%p, %q, %c)\nlaunch add_2(%c, %b)\n");
}

TEST_CASE("batches: an update does not come before a reader of the old value") {
  // %b, the second output, is the new %q.
  const std::vector<Update> updates{{1, 1}};
  Batched made = batch("  launch add(%p, %a)\n  launch add_2(%q, %b)\n", updates);
  CHECK(made.why == kYes);
  made = batch("  launch add(%q, %a)\n  launch add_2(%q, %b)\n", updates);
  CHECK(made.why == "no alike, but one overwrites what is read until then\n");
  made =
      batch("  launch add(%p, %a)\n  launch scale(%p, %q, %c)\n  launch add_2(%q, %b)\n", updates);
  CHECK(made.steps == "launch add(%p, %a)\nlaunch scale(%p, %q, %c)\nlaunch add_2(%q, %b)\n");
  // Nor does a reader of the old value go with the update.
  made = batch("  launch add(%q, %b)\n  launch add_2(%q, %a)\n", updates);
  CHECK(made.steps == "launch add(%q, %b)\nlaunch add_2(%q, %a)\n");
}

TEST_CASE("batches: nothing moves past a library call or a check") {
  Batched made = batch("  launch add(%p, %a)\n  call %c = relu %p\n  launch add_2(%q, %b)\n");
  CHECK(made.steps == "launch add(%p, %a)\ncall %c = relu %p   from %\nlaunch add_2(%q, %b)\n");
  CHECK(made.why.empty());
  made = batch("  launch add(%p, %a)\n  launch checked(%p, %c)\n  launch add_2(%q, %b)\n");
  CHECK(made.steps == "launch add(%p, %a)\nlaunch checked(%p, %c)\nlaunch add_2(%q, %b)\n");
}

TEST_CASE("batches: a large launch does not come between a kernel and its reader") {
  const std::string steps =
      "  launch add(%p, %a)\n  launch scale(%a, %q, %c)\n  launch add_2(%q, %b)\n";
  CHECK(batch(steps).steps == "launch add(%p, %a)\nand (%q, %b)\nlaunch scale(%a, %q, %c)\n");
  Batched made = batch(steps, {}, "100000");
  CHECK(made.steps == "launch add(%p, %a)\nlaunch scale(%a, %q, %c)\nlaunch add_2(%q, %b)\n");
  CHECK(made.why == "no alike, but too large to come between a kernel and its reader\n");
}
