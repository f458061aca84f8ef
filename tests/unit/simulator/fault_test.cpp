// Each fault, planted in a kernel written by hand, is found, with its kind, its line of the source
// and its thread; and so is each mistake in a text or a launch.
#include <fmt/format.h>

#include "planted.h"

namespace glint::simulator {
namespace {

TEST_CASE("fault: an access past the end of a buffer", "[fault]") {
  const Fault fault = planted(FaultKind::kOutOfBounds, ".loc 1 7 3\nld.global.f32 %f1, [%rd1+32];");
  CHECK(fault.thread == Index3{56, 0, 0});
  CHECK(fault.opcode == "ld.global.f32");
  CHECK(fault.text() ==
        "planted.cu:7: out of bounds: an access of 4 bytes reads byte 256 of `buffer 0`, which has "
        "256\n  thread (56, 0, 0) of block (0, 0, 0) of `k`, ld.global.f32, line 12 of the PTX");
}

TEST_CASE("fault: an access before a buffer, and through a null pointer", "[fault]") {
  const Fault before =
      planted(FaultKind::kOutOfBounds, ".loc 1 7 3\nst.global.f32 [%rd1+-8], 0f00000000;");
  CHECK_THAT(before.message, Catch::Contains("writes byte -8 of `buffer 0`, before its begin"));
  const Fault null =
      planted(FaultKind::kOutOfBounds, "mov.u64 %rd2, 0;\n.loc 1 7 3\nld.f32 %f1, [%rd2+16];");
  CHECK_THAT(null.message, Catch::Contains("address 0x10, which is in no buffer"));
}

TEST_CASE("fault: accesses outside shared, local and constant memory", "[fault]") {
  CHECK_THAT(planted(FaultKind::kOutOfBounds, ".loc 1 7 3\nst.shared.u32 [%r2+4], %r0;").message,
             Catch::Contains("byte 256 of shared memory, which has 256"));
  CHECK_THAT(planted(FaultKind::kOutOfBounds,
                     ".local .align 4 .b8 l[16]; mov.u64 %rd2, l;\n"
                     ".loc 1 7 3\nst.local.u32 [%rd2+16], %r0;")
                 .message,
             Catch::Contains("local memory, which has 16"));
  CHECK_THAT(planted(FaultKind::kOutOfBounds,
                     "mov.u64 %rd2, table;\n.loc 1 7 3\nst.global.u32 [%rd2], %r0;")
                 .message,
             Catch::Contains("`table`, which has 8 and is constant"));
}

TEST_CASE("fault: a misaligned access", "[fault]") {
  const Fault fault =
      planted(FaultKind::kMisaligned, ".loc 1 7 3\nld.global.v2.f32 {%f1, %f2}, [%rd0+4];");
  CHECK_THAT(fault.message, Catch::Contains("an access of 8 bytes reads address"));
  planted(FaultKind::kMisaligned, ".loc 1 7 3\nst.shared.u32 [%r2+2], %r0;");
}

TEST_CASE("fault: a race between warps, which a barrier ends", "[fault]") {
  const std::string write = "st.shared.u32 [%r2], %r0;\n";
  const std::string read =
      "xor.b32 %r3, %r1, 252;  mov.u32 %r4, s; add.u32 %r3, %r3, %r4;\n"
      ".loc 1 7 3\nld.shared.u32 %r3, [%r3];\n";
  // The first warp reads what the second has not written yet: without a barrier, uninitialised.
  planted(FaultKind::kUninitialised, write + read);
  CHECK_FALSE(run_planted(write + "bar.sync 0;\n" + read).fault);
  // After the barrier the first warp overwrites what the second has not read yet.
  const Fault fault =
      planted(FaultKind::kRace, write + "bar.sync 0;\n" + read + "st.shared.u32 [%r2], %r3;");
  CHECK_THAT(fault.message, Catch::Contains("a write, then a read"));
  CHECK_FALSE(
      run_planted(write + "bar.sync 0;\n" + read + "bar.sync 0; st.shared.u32 [%r2], 5;").fault);
}

TEST_CASE("fault: a race inside a warp, which the warp's barrier ends", "[fault]") {
  const std::string write = "st.shared.u32 [%r2], %r0;\n";
  const std::string read =
      "xor.b32 %r3, %r1, 4;  mov.u32 %r4, s; add.u32 %r3, %r3, %r4;\n"
      ".loc 1 7 3\nld.shared.u32 %r3, [%r3];\n";
  const Fault fault = planted(FaultKind::kRace, write + read);
  CHECK_THAT(fault.message, Catch::Contains("threads 1 and 0 of the block meet at byte 4"));
  CHECK_FALSE(run_planted(write + "bar.warp.sync -1;\n" + read).fault);
}

TEST_CASE("fault: two threads write one byte, unless by atomics", "[fault]") {
  planted(FaultKind::kRace, ".loc 1 7 3\nst.shared.u32 [s+8], %r0;");
  CHECK_FALSE(run_planted("setp.eq.u32 %p1, %r0, 0; @%p1 st.shared.u32 [s+8], 0; bar.sync 0;\n"
                          "atom.shared.add.u32 %r3, [s+8], 1;")
                  .fault);
}

TEST_CASE("fault: a read of shared memory that nobody wrote", "[fault]") {
  const Fault fault = planted(FaultKind::kUninitialised,
                              "st.shared.u16 [%r2], 1;\n.loc 1 7 3\n"
                              "ld.shared.u32 %r3, [%r2];");
  CHECK_THAT(fault.message, Catch::Contains("byte 2 of shared memory is read"));
  LaunchOptions unchecked;
  unchecked.check_shared = false;
  CHECK_FALSE(run_planted("ld.shared.u32 %r5, [%r2];", {.block = {64}}, unchecked).fault);
}

TEST_CASE("fault: a barrier that not all lanes of a warp reach", "[fault]") {
  const Fault fault = planted(FaultKind::kBarrier,
                              "setp.gt.u32 %p1, %r0, 7; @%p1 bra A;\n.loc 1 7 3\nbar.sync 0;\n"
                              "bra E;\nA: mov.u32 %r3, 1;\nE: mov.u32 %r4, 2;");
  CHECK_THAT(fault.message,
             Catch::Contains("8 of the warp's 32 lanes are here; lane 8 is on another path"));
  const Fault ended =
      planted(FaultKind::kBarrier, "setp.gt.u32 %p1, %r0, 7; @%p1 ret;\n.loc 1 7 3\nbar.sync 0;");
  CHECK_THAT(ended.message, Catch::Contains("lane 8 has ended without reaching it"));
}

TEST_CASE("fault: a barrier that not all warps reach", "[fault]") {
  const Fault fault = planted(FaultKind::kBarrier,
                              "setp.gt.u32 %p1, %r0, 31; @%p1 bra E;\n.loc 1 7 3\nbar.sync 0;\nE:");
  CHECK_THAT(fault.message, Catch::Contains("1 of the block's 2 warps"));
  CHECK_THAT(fault.message, Catch::Contains("warp 1 has ended without reaching it"));
  planted(FaultKind::kBarrier,
          "setp.gt.u32 %p1, %r0, 31; @%p1 bra E;\n.loc 1 7 3\nbar.sync 0;\nE: bar.sync 1;");
  CHECK_FALSE(run_planted("setp.gt.u32 %p1, %r0, 31; @%p1 bra E; bar.sync 1, 32;\nE:").fault);
}

/// For each half of a block of 128: writes at its place, reads at the same place of the other warp.
std::string in_halves(const std::string& between, uint32_t other) {
  return fmt::format(
      ".loc 1 7 3\n.shared .align 4 .b8 big[512]; mov.u32 %r2, big; add.u32 %r2, %r2, %r1;\n"
      "mov.u32 %r3, big; xor.b32 %r4, %r1, {}; add.u32 %r3, %r3, %r4;\n"
      "shr.u32 %r5, %r0, 6; add.u32 %r5, %r5, 1;\n"
      "st.shared.u32 [%r2], 0; bar.sync 0; ld.shared.u32 %r6, [%r3];\n"
      "{}\nst.shared.u32 [%r2], %r0;\nbar.sync %r5, 64; ld.shared.u32 %r6, [%r3];",
      other * 4, between);
}

TEST_CASE("fault: a barrier of a part of the block orders what its warps do", "[fault]") {
  const Launch launch{.block = {128}};
  CHECK_FALSE(run_planted(in_halves("bar.sync %r5, 64;", 32), launch).fault);
  CHECK_FALSE(run_planted(in_halves("barrier.sync.aligned %r5, 64;", 32), launch).fault);
  // Not what the other half does, and not where each comes to one of its own.
  planted(FaultKind::kRace, in_halves("bar.sync %r5, 64;", 64), launch);
  planted(FaultKind::kRace, in_halves("shr.u32 %r7, %r0, 5; bar.sync %r7, 32;", 32), launch);
  // Reads of several warps, of which not all have come.
  const std::string read_by_all =
      "setp.lt.u32 %p1, %r0, 32; @%p1 st.shared.u32 [%r2], 0; bar.sync 0;\n"
      "ld.shared.u32 %r3, [s]; setp.ge.u32 %p2, %r0, {}; @%p2 bra E; bar.sync 1, {};\n"
      "setp.eq.u32 %p1, %r0, 0;\n.loc 1 7 3\n@%p1 st.shared.u32 [s], 1;\nE:";
  CHECK_FALSE(run_planted(fmt::format(fmt::runtime(read_by_all), 96, 96), {.block = {96}}).fault);
  const Fault fault =
      planted(FaultKind::kRace, fmt::format(fmt::runtime(read_by_all), 64, 64), {.block = {96}});
  CHECK_THAT(fault.message, Catch::Contains("threads 95 and 0"));
}

TEST_CASE("fault: who comes to a barrier and goes on is ordered before those that wait",
          "[fault]") {
  const std::string pass_on =
      "setp.lt.u32 %p1, %r0, 32; @!%p1 bra W; st.shared.u32 [%r2], %r0; bar.arrive 1, 64;\n{}"
      "bra E;\nW: bar.sync 1, 64; .loc 1 7 3\nld.shared.u32 %r3, [%r2+-128]; E:";
  CHECK_FALSE(run_planted(fmt::format(fmt::runtime(pass_on), "")).fault);
  planted(FaultKind::kRace, fmt::format(fmt::runtime(pass_on), "st.shared.u32 [%r2], 5;\n"));
  const Fault few = planted(FaultKind::kBarrier, ".loc 1 7 3\nbar.sync 1, 96;");
  CHECK_THAT(few.message,
             Catch::Contains("at barrier 1, but it takes 96 threads, and 64 have come"));
}

TEST_CASE("reads before the warp's barrier are over, whoever reads behind it", "[fault]") {
  CHECK_FALSE(run_planted("st.shared.u32 [%r2], 1; bar.warp.sync -1;\n"
                          "setp.eq.u32 %p1, %r0, 1; @%p1 ld.shared.u32 %r3, [s];\n"
                          "bar.warp.sync -1; setp.eq.u32 %p1, %r0, 0;\n"
                          "@%p1 ld.shared.u32 %r3, [s]; @%p1 st.shared.u32 [s], 2;",
                          {.block = {32}})
                  .fault);
}

TEST_CASE("a barrier waits for those that are left, where that is asked for", "[fault]") {
  LaunchOptions as_hardware;
  as_hardware.ended_threads_miss = false;
  const auto ends = [&](const char* who, const LaunchOptions& options) {
    const std::string body = fmt::format("setp.{}.u32 %p1, %r0, 8; @%p1 ret; bar.sync 0;", who);
    return !run_planted(body, {.block = {64}}, options).fault;
  };
  CHECK(ends("gt", as_hardware));  // of the first warp lanes have ended, and all of the second
  CHECK(ends("lt", as_hardware));
  CHECK_FALSE(ends("gt", {}));
  CHECK_FALSE(ends("lt", {}));
}

TEST_CASE("fault: a shuffle without the lanes that it names", "[fault]") {
  planted(FaultKind::kBarrier,
          "setp.gt.u32 %p1, %r0, 3; @%p1 bra A;\n.loc 1 7 3\n"
          "shfl.sync.idx.b32 %r3, %r0, 0, 31, -1;\n"
          "bra E;\nA: mov.u32 %r3, 1;\nE: mov.u32 %r4, 2;");
  CHECK_FALSE(run_planted("setp.gt.u32 %p1, %r0, 3; @%p1 bra E;\n"
                          "shfl.sync.idx.b32 %r3, %r0, 0, 31, 0xf;\nE:")
                  .fault);
  // Lanes that have ended hold nothing that could be read.
  const std::string after_end =
      "setp.gt.u32 %p1, %r0, 3; @%p1 ret;\n.loc 1 7 3\nshfl.sync.idx.b32 %r3, %r0, 20, 31, -1;";
  CHECK_THAT(planted(FaultKind::kBarrier, after_end).message, Catch::Contains("lane 4 has ended"));
  LaunchOptions as_hardware;
  as_hardware.ended_threads_miss = false;
  CHECK_FALSE(run_planted(after_end, {.block = {32}}, as_hardware).fault);
  CHECK_FALSE(run_planted("setp.gt.u32 %p1, %r0, 3; @%p1 ret; bar.warp.sync -1;").fault);
}

TEST_CASE("fault: a lane outside the mask that it names, and one that names another", "[fault]") {
  for (const char* exchange :
       {"vote.sync.ballot.b32 %r3, 1, %r4;", "shfl.sync.idx.b32 %r3, %r0, 0, 31, %r4;",
        "match.any.sync.b32 %r3, %r0, %r4;", "redux.sync.add.u32 %r3, %r0, %r4;",
        "elect.sync _|%p2, %r4;", "bar.warp.sync %r4;"}) {
    INFO(exchange);
    const Fault outside =
        planted(FaultKind::kBarrier, fmt::format("mov.u32 %r4, 0xffff;\n.loc 1 7 3\n{}", exchange));
    CHECK(outside.message ==
          "barrier: the lanes 0x0000ffff are to take part, and lane 16, which names them, is not "
          "one of them");
    CHECK(outside.thread == Index3{16, 0, 0});
    const Fault other =
        planted(FaultKind::kBarrier, fmt::format("setp.lt.u32 %p1, %r0, 16; selp.b32 %r4, -1, "
                                                 "0xffff0000, %p1;\n.loc 1 7 3\n{}",
                                                 exchange));
    CHECK(other.message ==
          "barrier: the lanes 0xffffffff are to take part, and lane 16 names the lanes 0xffff0000");
  }
}

TEST_CASE("fault: a trap, and a kernel that does not end", "[fault]") {
  planted(FaultKind::kTrap, "setp.eq.u32 %p1, %r0, 40;\n.loc 1 7 3\n@%p1 trap;");
  LaunchOptions options;
  options.block_budget = 100000;
  const LaunchResult result = run_planted("L: bra L;", {.block = {64}}, options);
  REQUIRE(result.fault);
  CHECK(result.fault->kind == FaultKind::kEndless);
}

TEST_CASE("fault: of many blocks at fault the lowest is told", "[fault]") {
  const std::string body =
      "mov.u32 %r3, %ctaid.x; setp.lt.u32 %p1, %r3, 37; @%p1 bra E;\n.loc 1 7 3\ntrap;\nE:";
  for (int again = 0; again < 5; ++again) {
    const Fault fault = planted(FaultKind::kTrap, body, {.grid = {500}, .block = {64}});
    CHECK(fault.block == Index3{37, 0, 0});
  }
}

struct BadText {
  const char* body;
  const char* message;
};

TEST_CASE("a text outside what is known is refused with its place", "[ptx]") {
  const std::vector<BadText> texts = {
      {"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 %f1;",
       "11:1: `mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32` is outside the instructions "
       "that "
       "the simulator knows"},
      {"add.cc.f32 %f1, %f2, %f3;",
       "11:1: `add.cc.f32` is outside the instructions that the simulator knows: `add.cc` is known "
       "with .u32 .u64 .s32 .s64"},
      {"sub.u32.wide %r1, %r2, %r3;", "`sub` is known, `.wide` of it is not"},
      {"add.u32 %r1, %rd1, %r2;", "11:14: `%rd1` has type .b64 where 32 bits are expected"},
      {"add.u32 %f1, %r1;", "11:1: `add.u32` takes the operands d, a, b"},
      {"add.u32 %r1, %r2, %r3, %r4;", "11:24: `add.u32` takes the operands d, a, b"},
      {"mov.u32 %r99, 0;", "11:9: no register `%r99`"},
      {"bra NOWHERE;", "11:5: no label `NOWHERE`"},
      {"@%r1 ret;", "11:6: `%r1` is no predicate"},
      {"mov.u32 %tid.x, 0;", "`%tid.x` has type .u32 where 32 bits is to be written"},
      {"ld.global.v2.f32 %f1, [%rd0];", "11:18: expected 2 elements"},
      {"ld.global.L2::cache_hint.f32 %f1, [%rd0], %r1;",
       "11:43: `%r1` has type .b32 where 64 bits"},
      {"ld.global.L2::cache_hint.f32 %f1, [%rd0];", "takes the operands v, m, i?"},
      {"ld.global.f32 %f1, [%rd0], %rd1;", "takes the operands v, m, i?"},
      {"call nothing, (x);", "`call` of `nothing` is outside what the simulator knows"},
      {"mov.u32 %r1 5;", "11:13: expected `;`, not `5`"},
      {"mov.u32 %r1, 0f3F8;", "`0f3F8` needs 8 hexadecimal digits"},
      {"mov.u32 %r1, ?;", "11:14: unexpected character `?`"},
      {".reg .b128 %q;", "11:6: registers of type `.b128` are not known"},
  };
  for (const BadText& text : texts) {
    Memory memory;
    const auto module = LoadedModule::load(with_body(text.body), memory);
    std::string message = module ? std::string("(it loads)") : module.error().message;
    if (module) {
      const auto program = module->program("k");
      message = program ? std::string("(it links)") : program.error().message;
    }
    INFO(text.body);
    CHECK_THAT(message, Catch::Contains(text.message));
  }
}

/// The error of linking that entry.
std::string refusal(const std::string& text) {
  Memory memory;
  const auto module = LoadedModule::load(text, memory);
  if (!module) return "(it does not load) " + module.error().message;
  const auto program = module->program("k");
  return program ? std::string("(it links)") : program.error().message;
}

TEST_CASE("what is outside the set is named with the line of the source", "[ptx]") {
  CHECK(refusal(with_body(".loc 1 7 3\ntex.1d.v4.s32.s32 {%r1, %r2, %r3, %r4}, [%rd0, {%r5}];")) ==
        "planted.cu:7: `tex.1d.v4.s32.s32` is outside the instructions that the simulator knows\n"
        "  line 12 of the PTX");
  CHECK(refusal(with_body(".loc 1 7 3\nld.u32 %r1, [%rd0, %rd1];")) ==
        "planted.cu:7: expected `]`, not `,`\n  line 12 of the PTX");
  CHECK(
      refusal(with_body("P: .callprototype (.param .b32 _) _ (.param .b32 _);\n"
                        ".loc 1 7 3\n{ .param .b32 a; .param .b32 b; call (a), %rd1, (b), P; }")) ==
      "planted.cu:7: `call` of `%rd1` is outside what the simulator knows: functions with a "
      "body, called by name\n  line 13 of the PTX");
  CHECK(refusal(with_body("bra E; C: .calltargets f, g; E:")) == "(it links)");
}

TEST_CASE("addresses of functions and initial values are refused where they are needed", "[ptx]") {
  const std::string head =
      ".version 8.0 .target sm_80 .address_size 64\n"
      ".func f() { ret; }\n"
      ".global .align 8 .u64 table[3] = {0, f, 7};\n"
      ".global .align 8 .u64 place = generic(table)+8;\n";
  const auto with = [&](const std::string& body) {
    return refusal(head + ".entry k() { .reg .b64 %a; " + body + " ret; }");
  };
  CHECK(with("") == "(it links)");
  CHECK(with("mov.u64 %a, f;") ==
        "5:40: the address of the function `f` is outside what the simulator knows: functions are "
        "called by name");
  CHECK(with("mov.u64 %a, table+16;") ==
        "5:40: `table` is initialised with the address of `f`, which is outside what the simulator "
        "knows");
  CHECK_THAT(with("ld.global.u64 %a, [place];"), Catch::Contains("the address of `table`"));
}

TEST_CASE("a launch that cannot be is refused", "[launch]") {
  Memory memory;
  const auto module = LoadedModule::load(with_body(""), memory);
  REQUIRE(module);
  const auto program = module->program("k");
  REQUIRE(program);
  const auto message = [&](const Launch& launch) {
    const auto result = run(*program, memory, launch);
    return result ? std::string("(it runs)") : result.error().message;
  };
  const Argument pointer = argument(uint64_t{0});
  CHECK(message({.block = {64, 32}, .arguments = {pointer}}) ==
        "a block of `k` has 2048 threads, of which there can be 1024");
  CHECK(message({.block = {1025}, .arguments = {pointer}}) ==
        "`k` cannot be launched with a block of (1025, 1, 1): its x goes from 1 to 1024");
  CHECK(message({.block = {1, 1, 65}, .arguments = {pointer}}) ==
        "`k` cannot be launched with a block of (1, 1, 65): its z goes from 1 to 64");
  CHECK(message({.grid = {1, 70000}, .arguments = {pointer}}) ==
        "`k` cannot be launched with a grid of (1, 70000, 1): its y goes from 1 to 65535");
  CHECK_THAT(message({.grid = {0}, .arguments = {pointer}}),
             Catch::Contains("a grid of (0, 1, 1): its x goes from 1 to 2147483647"));
  CHECK(message({}) == "`k` takes 1 arguments, not 0");
  CHECK(message({.arguments = {argument(1.0f)}}) == "argument 1 of `k` has 8 bytes, not 4");
  CHECK_THAT(message({.dynamic_shared = 1 << 20, .arguments = {pointer}}),
             Catch::Contains("bytes of shared memory, of which sm_80 has 166912"));
  CHECK(module->program("absent").error().message == "the module has no entry `absent`");
}

}  // namespace
}  // namespace glint::simulator
