// What is read and nobody has written: told where it is used, and only there.
#include <catch2/catch.hpp>

#include "planted.h"

namespace glint::simulator {
namespace {

constexpr const char* kRead = ".loc 1 7 3\nld.shared.u32 %r4, [s];\n.loc 1 9 3\n";

TEST_CASE("an undefined value is told by what uses it", "[fault]") {
  const char* use =
      GENERATE("setp.eq.u32 %p1, %r4, 0; @%p1 bra E;\nE:", "st.global.u32 [%rd1], %r4;",
               "add.u32 %r5, %r4, 1; mov.u32 %r6, %r5; st.global.u32 [%rd1], %r6;",
               "add.u32 %r5, %r4, %r2; st.shared.u32 [%r5], 1;",
               "add.u32 %r5, %r4, %r2; ld.shared.u32 %r5, [%r5];",
               "atom.global.add.u32 %r5, [%rd1], %r4;", "shfl.sync.idx.b32 %r3, %r4, 0, 31, -1;",
               "setp.eq.u32 %p1, %r4, 0; vote.sync.any.pred %p2, %p1, -1;",
               "setp.eq.u32 %p1, %r4, 0; setp.eq.u32 %p2, %r0, %r0; and.pred %p3, %p1, %p2; "
               "@%p3 bra E;\nE:");
  INFO(use);
  const Fault fault = planted(FaultKind::kUninitialised, std::string(kRead) + use);
  CHECK_THAT(fault.message, Catch::Contains("of shared memory is read, and nobody has written it"));
}

TEST_CASE("an undefined value that decides nothing is no fault", "[fault]") {
  const char* rest =
      GENERATE("", "setp.ne.u32 %p1, %r0, %r0; selp.b32 %r3, %r4, 5, %p1;",
               "setp.eq.u32 %p1, %r0, %r0; selp.b32 %r3, 5, %r4, %p1;",
               "setp.ne.u32 %p1, %r0, %r0; setp.eq.u32 %p2, %r4, 0; and.pred %p3, %p1, %p2; "
               "@%p3 trap;",
               "setp.eq.u32 %p1, %r0, %r0; setp.eq.u32 %p2, %r4, 0; or.pred %p3, %p2, %p1; "
               "@!%p3 trap;",
               "mov.u32 %r4, 7; st.global.u32 [%rd1], %r4;",
               "st.shared.u32 [%r2], %r4; bar.sync 0; st.shared.u32 [%r2], 1; "
               "ld.shared.u32 %r3, [%r2];");
  INFO(rest);
  CHECK_FALSE(run_planted(std::string(kRead) + rest).fault);
}

TEST_CASE("a place that gets an undefined value is as unwritten as where it came from", "[fault]") {
  planted(FaultKind::kUninitialised,
          "ld.shared.u32 %r4, [s];\nst.shared.u32 [%r2], %r4;\nbar.sync 0;\n"
          ".loc 1 7 3\nld.shared.u32 %r3, [%r2];");
}

TEST_CASE("an undefined value is that of its lanes alone", "[fault]") {
  const std::string half =
      "setp.lt.u32 %p1, %r0, 16; @%p1 st.shared.u32 [%r2], %r0; bar.sync 0;\n"
      ".loc 1 7 3\nld.shared.u32 %r3, [%r2];\n";
  CHECK_FALSE(run_planted(half + "@!%p1 mov.u32 %r3, 1; st.global.u32 [%rd1], %r3;").fault);
  const Fault fault = planted(FaultKind::kUninitialised, half + "st.global.u32 [%rd1], %r3;");
  CHECK(fault.thread == Index3{16, 0, 0});
}

TEST_CASE("the padding of a struct may be copied, and a word of which a part was written",
          "[fault]") {
  const std::string written = "st.shared.u32 [%r2], 1; st.shared.u8 [%r2], 1; bar.sync 0;\n";
  const std::string part = "st.shared.u8 [%r2], 1;\n.loc 1 7 3\nld.shared.u32 %r4, [%r2];\n";
  CHECK_FALSE(run_planted(written + "ld.shared.u32 %r3, [%r2];").fault);
  CHECK_FALSE(run_planted(part + "st.global.u32 [%rd1], %r4;").fault);
  CHECK_FALSE(run_planted(part + "mov.u32 %r3, 0; st.shared.u32 [%r2], %r4;").fault);
  planted(FaultKind::kUninitialised, part + "add.u32 %r3, %r4, 1;");
  const std::string padding =
      ".loc 1 7 3\nld.shared.v4.u8 {%h0, %h1, %h2, %h3}, [%r2];\nmov.u32 %r3, 0;\n";
  CHECK_FALSE(run_planted(padding + "st.global.v4.u8 [%rd1], {%h0, %h1, %h2, %h3};").fault);
  CHECK_FALSE(run_planted(padding + "st.shared.v4.u8 [%r2], {%h0, %h1, %h2, %h3};").fault);
  planted(FaultKind::kUninitialised, padding + "st.global.u8 [%rd1], %h0;");
}

TEST_CASE("a shuffle brings what another lane holds", "[fault]") {
  const std::string first =
      "setp.eq.u32 %p1, %r0, 0; @%p1 st.shared.u32 [%r2], 4;\n.loc 1 7 3\n"
      "ld.shared.u32 %r4, [%r2];\n";
  CHECK_FALSE(run_planted(first + "shfl.sync.idx.b32 %r3, %r4, 0, 31, -1;", {.block = {32}}).fault);
  const Fault fault = planted(FaultKind::kUninitialised,
                              first + "shfl.sync.idx.b32 %r3, %r4, 5, 31, -1;", {.block = {32}});
  CHECK_THAT(fault.message, Catch::Contains("byte 20 of shared memory"));
}

TEST_CASE("a shuffle from a lane that takes no part is told where that is used", "[fault]") {
  const std::string half = "mov.u32 %r3, 0; setp.gt.u32 %p1, %r0, 15; @%p1 ret;\n";
  const std::string down = ".loc 1 7 3\nshfl.sync.down.b32 %r4, %r0, 8, 31, 0xffff;\n";
  CHECK_FALSE(run_planted(half + down +
                              "setp.lt.u32 %p2, %r0, 8; add.u32 %r5, %r4, %r0;\n"
                              "@%p2 st.global.u32 [%rd1], %r5;",
                          {.block = {32}})
                  .fault);
  const Fault fault =
      planted(FaultKind::kBarrier, half + down + "st.global.u32 [%rd1], %r4;", {.block = {32}});
  CHECK_THAT(fault.message, Catch::Contains("lane 8 gets what lane 16 holds, which takes no part"));
}

TEST_CASE("what a race brings is told where it is used", "[race]") {
  const std::string raced =
      "setp.eq.u32 %p1, %r0, 0; @%p1 st.shared.u32 [s], 9;\n.loc 1 7 3\nld.shared.u32 %r4, [s];\n";
  CHECK_FALSE(run_planted(raced + "selp.b32 %r3, %r4, 5, %p1;", {.block = {32}}).fault);
  planted(FaultKind::kRace, raced + "mov.u32 %r3, %r4;", {.block = {32}});
  planted(FaultKind::kRace, raced + "mov.u32 %r3, 0; st.shared.u32 [%r2], %r4;", {.block = {32}});
}

}  // namespace
}  // namespace glint::simulator
