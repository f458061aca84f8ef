// Blocks and lanes that wait for others: they go on, or it is told that they never will.
#include <fmt/format.h>

#include "run_kernel.h"

namespace glint::simulator {
namespace {

/// A kernel of a body, with the address of its buffer in %rd0 and the thread's numbers in %r0, %r1.
std::string kernel(const std::string& body) {
  return fmt::format(R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry f(.param .u64 buffer) {{
  .shared .align 4 .b8 s[256];
  .reg .b64 %rd<4>;
  .reg .b32 %r<8>;
  .reg .pred %p<4>;
  ld.param.u64 %rd0, [buffer];
  mov.u32 %r0, %tid.x;
  mov.u32 %r1, %ctaid.x;
  {}
  ret;
}}
)",
                     body);
}

LaunchResult run(const std::string& body, Launch launch, std::vector<uint32_t>& buffer) {
  Device device(kernel(body));
  return device.run("f", std::move(launch), buffer);
}

const char* const kFlag = R"(setp.eq.u32 %p0, %r1, 3;
  @%p0 st.global.u32 [%rd0], 41;
  setp.ne.u32 %p0, %r1, 0;
  @%p0 bra done;
wait:
  ld.volatile.global.u32 %r2, [%rd0];
  setp.eq.u32 %p1, %r2, 0;
  @%p1 bra wait;
  add.u32 %r2, %r2, 1;
  st.global.u32 [%rd0+4], %r2;
done:)";

TEST_CASE("waiting: a block goes on when a later one has written", "[waiting]") {
  std::vector<uint32_t> buffer(2);
  CHECK_FALSE(run(kFlag, {.grid = {4}, .block = {1}}, buffer).fault);
  CHECK(buffer[1] == 42);
}

TEST_CASE("waiting: every load that passes the multiprocessor's own cache looks at memory",
          "[waiting]") {
  for (const char* const load :
       {"ld.global.cg.u32", "ld.global.cv.u32", "ld.relaxed.gpu.global.u32"}) {
    std::string body = kFlag;
    body.replace(body.find("ld.volatile.global.u32"), 22, load);
    Device device(kernel(body));
    std::vector<uint32_t> buffer(2);
    CHECK_FALSE(device.run("f", {.grid = {4}, .block = {1}}, buffer).fault);
    CHECK(device.program().blocks_meet);
  }
}

TEST_CASE("waiting: a block for which none writes is told", "[waiting]") {
  std::vector<uint32_t> buffer(2);
  const LaunchResult result = run(kFlag, {.grid = {2}, .block = {1}}, buffer);
  REQUIRE(result.fault);
  CHECK(result.fault->kind == FaultKind::kEndless);
  CHECK(result.fault->opcode == "ld.volatile.global.u32");
  CHECK(result.fault->message ==
        "endless: `f` waits here for what another block or thread would write, and none does any "
        "more");
}

TEST_CASE("waiting: more blocks than there is room for at once", "[waiting]") {
  // The last of them writes: 2 of 1024 threads fit on each of 108 multiprocessors.
  const char* const body = R"(setp.eq.u32 %p0, %r1, 299;
  @%p0 st.global.u32 [%rd0], 1;
wait:
  ld.volatile.global.u32 %r2, [%rd0];
  setp.eq.u32 %p1, %r2, 0;
  @%p1 bra wait;)";
  std::vector<uint32_t> buffer(1);
  CHECK_FALSE(run(body, {.grid = {300}, .block = {32}}, buffer).fault);
  buffer[0] = 0;
  const LaunchResult result = run(body, {.grid = {300}, .block = {1024}}, buffer);
  REQUIRE(result.fault);
  CHECK(
      result.fault->message ==
      "endless: `f` waits here for what another block would write, which has not begun: a GPU has "
      "room for 216 of them at once, and all these wait");
}

