#include "ir/liveness.h"

namespace glint::program {

std::vector<uint32_t> successors(const Code& code, uint32_t pc) {
  const Instruction& instruction = code.instructions[pc];
  switch (instruction.opcode) {
    case Opcode::kReturn:
    case Opcode::kRaise:
    case Opcode::kReraise:
      return {};
    case Opcode::kJump:
      return {instruction.immediate};
    default:
      break;
  }
  std::vector<uint32_t> next = {pc + 1};
  if (info(instruction.opcode).immediate == Immediate::kTarget) {
    next.push_back(instruction.immediate);
  }
  return next;
}

Liveness::Liveness(const Code& code)
    : code_(code), words_((code.register_count + 63) / 64), registers_(code.register_count) {
  size_t count = code.instructions.size();
  rows_.assign(count * words_, 0);
  std::vector<std::vector<uint32_t>> next(count), raises_to(count);
  for (uint32_t pc = 0; pc < count; ++pc) next[pc] = successors(code, pc);
  for (const Handler& handler : code.handlers) {
    for (uint32_t pc = handler.begin; pc < handler.end; ++pc)
      raises_to[pc].push_back(handler.target);
  }
  std::vector<uint64_t> row(words_);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t pc = static_cast<uint32_t>(count); pc-- > 0;) {
      row.assign(words_, 0);
      auto add = [&](uint32_t successor) {
        for (size_t w = 0; w < words_; ++w) row[w] |= rows_[successor * words_ + w];
      };
      for (uint32_t successor : next[pc]) add(successor);
      const Instruction& instruction = code.instructions[pc];
      // Of two ways one may be a jump before the write, which ends no life there; so is a raise.
      if (next[pc].size() <= 1) {
        for_each_write(code, instruction,
                       [&](uint32_t index) { row[index / 64] &= ~(1ull << (index % 64)); });
      }
      for (uint32_t target : raises_to[pc]) add(target);
      for_each_read(code, instruction,
                    [&](uint32_t index) { row[index / 64] |= 1ull << (index % 64); });
      for (size_t w = 0; w < words_; ++w) {
        if (rows_[pc * words_ + w] == row[w]) continue;
        rows_[pc * words_ + w] = row[w];
        changed = true;
      }
    }
  }
}

std::vector<uint32_t> Liveness::live_registers(uint32_t pc) const {
  std::vector<uint32_t> live;
  for (uint32_t i = 0; i < registers_; ++i) {
    if (live_before(pc, i)) live.push_back(i);
  }
  return live;
}

std::vector<uint32_t> Liveness::live_while_waiting(uint32_t pc) const {
  std::vector<uint32_t> live = live_registers(pc);
  const Instruction& at = code_.instructions[pc];
  if (at.opcode != Opcode::kEnterContext) return live;
  for (Operand written : code_.tail(at)) live.push_back(written.index());
  return live;
}

}  // namespace glint::program
