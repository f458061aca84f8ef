// Which registers of a code object may still be read, at each instruction.
//
//     0  r0 = multiply x, y        live before: x, y
//     1  r1 = add r0, y            live before: r0, y
//     2  return r1                 live before: r1
//
// Capture uses it where a region ends: only live registers are handed to the instruction behind it,
// so a dead temporary that cannot be rebuilt costs nothing. Backward dataflow on the instructions
// (Aho et al., "Compilers", 9.2.5); an instruction under a handler may always go to its target.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/program.h"

namespace glint::program {

/// Calls `read(register)` for each register that the instruction reads.
template <class F>
void for_each_read(const Code& code, const Instruction& instruction, F&& read) {
  for (Operand operand : {instruction.a, instruction.b, instruction.c}) {
    if (operand.is_register()) read(operand.index());
  }
  if (info(instruction.opcode).tail == Tail::kResults) return;
  for (Operand operand : code.tail(instruction)) {
    if (operand.is_register()) read(operand.index());
  }
}

/// Calls `write(register)` for each register that the instruction writes.
template <class F>
void for_each_write(const Code& code, const Instruction& instruction, F&& write) {
  if (info(instruction.opcode).has_result) write(instruction.result);
  if (info(instruction.opcode).tail == Tail::kResults) {
    for (Operand operand : code.tail(instruction)) write(operand.index());
  }
  if (instruction.opcode == Opcode::kDeleteLocal) write(instruction.a.index());
}

/// The instructions that may run next, handlers aside.
std::vector<uint32_t> successors(const Code& code, uint32_t pc);

class Liveness {
 public:
  explicit Liveness(const Code& code);

  /// Whether the register's value may be read by the instruction at `pc` or a later one.
  bool live_before(uint32_t pc, uint32_t index) const {
    return (rows_[pc * words_ + index / 64] >> (index % 64)) & 1;
  }
  std::vector<uint32_t> live_registers(uint32_t pc) const;
  /// The same while the instruction waits for a call that it made: `enter_context` has put aside
  /// the method that will end the block by then. The others write nothing before their call
  /// returns.
  std::vector<uint32_t> live_while_waiting(uint32_t pc) const;

 private:
  const Code& code_;
  size_t words_ = 0;
  uint32_t registers_ = 0;
  std::vector<uint64_t> rows_;
};

}  // namespace glint::program
