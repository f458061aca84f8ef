// What counts as a race in shared memory where nothing orders two accesses, and what does not.
#include <fmt/format.h>

#include "planted.h"

namespace glint::simulator {
namespace {

/// `s[0] = 0` by thread 0, and a barrier.
const std::string kCleared =
    "setp.eq.u32 %p1, %r0, 0; @%p1 st.shared.u32 [s], 0; @%p1 st.shared.u32 [s+4], 0;\n"
    "bar.sync 0;\n";

void check_passes(const std::string& body, Launch launch = {.block = {64}}) {
  const LaunchResult result = run_planted(body, std::move(launch));
  INFO(body << "\n" << (result.fault ? result.fault->text() : std::string()));
  CHECK_FALSE(result.fault);
}

void check_race(std::string_view message, const std::string& body,
                Launch launch = {.block = {64}}) {
  INFO(body);
  CHECK_THAT(planted(FaultKind::kRace, body, std::move(launch)).message,
             Catch::Contains(std::string(message)));
}

TEST_CASE("stores of one value are no race", "[race]") {
  check_passes(kCleared + "st.shared.u32 [s], 1; bar.sync 0; ld.shared.u32 %r3, [s];");
  check_passes(kCleared + "setp.gt.u32 %p2, %r0, 20; @%p2 st.shared.u32 [s], 1;");
  check_passes("st.shared.v2.u32 [s], {7, 8};");
  // Bytes that others stored, beside bytes of its own.
  check_passes(
      "setp.eq.u32 %p1, %r0, 5; @%p1 st.shared.u32 [s+4], 3; st.shared.u32 [s], 9;\n"
      "@%p1 st.shared.v2.u32 [s], {9, 4};");
}

TEST_CASE("stores of several values are a race", "[race]") {
  check_race("threads 0 and 1 of the block meet at byte 8 of shared memory (two writes)",
             ".loc 1 7 3\nst.shared.u32 [s+8], %r0;");
  // All but the last lanes of a warp have stored what the last one overwrites.
  check_race("threads 0 and 31 of the block meet at byte 0 of shared memory (two writes)",
             "st.shared.u32 [s], 0; setp.eq.u32 %p1, %r0, 31;\n"
             ".loc 1 7 3\n@%p1 st.shared.u32 [s], 1;",
             {.block = {32}});
  // They may be in the other warp: the last one has synchronised with its own.
  check_race("threads 31 and 63",
             "st.shared.u32 [s], 0; bar.warp.sync -1; setp.eq.u32 %p1, %r0, 63;\n"
             ".loc 1 7 3\n@%p1 st.shared.u32 [s], 1;");
  check_passes(
      "st.shared.u32 [s], 0; bar.warp.sync -1; setp.eq.u32 %p1, %r0, 31;\n"
      "@%p1 st.shared.u32 [s], 1;",
      {.block = {32}});
  // A store beside updates, whatever it stores, and beside a store that was updated.
  check_race("two writes", kCleared +
                               "setp.lt.u32 %p2, %r0, 32; @%p2 red.shared.add.u32 [s], 0;\n"
                               ".loc 1 7 3\n@!%p2 st.shared.u32 [s], 0;");
  check_race("two writes",
             "setp.eq.u32 %p1, %r0, 0; @%p1 st.shared.u32 [s], 1;\n"
             "@%p1 red.shared.add.u32 [s], 1; setp.eq.u32 %p2, %r0, 40;\n"
             ".loc 1 7 3\n@%p2 st.shared.u32 [s], 1;");
}

TEST_CASE("who reads what several have stored races with the others", "[race]") {
  check_race("threads 31 and 0 of the block meet at byte 0 of shared memory (a write, then a read)",
             "st.shared.u32 [s], 1;\n.loc 1 7 3\nld.shared.u32 %r3, [s];");
  check_race("(a write, then a read)",
             "st.shared.u32 [s], 1; setp.eq.u32 %p1, %r0, 31;\n"
             ".loc 1 7 3\n@%p1 ld.shared.u32 %r3, [s];",
             {.block = {32}});
}

TEST_CASE("a store races with reads unless it leaves what they read", "[race]") {
  const std::string read =
      "setp.eq.u32 %p1, %r0, {0}; @%p1 ld.shared.u32 %r3, [s];\n"
      "setp.eq.u32 %p2, %r0, {1};\n.loc 1 7 3\n@%p2 st.shared.u32 [s], {2};";
  const auto stores = [&](int reader, int writer, int value) {
    return kCleared + fmt::format(fmt::runtime(read), reader, writer, value);
  };
  check_passes(stores(3, 7, 0));
  check_race("threads 3 and 7 of the block meet at byte 0 of shared memory (a read, then a write)",
             stores(3, 7, 1));
  check_race("threads 3 and 40", stores(3, 40, 256));
  // What its reader has overwritten itself by the same value.
  check_race("threads 3 and 7", kCleared +
                                    "setp.eq.u32 %p1, %r0, 3; @%p1 ld.shared.u32 %r3, [s];\n"
                                    "@%p1 st.shared.u32 [s], 1; setp.eq.u32 %p2, %r0, 7;\n"
                                    ".loc 1 7 3\n@%p2 st.shared.u32 [s], 1;");
  // Read behind the store, it is what everybody stores.
  check_passes(kCleared +
               "setp.eq.u32 %p1, %r0, 3; @%p1 st.shared.u32 [s], 1;\n"
               "@%p1 ld.shared.u32 %r3, [s]; setp.eq.u32 %p2, %r0, 7;\n"
               "@%p2 st.shared.u32 [s], 1;");
}

TEST_CASE("a race with one of several readers names another one than the writer", "[race]") {
  for (const int writer : {0, 1, 2}) {
    const std::string message =
        fmt::format("threads {} and {} of the block", writer == 2 ? 0 : 2, writer);
    check_race(message, kCleared + fmt::format("setp.lt.u32 %p1, %r0, 3; @%p1 ld.shared.u32 %r3, "
                                               "[s]; setp.eq.u32 %p2, %r0, {};\n"
                                               ".loc 1 7 3\n@%p2 st.shared.u32 [s], 1;",
                                               writer));
  }
  // In the other warp, too, and where the writer reads once more.
  check_race("threads 0 and 31", kCleared +
                                     "ld.shared.u32 %r3, [s]; setp.eq.u32 %p2, %r0, 31;\n"
                                     ".loc 1 7 3\n@%p2 st.shared.u32 [s], 1;");
  check_race("threads 31 and 63", kCleared +
                                      "ld.shared.u32 %r3, [s]; setp.eq.u32 %p2, %r0, 63;\n"
                                      "@%p2 ld.shared.u32 %r3, [s];\n"
                                      ".loc 1 7 3\n@%p2 st.shared.u32 [s], 1;");
  check_passes(kCleared +
               "setp.eq.u32 %p1, %r0, 3; @%p1 ld.shared.u32 %r3, [s];\n"
               "@%p1 ld.shared.u32 %r3, [s]; @%p1 st.shared.u32 [s], 1;");
}

/// Threads from `reads` on read `s[0]`, those from `updates` on update it by compare and swap, from
/// what they have read.
std::string compare_and_swap(int reads, int updates) {
  return kCleared + fmt::format(
                        "setp.ge.u32 %p1, %r0, {}; setp.ge.u32 %p2, %r0, {};\n"
                        "@%p1 ld.shared.u32 %r3, [s]; @!%p2 bra E;\n"
                        "L: mov.u32 %r4, %r3; add.u32 %r5, %r4, 1;\n.loc 1 7 3\n"
                        "atom.shared.cas.b32 %r3, [s], %r4, %r5;\n.loc 1 8 3\n"
                        "setp.ne.u32 %p3, %r3, %r4; @%p3 bra L;\nE:",
                        reads, updates);
}

TEST_CASE("a read is no race with updates where its reader updates the place", "[race]") {
  check_passes(compare_and_swap(0, 0));
  check_passes(compare_and_swap(0, 0), {.block = {32}});
  check_passes(compare_and_swap(0, 0) + "bar.sync 0; ld.shared.u32 %r3, [s];", {.block = {1024}});
  check_passes(compare_and_swap(0, 0) + "bar.warp.sync 0xffff;", {.block = {16}});
  // A double by its halves, and an update of half a word.
  check_passes(kCleared + "ld.shared.u64 %rd2, [s]; atom.shared.add.u64 %rd3, [s], 1;");
  check_passes(kCleared +
               "ld.shared.u16 %r3, [s]; mov.u32 %r4, 1; cvt.u16.u32 %h1, %r4;\n"
               "atom.shared.cas.b16 %h2, [s], %h1, %h1;");
}

TEST_CASE("a read is a race with updates where its reader does not update the place", "[race]") {
  // Told at the update, as it has met the read.
  check_race("threads 0 and 1 of the block meet at byte 0 of shared memory (a read, then a write)",
             compare_and_swap(0, 1));
  check_race("threads 0 and 32", compare_and_swap(0, 32));
  check_race("threads 0 and 1", compare_and_swap(0, 1) + "\nbar.sync 0; ld.shared.u32 %r3, [s];");
  check_race("threads 5 and 6", compare_and_swap(5, 6), {.block = {16}});
  // An update of another place says nothing, nor does one behind a barrier.
  for (const char* barrier : {"bar.sync 0;", "bar.warp.sync -1;", "bar.sync 1, 64;"}) {
    check_race("threads 1 and 0",
               kCleared +
                   "ld.shared.u32 %r3, [s]; setp.eq.u32 %p2, %r0, 0;\n.loc 1 7 3\n"
                   "@%p2 red.shared.add.u32 [s], 1;\n.loc 1 8 3\n"
                   "red.shared.add.u32 [s+4], 1;\n" +
                   barrier + "\nred.shared.add.u32 [s], 1;");
  }
  // Half of what was read.
  check_race(
      "threads 31 and 32 of the block meet at byte 4 of shared memory (a write, then a read)",
      kCleared +
          ".loc 1 7 3\nld.shared.u64 %rd2, [s];\n.loc 1 8 3\n"
          "red.shared.add.u32 [s], 1; setp.lt.u32 %p2, %r0, 32;\n"
          "@%p2 red.shared.add.u32 [s+4], 1;");
}

TEST_CASE("a read behind updates by others is a race", "[race]") {
  const std::string message =
      "threads 31 and 0 of the block meet at byte 0 of shared memory (a write, then a read)";
  check_race(message, kCleared + "red.shared.add.u32 [s], 1;\n.loc 1 7 3\nld.shared.u32 %r3, [s];");
  check_race(message, kCleared +
                          "red.shared.add.u32 [s], 1;\n.loc 1 7 3\nld.shared.u32 %r3, [s];\n"
                          ".loc 1 8 3\nbar.sync 0; ld.shared.u32 %r3, [s];");
  // In a kernel that never ends: the reader updates nothing either.
  const std::string endless = "\n.loc 1 8 3\nL: setp.lt.u32 %p2, %r3, 99; @%p2 bra L;";
  check_race(message, kCleared + "red.shared.add.u32 [s], 1;\n.loc 1 7 3\nld.shared.u32 %r3, [s];" +
                          endless);
}

/// Thread 40 sets the flag `s[0]`, those of the first warp wait for it.
std::string flag(std::string_view store, std::string_view load, std::string_view between = "") {
  return kCleared + fmt::format(
                        "setp.eq.u32 %p1, %r0, 40; setp.lt.u32 %p2, %r0, 32;\n"
                        "@!%p2 bra S;\nL:\n.loc 1 7 3\n{1} %r3, [s]; {2}\n"
                        "setp.eq.u32 %p3, %r3, 0; @%p3 bra L; bra E;\n"
                        "S: @%p1 {0} [s], 1;\nE:",
                        store, load, between);
}

TEST_CASE("a volatile flag that a warp waits for is no race", "[race]") {
  check_passes(flag("st.volatile.shared.u32", "ld.volatile.shared.u32"));
  check_passes(flag("red.shared.add.u32", "ld.volatile.shared.u32"));
  check_passes(flag("st.release.cta.shared.u32", "ld.acquire.cta.shared.u32"));
  // Set before it is looked at.
  check_passes(kCleared +
               "setp.eq.u32 %p1, %r0, 0; @%p1 st.volatile.shared.u32 [s], 1;\n"
               "L: ld.volatile.shared.u32 %r3, [s];\n"
               "setp.eq.u32 %p2, %r3, 0; @%p2 bra L;");
}

TEST_CASE("a flag that is not volatile, or that nobody waits for, is a race", "[race]") {
  const auto told = [](const std::string& body) {
    const LaunchResult result = run_planted(body);
    INFO(body);
    REQUIRE(result.fault);
    CHECK(result.fault->kind == FaultKind::kRace);
  };
  told(flag("st.shared.u32", "ld.volatile.shared.u32"));
  told(flag("st.volatile.shared.u8", "ld.volatile.shared.u32"));
  told(flag("st.volatile.shared.u32", "ld.volatile.shared.u32", "st.shared.u32 [s+8], 0;"));
  const std::string once =
      "setp.eq.u32 %p1, %r0, {}; @%p1 st.volatile.shared.u32 [s], 1;\n"
      "ld.volatile.shared.u32 %r3, [s];";
  told(kCleared + fmt::format(fmt::runtime(once), 0));
  told(kCleared +
       "ld.volatile.shared.u32 %r3, [s]; setp.eq.u32 %p1, %r0, 0;\n"
       "@%p1 st.volatile.shared.u32 [s], 1;");
}

/// A warp adds up what it has in volatile memory, `rows` times, without a barrier.
std::string warp_sum(int rows) {
  std::string steps;
  for (const int distance : {16, 8, 4, 2, 1}) {
    steps += fmt::format(
        "ld.volatile.shared.u32 %r3, [%r2+{}]; ld.volatile.shared.u32 %r4, [%r2];\n"
        "add.u32 %r4, %r4, %r3; st.volatile.shared.u32 [%r2], %r4;\n",
        4 * distance);
  }
  return fmt::format(
      "st.volatile.shared.u32 [%r2], %r0; st.volatile.shared.u32 [%r2+128], 1;\n"
      "mov.u32 %r5, 0; bar.sync 0;\n.loc 1 7 3\nL: st.volatile.shared.u32 [%r2], %r0;\n"
      "{}add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, {}; @%p1 bra L;",
      steps, rows);
}

TEST_CASE("a warp's sum by volatile memory alone is a race", "[race]") {
  for (const int rows : {1, 3}) check_race("", warp_sum(rows), {.block = {32}});
  check_race("",
             "st.volatile.shared.u32 [%r2], %r0; st.volatile.shared.u32 [%r2+128], 1;\n"
             "mov.u32 %r5, 64; bar.sync 0;\n.loc 1 7 3\n"
             "L: add.u32 %r6, %r2, %r5; ld.volatile.shared.u32 %r3, [%r6];\n"
             "ld.volatile.shared.u32 %r4, [%r2]; add.u32 %r4, %r4, %r3;\n"
             "st.volatile.shared.u32 [%r2], %r4;\n"
             "shr.u32 %r5, %r5, 1; setp.ge.u32 %p1, %r5, 4; @%p1 bra L;",
             {.block = {32}});
}

TEST_CASE("races are not told where that is asked for, uninitialised reads are", "[race]") {
  LaunchOptions options;
  options.check_races = false;
  const Launch launch{.block = {64}};
  CHECK_FALSE(run_planted("st.shared.u32 [s+8], %r0; ld.shared.u32 %r3, [s+8];\n"
                          "red.shared.add.u32 [s+8], 1;",
                          launch, options)
                  .fault);
  const LaunchResult result = run_planted("ld.shared.u32 %r3, [s];", launch, options);
  REQUIRE(result.fault);
  CHECK(result.fault->kind == FaultKind::kUninitialised);
}

}  // namespace
}  // namespace glint::simulator