TEST_CASE("waiting: a block that writes while it waits", "[waiting]") {
  // Thread 0 reads the flag and tells the others through shared memory.
  const char* const broadcast = R"(mov.u32 %r3, s;
  setp.eq.u32 %p0, %r0, 0;
  setp.eq.u32 %p1, %r1, 1;
  @%p1 bra last;
again:
  @%p0 ld.volatile.global.u32 %r2, [%rd0];
  @%p0 st.shared.u32 [%r3], %r2;
  bar.sync 0;
  ld.shared.u32 %r4, [%r3];
  bar.sync 0;
  setp.eq.u32 %p2, %r4, 0;
  @%p2 bra again;
  @%p0 st.global.u32 [%rd0+4], %r4;
  bra done;
last:
  @%p0 st.global.u32 [%rd0], 41;
done:)";
  std::vector<uint32_t> buffer(2);
  CHECK_FALSE(run(broadcast, {.grid = {2}, .block = {64}}, buffer).fault);
  CHECK(buffer[1] == 41);
  const char* const counts = R"(setp.eq.u32 %p1, %r1, 1;
  @%p1 bra last;
again:
  atom.global.add.u32 %r3, [%rd0+4], 1;
  ld.volatile.global.u32 %r2, [%rd0];
  setp.eq.u32 %p2, %r2, 0;
  @%p2 bra again;
  bra done;
last:
  st.global.u32 [%rd0], 41;
done:)";
  buffer = {0, 0};
  CHECK_FALSE(run(counts, {.grid = {2}, .block = {1}}, buffer).fault);
  CHECK(buffer[1] > 0);
}

/// The second warp of each block counts so far and writes that, for which the first one waits.
std::string counting_to(uint32_t count) {
  return fmt::format(R"(setp.ge.u32 %p0, %r0, 32;
  mad.wide.u32 %rd1, %r1, 4, %rd0;
  mov.u32 %r2, 0;
  @%p0 bra last;
again:
  ld.volatile.global.u32 %r3, [%rd1];
  setp.eq.u32 %p2, %r3, 0;
  @%p2 bra again;
  bra done;
last:
  add.u32 %r2, %r2, 1;
  setp.lt.u32 %p1, %r2, {};
  @%p1 bra last;
  st.global.u32 [%rd1], %r2;
done:)",
                     count);
}

TEST_CASE("waiting: many blocks wait for a warp of theirs that computes for long", "[waiting]") {
  std::vector<uint32_t> buffer(200);
  CHECK_FALSE(run(counting_to(40000), {.grid = {200}, .block = {64}}, buffer).fault);
  CHECK(buffer == std::vector<uint32_t>(200, 40000));
}

TEST_CASE("waiting: a warp that computes for long does not wait", "[waiting]") {
  // The other one does, and the block changes nothing meanwhile.
  Device device(kernel(counting_to(1000000)));
  device.options.quiet_budget = 100000;
  std::vector<uint32_t> buffer(1);
  CHECK_FALSE(device.run("f", {.grid = {1}, .block = {64}}, buffer).fault);
  CHECK(buffer[0] == 1000000);
}

TEST_CASE("waiting: blocks that count as they wait for ever", "[waiting]") {
  const char* const body = R"(mov.u32 %r2, 0;
again:
  add.u32 %r2, %r2, 1;
  ld.volatile.global.u32 %r3, [%rd0];
  setp.eq.u32 %p2, %r3, 0;
  @%p2 bra again;
  st.global.u32 [%rd0], %r2;)";
  Device device(kernel(body));
  device.options.quiet_budget = 100000;
  std::vector<uint32_t> buffer(1);
  const LaunchResult result = device.run("f", {.grid = {4}, .block = {64}}, buffer);
  REQUIRE(result.fault);
  CHECK(result.fault->kind == FaultKind::kEndless);
  // 64 turns of 4 blocks of 2 warps.
  CHECK(result.fault->message ==
        "endless: `f` waits here for what another block or thread would write, and none has in "
        "5120000 instructions");
}

