#include <catch2/catch.hpp>

#include "ir/liveness.h"
#include "ir/program.h"
#include "ir/program_builder.h"

namespace glint::program {
namespace {

const Span kSomewhere = {SourceId(1), 1, 0, 1, 1};

/// def f(x): while x: x = x - 1 ; return x
std::shared_ptr<const Code> countdown() {
  ProgramBuilder b("f", "f", CodeKind::kFunction, kSomewhere);
  b.code().parameters.push_back({.name = "x"});
  uint32_t x = b.add_local("x");
  Label top = b.new_label();
  Label end = b.new_label();
  b.place(top);
  b.jump(Opcode::kJumpIfFalse, kSomewhere, {Operand::in_register(x)}, end);
  Operand one = b.constant({int64_t(1)});
  Operand less = b.emit(Opcode::kSubtract, kSomewhere, {Operand::in_register(x), one});
  b.emit(Opcode::kMove, kSomewhere, {less}, 0, {}, x);
  b.jump(Opcode::kJump, kSomewhere, {}, top);
  b.place(end);
  b.emit_plain(Opcode::kReturn, kSomewhere, {Operand::in_register(x)});
  return b.finish();
}

TEST_CASE("a program prints one line an instruction", "[ir]") {
  std::vector<ProgramLine> lines = print(*countdown());
  std::string text;
  for (const ProgramLine& line : lines) text += line.text + "\n";
  CHECK(text ==
        "function f(x)\n"
        "   0  jump_if_false x, to 4\n"
        "   1  r0 = subtract x, 1\n"
        "   2  x = move r0\n"
        "   3  jump to 0\n"
        "   4  return x\n");
  CHECK_FALSE(verify(*countdown()));
}

TEST_CASE("the verifier names the rule that is broken", "[ir]") {
  Code code = *countdown();
  code.instructions[3].immediate = 99;
  CHECK(verify(code) == "f at 3: immediate out of range");
  code = *countdown();
  code.instructions.pop_back();
  code.instructions[0].immediate = 0;
  CHECK_FALSE(verify(code));  // ends with a jump
  code.instructions[1].span = {};
  CHECK(verify(code) == "f at 1: no span");
}

TEST_CASE("constants are interned by type and bits", "[ir]") {
  ProgramBuilder b("f", "f", CodeKind::kFunction, kSomewhere);
  CHECK(b.constant({int64_t(1)}) == b.constant({int64_t(1)}));
  CHECK(b.constant({0.0}) != b.constant({-0.0}));
  CHECK(b.constant({true}) != b.constant({int64_t(1)}));
  ConstantTuple pair{{{int64_t(1)}, {std::string("a")}}};
  CHECK(b.constant({pair}) == b.constant({pair}));
}

TEST_CASE("liveness goes round a loop", "[ir]") {
  Liveness liveness(*countdown());
  CHECK(liveness.live_registers(0) == std::vector<uint32_t>{0});
  CHECK(liveness.live_registers(2) == std::vector<uint32_t>{1});
  CHECK(liveness.live_registers(4) == std::vector<uint32_t>{0});
}

}  // namespace
}  // namespace glint::program
