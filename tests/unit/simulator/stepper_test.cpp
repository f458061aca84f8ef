// A warp walked through a kernel: what runs next, in which lanes, and what the registers hold.
#include "backends/cuda/simulator/stepper.h"

#include <bit>

#include "run_kernel.h"

namespace glint::simulator {
namespace {

const Register& register_of(const Program& program, std::string_view name) {
  for (const Register& reg : program.registers) {
    if (reg.name == name) return reg;
  }
  FAIL("no register " << name);
  return program.registers.front();
}

struct Walk {
  explicit Walk(const std::string& body)
      : program(make(".version 8.0 .target sm_80 .address_size 64\n.visible .entry k() {\n"
                     ".reg .b32 %r<4>; .reg .s32 %s1; .reg .f32 %f<3>; .reg .pred %p<2>;\n"
                     ".shared .align 4 .b32 s[64];\n" +
                     body + "\nret; }\n")),
        stepper(std::move(*Stepper::make(program, memory, {.block = {64}}, {}, 0, 0))) {}

  Program make(const std::string& text) {
    auto module = LoadedModule::load(text, memory);
    if (!module) FAIL(module.error().message);
    auto linked = module->program("k");
    if (!linked) FAIL(linked.error().message);
    return std::move(*linked);
  }
  std::string opcode() const { return program.info[*stepper->next()].opcode; }
  std::string text(const char* name, uint32_t lane) const {
    const Register& reg = register_of(program, name);
    return std::to_string(static_cast<int32_t>(stepper->bits(reg, lane)));
  }
  float number(const char* name, uint32_t lane) const {
    const uint64_t bits = stepper->bits(register_of(program, name), lane);
    return std::bit_cast<float>(static_cast<uint32_t>(bits));
  }

  Memory memory;
  Program program;
  std::unique_ptr<Stepper> stepper;
};

TEST_CASE("step: registers change as instructions run", "[step]") {
  Walk walk(
      "mov.u32 %r1, %tid.x; cvt.rn.f32.u32 %f1, %r1; setp.gt.f32 %p1, %f1, 0f40A00000;\n"
      "@%p1 mul.f32 %f1, %f1, 0f3F000000; sub.s32 %s1, 2, %r1;");
  CHECK(walk.opcode() == "mov.u32");
  CHECK(walk.stepper->step());
  CHECK(walk.text("%r1", 9) == "9");
  CHECK(walk.stepper->step());
  CHECK(walk.number("%f1", 9) == 9);
  CHECK(walk.stepper->step());
  CHECK(walk.text("%p1", 5) == "0");
  CHECK(walk.text("%p1", 6) == "1");
  CHECK(walk.stepper->active() == 0xffffffc0);
  CHECK(walk.stepper->step());
  CHECK(walk.number("%f1", 9) == 4.5);
  CHECK(walk.number("%f1", 3) == 3);
  CHECK(walk.stepper->step());
  CHECK(walk.text("%s1", 9) == "-7");
  CHECK(walk.opcode() == "ret");
  CHECK_FALSE(walk.stepper->step());
  CHECK_FALSE(walk.stepper->next());
}

TEST_CASE("step: lanes part and meet, one path after the other", "[step]") {
  Walk walk(
      "mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 4;\n@%p1 bra A;\n"
      "add.u32 %r1, %r1, 100; bra E;\nA: sub.u32 %r1, 0, %r1;\nE: mov.u32 %r2, %r1;");
  for (int i = 0; i < 3; ++i) CHECK(walk.stepper->step());
  CHECK(walk.opcode() == "sub.u32");
  CHECK(walk.stepper->active() == 0xf);
  CHECK(walk.stepper->step());
  CHECK(walk.opcode() == "add.u32");
  CHECK(walk.stepper->active() == 0xfffffff0);
  CHECK(walk.stepper->step());
  CHECK(walk.stepper->step());
  CHECK(walk.opcode() == "mov.u32");
  CHECK(walk.stepper->active() == kAllLanes);
}

TEST_CASE("step: at a barrier the other warps run", "[step]") {
  Walk walk(
      "mov.u32 %r1, %tid.x; mov.u32 %r2, s; mad.lo.u32 %r2, %r1, 4, %r2; st.shared.u32 [%r2], "
      "%r1;\n"
      "bar.sync 0; ld.shared.u32 %r3, [s+160];");
  while (walk.opcode() != "bar.sync") REQUIRE(walk.stepper->step());
  CHECK(walk.stepper->step());
  CHECK(walk.opcode() == "ld.shared.u32");
  CHECK(walk.stepper->step());
  CHECK(walk.text("%r3", 0) == "40");  // what thread 40, of the second warp, has written
}

TEST_CASE("step: a fault ends the walk, and a warp that is not there is refused", "[step]") {
  Walk walk("st.shared.u32 [s+256], 1;");
  CHECK_FALSE(walk.stepper->step());
  REQUIRE(walk.stepper->fault());
  CHECK(walk.stepper->fault()->kind == FaultKind::kOutOfBounds);
  const auto refused = Stepper::make(walk.program, walk.memory, {.block = {64}}, {}, 0, 2);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message == "`k` has no warp 2 in block 0");
}

TEST_CASE("step: a warp that another one lets go stands behind the barrier", "[step]") {
  Walk walk("bar.sync 1, 64; mov.u32 %r1, 5; mov.u32 %r2, 6;");
  const auto second = std::move(
      *Stepper::make(walk.program, walk.memory, {.block = {64}}, {}, /*block=*/0, /*warp=*/1));
  for (Stepper* each : {walk.stepper.get(), second.get()}) {
    CHECK(each->step());
    CHECK(walk.program.info[*each->next()].opcode == "mov.u32");
    CHECK(each->bits(register_of(walk.program, "%r2"), 0) != 6);
  }
}

}  // namespace
}  // namespace glint::simulator
