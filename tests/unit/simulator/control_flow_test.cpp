// Where the lanes that a branch parts meet again, by the line of the instruction.
#include <catch2/catch.hpp>

#include "backends/cuda/simulator/program.h"

namespace glint::simulator {
namespace {

/// The line of the body (from 1) at which the branch of line `branch` has its lanes meet; 0:
/// nowhere.
uint32_t meets(const std::string& body, uint32_t branch) {
  const auto module = parse_module(
      ".version 8.0 .target sm_80 .address_size 64 .visible .entry k() { .reg .b32 %r<4>; "
      ".reg .pred %p<4>;\n" +
      body + "\n}");
  if (!module) FAIL(module.error().message);
  const auto program = link_program(*module, "k", {});
  if (!program) FAIL(program.error().message);
  for (size_t i = 0; i < program->code.size(); ++i) {
    if (program->info[i].place.line != branch + 1) continue;
    const uint32_t at = program->code[i].reconverge;
    return at == kNowhere ? 0 : program->info[at].place.line - 1;
  }
  FAIL("no instruction on line " << branch);
  return 0;
}

TEST_CASE("lanes meet behind both arms of a branch", "[flow]") {
  CHECK(
      meets(
          "@%p1 bra A;\n mov.u32 %r1, 1;\n bra E;\n A: mov.u32 %r1, 2;\n E: mov.u32 %r2, 3;\n ret;",
          1) == 5);
  CHECK(meets("@%p1 bra E;\n mov.u32 %r1, 1;\n E: mov.u32 %r2, 3;\n ret;", 1) == 3);
}

TEST_CASE("lanes meet behind a loop", "[flow]") {
  CHECK(meets("L: mov.u32 %r1, 1;\n @%p1 bra L;\n mov.u32 %r2, 2;\n ret;", 2) == 3);
  CHECK(meets("L: mov.u32 %r1, 1;\n @%p1 bra L;\n ret;", 2) == 3);
  // A way out of the middle of the loop leads to the same place.
  const std::string with_break =
      "L: mov.u32 %r1, 1;\n @%p1 bra E;\n mov.u32 %r1, 2;\n @%p2 bra L;\n E: mov.u32 %r2, 2;\n "
      "ret;";
  CHECK(meets(with_break, 2) == 5);
  CHECK(meets(with_break, 4) == 5);
}

TEST_CASE("who returns early is not waited for", "[flow]") {
  const std::string trap =
      "@%p1 bra A;\n mov.u32 %r1, 1;\n @%p2 bra T;\n A: mov.u32 %r2, 2;\n ret;\n T: trap;";
  CHECK(meets(trap, 1) == 4);
  const std::string early =
      "@%p1 bra A;\n mov.u32 %r1, 1;\n @%p2 bra R;\n A: mov.u32 %r2, 2;\n R: ret;";
  CHECK(meets(early, 1) == 4);
  // The same with work before the return, out of a loop.
  const std::string report =
      "@%p1 bra A;\n L: mov.u32 %r1, 1;\n @%p2 bra F;\n @%p3 bra L;\n A: mov.u32 %r2, 2;\n bra R;\n"
      "F: mov.u32 %r3, 9;\n R: ret;";
  CHECK(meets(report, 1) == 5);
  CHECK(meets(report, 3) == 4);
  CHECK(meets(report, 4) == 5);
}

TEST_CASE("several early returns that end in the same way are not waited for", "[flow]") {
  const std::string checks =
      "@%p1 bra B;\n @%p2 bra F;\n mov.u32 %r1, 1;\n @%p3 bra F;\n mov.u32 %r1, 2;\n"
      "B: bar.sync 0;\n mov.u32 %r2, 2;\n bra R;\n F: mov.u32 %r3, 9;\n R: ret;";
  CHECK(meets(checks, 1) == 6);
  CHECK(meets(checks, 2) == 3);
  CHECK(meets(checks, 4) == 5);
}

TEST_CASE("lanes of a table of branches meet behind all of them", "[flow]") {
  CHECK(meets("brx.idx %r1, t;\n A: mov.u32 %r1, 1;\n bra E;\n B: mov.u32 %r1, 2;\n"
              " E: mov.u32 %r2, 3;\n ret; t: .branchtargets A, B;",
              1) == 5);
}

}  // namespace
}  // namespace glint::simulator