/// Thread 0 looks at the flag and tells the others, by `load`; the last block writes it, if any.
std::string broadcast_of(const std::string& load, uint32_t writer) {
  return fmt::format(R"(mov.u32 %r3, s;
  setp.eq.u32 %p0, %r0, 0;
  setp.eq.u32 %p1, %r1, {};
  @%p1 bra last;
again:
  @%p0 {} %r2, [%rd0];
  @%p0 st.shared.u32 [%r3], %r2;
  bar.sync 0;
  ld.shared.u32 %r4, [%r3];
  bar.sync 0;
  setp.eq.u32 %p2, %r4, 0;
  @%p2 bra again;
  bra done;
last:
  add.u32 %r2, %r2, 1;
  setp.lt.u32 %p3, %r2, 3000000;
  @%p3 bra last;
  @%p0 st.global.u32 [%rd0], 41;
done:)",
                     writer, load);
}

TEST_CASE("waiting: a loop over barriers that comes back as it was", "[waiting]") {
  for (const char* const load : {"ld.volatile.global.u32", "ld.global.u32"}) {
    std::vector<uint32_t> buffer(1);
    const LaunchResult result =
        run(broadcast_of(load, 1000), {.grid = {100}, .block = {64}}, buffer);
    REQUIRE(result.fault);
    CHECK(result.fault->kind == FaultKind::kEndless);
    CHECK(result.fault->block == Index3{0, 0, 0});
    CHECK_FALSE(run(broadcast_of(load, 7), {.grid = {8}, .block = {64}}, buffer).fault);
    CHECK(buffer[0] == 41);
  }
}

TEST_CASE("waiting: plain reads of what a block that runs elsewhere writes", "[waiting]") {
  const char* const body = R"(mov.u32 %r2, 0;
  setp.eq.u32 %p0, %r1, 19;
  @%p0 bra last;
again:
  ld.global.u32 %r3, [%rd0];
  setp.eq.u32 %p2, %r3, 0;
  @%p2 bra again;
  bra done;
last:
  add.u32 %r2, %r2, 1;
  setp.lt.u32 %p1, %r2, 3000000;
  @%p1 bra last;
  st.global.u32 [%rd0], %r2;
done:)";
  std::vector<uint32_t> buffer(1);
  CHECK_FALSE(run(body, {.grid = {20}, .block = {32}}, buffer).fault);
  CHECK(buffer[0] == 3000000);
  buffer[0] = 0;
  const LaunchResult result = run(body, {.grid = {19}, .block = {32}}, buffer);
  REQUIRE(result.fault);
  CHECK(result.fault->kind == FaultKind::kEndless);
}

TEST_CASE("waiting: each block waits for the next", "[waiting]") {
  // Only the last one has not to wait: one ends in each round.
  const char* const body = R"(setp.eq.u32 %p0, %r1, 999;
  mad.wide.u32 %rd1, %r1, 4, %rd0;
  @%p0 bra done;
again:
  ld.global.cv.u32 %r2, [%rd1+4];
  setp.eq.u32 %p2, %r2, 0;
  @%p2 bra again;
done:
  st.global.u32 [%rd1], 1;)";
  std::vector<uint32_t> buffer(1000);
  CHECK_FALSE(run(body, {.grid = {1000}, .block = {1}}, buffer).fault);
  CHECK(buffer == std::vector<uint32_t>(1000, 1));
}

TEST_CASE("waiting: a loop that comes back as it was", "[waiting]") {
  std::vector<uint32_t> buffer(1);
  const LaunchResult result = run("again: bra again;", {.grid = {1}, .block = {32}}, buffer);
  REQUIRE(result.fault);
  CHECK(result.fault->kind == FaultKind::kEndless);
}

