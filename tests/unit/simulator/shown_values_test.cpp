// Registers as text: each as the instruction that writes it says, or those that take it.
#include "backends/cuda/simulator/shown_values.h"

#include "run_kernel.h"

namespace glint::simulator {
namespace {

/// The types as which the registers that some instructions write are shown, in order.
std::string shown(const std::string& body) {
  Memory memory;
  auto module = LoadedModule::load(
      ".version 8.0 .target sm_80 .address_size 64\n.visible .entry k(.param .u64 k_0) {\n"
      ".reg .b16 %h<9>; .reg .b32 %r<9>; .reg .b64 %d<9>; .reg .f32 %f<9>; .reg .pred %p<9>;\n"
      ".shared .align 4 .b32 s[64];\n" +
          body + "\nret; }\n",
      memory);
  if (!module) FAIL(module.error().message);
  const auto program = module->program("k");
  if (!program) FAIL(program.error().message);
  ShownTypes types(*program);
  std::string text;
  for (uint32_t at = 0; at < program->info.size(); ++at)
    for (size_t k = 0; k < program->info[at].writes.size(); ++k)
      text += std::string(text.empty() ? "" : " ") + std::string(info(types.of(at, k)).name);
  return text;
}

TEST_CASE("shown values: what computes says what it writes", "[step]") {
  CHECK(shown("add.s32 %r1, %r2, 1; mul.lo.u32 %r3, %r1, 3; mul.wide.s32 %d1, %r1, 4;") ==
        "s32 u32 s64");
  CHECK(shown("add.f32 %r1, %r2, %r3; cvt.f64.f32 %d1, %r1; setp.lt.s32 %p1, %r4, 0;") ==
        "f32 f64 pred");
  CHECK(shown("popc.b32 %r1, %r2; cvt.rn.f16x2.f32 %r3, %f1, %f2; sub.s64 %d1, %d2, %d3;") ==
        "u32 f16x2 s64");
  CHECK(shown("vote.sync.ballot.b32 %r1, %p1, -1; setp.eq.s32 %p2, %r1, -1;") == "b32 pred");
}

TEST_CASE("shown values: what moves shows what the next ones take it as", "[step]") {
  CHECK(shown("ld.shared.b32 %r1, [s]; add.f32 %r2, %r1, %r1;") == "f32 f32");
  CHECK(shown("ld.shared.u32 %r1, [s]; add.s32 %r2, %r1, %r1;") == "s32 s32");
  CHECK(shown("ld.shared.u32 %r1, [s]; st.shared.u32 [s+4], %r1;") == "u32");
  CHECK(shown("ld.shared.b32 %r1, [s]; st.shared.b32 [s+4], %r1;") == "b32");
  CHECK(shown("ld.shared.u16 %h1, [s]; cvt.f32.f16 %f1, %h1;") == "f16 f32");
  CHECK(shown("ld.shared.b32 %r1, [s]; mov.b32 %r2, %r1; max.u32 %r3, %r2, 4;") == "u32 u32 u32");
  CHECK(shown("ld.shared.b32 %f1, [s]; st.shared.b32 [s+4], %f1;") == "f32");
  CHECK(shown("mov.u32 %r1, -1; ld.shared.b32 %r2, [s];\n"
              "shfl.sync.bfly.b32 %r3, %r2, 1, 31, %r1; add.s32 %r4, %r3, 1;") ==
        "u32 s32 s32 s32");
  // A loop's beginning is behind its end.
  CHECK(shown("A: add.s64 %d1, %d2, 1; mov.b64 %d2, %d1; @%p1 bra A;") == "s64 s64");
  // Nobody takes it: what it was.
  CHECK(shown("add.f32 %r1, %r2, %r3; mov.b32 %r4, %r1; st.shared.b32 [s], %r4;") == "f32 f32");
  CHECK(shown("ld.shared.b32 %r1, [s]; mov.b32 {%h1, %h2}, %r1; cvt.f32.f16 %f1, %h2;") ==
        "b32 b16 f16 f32");
}

TEST_CASE("shown values: addresses are bits, whatever they are computed as", "[step]") {
  CHECK(shown("ld.param.u64 %d1, [k_0]; cvta.to.global.u64 %d2, %d1; mul.wide.s32 %d3, %r1, 4;\n"
              "add.s64 %d4, %d2, %d3; ld.global.f32 %f1, [%d4];") == "b64 b64 s64 b64 f32");
  CHECK(shown("mov.u32 %r1, s; mad.lo.s32 %r2, %r3, 4, %r1; ld.shared.v2.f32 {%f1, %f2}, [%r2];") ==
        "s32 b32 f32 f32");
}

TEST_CASE("shown values: text of each type", "[step]") {
  CHECK(value_text(0xfffffffffffffff9, Type::kS64) == "-7");
  CHECK(value_text(0xfffffffffffffff9, Type::kU64) == "18446744073709551609");
  CHECK(value_text(0xfffffff9, Type::kS32) == "-7");
  CHECK(value_text(0xfffffff9, Type::kU32) == "4294967289");
  CHECK(value_text(0xfff9, Type::kS8) == "-7");
  CHECK(value_text(0x3fc00000, Type::kF32) == "1.5");
  CHECK(value_text(0x3ff8000000000000, Type::kF64) == "1.5");
  CHECK(value_text(0x3e00, Type::kF16) == "1.5");
  CHECK(value_text(0x3fc0, Type::kBF16) == "1.5");
  CHECK(value_text(0xc0003e00, Type::kF16x2) == "(1.5, -2)");
  CHECK(value_text(1, Type::kPred) == "true");
  CHECK(value_text(0xff, Type::kB32) == "0xff");
}

}  // namespace
}  // namespace glint::simulator