TEST_CASE("waiting: threads that vote at a barrier", "[waiting]") {
  const char* const body = R"(setp.lt.u32 %p0, %r0, 40;
  bar.red.popc.u32 %r2, 0, %p0;
  bar.red.and.pred %p1, 0, %p0;
  bar.red.or.pred %p2, 0, !%p0;
  selp.u32 %r3, 1, 0, %p1;
  selp.u32 %r4, 2, 0, %p2;
  add.u32 %r3, %r3, %r4;
  setp.eq.u32 %p3, %r0, 63;
  @%p3 st.global.u32 [%rd0], %r2;
  @%p3 st.global.u32 [%rd0+4], %r3;)";
  std::vector<uint32_t> buffer(2);
  CHECK_FALSE(run(body, {.grid = {1}, .block = {64}}, buffer).fault);
  CHECK(buffer == std::vector<uint32_t>{40, 2});
  const char* const mixed = R"(setp.lt.u32 %p0, %r0, 32;
  @%p0 bar.sync 0;
  @!%p0 bar.red.popc.u32 %r2, 0, %p0;)";
  const LaunchResult result = run(mixed, {.grid = {1}, .block = {64}}, buffer);
  REQUIRE(result.fault);
  CHECK(result.fault->kind == FaultKind::kBarrier);
}

/// Each lane writes its own word; those below 16 meet, and one of them reads the word of `other`.
std::string half_warp(uint32_t other) {
  return fmt::format(R"(mov.u32 %r2, s;
  shl.b32 %r3, %r0, 2;
  add.u32 %r3, %r2, %r3;
  st.shared.u32 [%r3], %r0;
  setp.lt.u32 %p0, %r0, 16;
  @%p0 bar.warp.sync 0xffff;
  setp.eq.u32 %p1, %r0, 0;
  @%p1 ld.shared.u32 %r4, [%r2+{}];
  @%p1 st.global.u32 [%rd0], %r4;)",
                     4 * other);
}

TEST_CASE("waiting: half a warp that meets orders that half alone", "[waiting]") {
  std::vector<uint32_t> buffer(1);
  CHECK_FALSE(run(half_warp(15), {.grid = {1}, .block = {32}}, buffer).fault);
  CHECK(buffer[0] == 15);
  const LaunchResult result = run(half_warp(16), {.grid = {1}, .block = {32}}, buffer);
  REQUIRE(result.fault);
  CHECK(result.fault->kind == FaultKind::kRace);
  CHECK(result.fault->message.starts_with("race: threads 16 and 0 of the block"));
}

/// Lane 1 reads a word if `whole`, lane 2 its byte 1; the lanes below 16 meet, and `writer` writes
/// the byte `written`.
std::string word_and_byte(bool whole, uint32_t writer, uint32_t written) {
  return fmt::format(R"(mov.u32 %r2, s;
  setp.eq.u32 %p0, %r0, 0;
  @%p0 st.shared.u32 [%r2], %r0;
  bar.sync 0;
  setp.eq.u32 %p0, %r0, {};
  @%p0 ld.shared.u32 %r3, [%r2];
  setp.eq.u32 %p0, %r0, 2;
  @%p0 ld.shared.u8 %r4, [%r2+1];
  setp.lt.u32 %p0, %r0, 16;
  @%p0 bar.warp.sync 0xffff;
  setp.eq.u32 %p0, %r0, {};
  @%p0 st.shared.u8 [%r2+{}], %r0;)",
                     whole ? 1 : 1000, writer, written);
}

TEST_CASE("waiting: reads of words and of their bytes by lanes", "[waiting]") {
  const auto races = [](bool whole, uint32_t writer, uint32_t written) {
    std::vector<uint32_t> buffer(1);
    const std::string body = word_and_byte(whole, writer, written);
    return run(body, {.grid = {1}, .block = {32}}, buffer).fault.has_value();
  };
  for (uint32_t byte = 0; byte < 4; ++byte) {
    CHECK_FALSE(races(true, 3, byte));
    CHECK(races(true, 20, byte));
    CHECK(races(false, 20, byte) == (byte == 1));
    CHECK_FALSE(races(true, 20, byte + 4));
  }
}

}  // namespace
}  // namespace glint::simulator
