#include "ir/program_builder.h"

#include <bit>

#include "core/support/check.h"

namespace glint::program {
namespace {

constexpr uint32_t kUnplaced = 0xffffffffu;

/// A key under which equal constants, and only those, meet.
std::string constant_key(const Constant& constant) {
  std::string key(1, static_cast<char>('a' + constant.value.index()));
  if (const double* value = std::get_if<double>(&constant.value)) {
    return key + std::to_string(std::bit_cast<uint64_t>(*value));
  }
  if (const auto* tuple = std::get_if<ConstantTuple>(&constant.value)) {
    for (const Constant& item : tuple->items) {
      std::string part = constant_key(item);
      key += std::to_string(part.size()) + ":" + part;
    }
    return key;
  }
  if (const auto* text = std::get_if<std::string>(&constant.value)) return key + *text;
  if (const auto* bytes = std::get_if<Bytes>(&constant.value)) return key + bytes->data;
  return key + text_of(constant);
}

}  // namespace

ProgramBuilder::ProgramBuilder(std::string name, std::string qualified_name, CodeKind kind,
                               Span span)
    : code_(std::make_shared<Code>()) {
  code_->name = std::move(name);
  code_->qualified_name = std::move(qualified_name);
  code_->kind = kind;
  code_->span = span;
}

uint32_t ProgramBuilder::add_local(std::string name) {
  check(!temporaries_begun_, "a local declared after the first temporary");
  code_->local_names.push_back(std::move(name));
  code_->register_count = static_cast<uint32_t>(code_->local_names.size());
  return code_->register_count - 1;
}

uint32_t ProgramBuilder::temporary() {
  temporaries_begun_ = true;
  if (!free_temporaries_.empty()) {
    uint32_t index = free_temporaries_.back();
    free_temporaries_.pop_back();
    is_free_[index] = false;
    return index;
  }
  return code_->register_count++;
}

void ProgramBuilder::release(uint32_t index) {
  check(index >= code_->local_names.size(), "a local variable's register cannot be released");
  if (index >= is_free_.size()) is_free_.resize(code_->register_count);
  if (is_free_[index]) return;
  is_free_[index] = true;
  free_temporaries_.push_back(index);
}

std::vector<uint32_t> ProgramBuilder::free_temporaries() const {
  constexpr uint32_t kMost = 32;
  std::vector<uint32_t> found;
  for (uint32_t index = static_cast<uint32_t>(code_->local_names.size());
       index < is_free_.size() && found.size() < kMost; ++index)
    if (is_free_[index]) found.push_back(index);
  return found;
}

Operand ProgramBuilder::constant(Constant value) {
  auto [entry, added] = constant_index_.try_emplace(constant_key(value),
                                                    static_cast<uint32_t>(code_->constants.size()));
  if (added) code_->constants.push_back(std::move(value));
  return Operand::constant(entry->second);
}

uint32_t ProgramBuilder::name(std::string_view text) {
  auto [entry, added] =
      name_index_.try_emplace(std::string(text), static_cast<uint32_t>(code_->names.size()));
  if (added) code_->names.emplace_back(text);
  return entry->second;
}

uint32_t ProgramBuilder::add_function(std::shared_ptr<const Code> function) {
  code_->functions.push_back(std::move(function));
  return static_cast<uint32_t>(code_->functions.size() - 1);
}

Instruction& ProgramBuilder::append(Opcode opcode, Span span, const std::vector<Operand>& operands,
                                    uint32_t immediate, const std::vector<Operand>& tail) {
  check(operands.size() <= 3, "more than three fixed operands");
  Instruction instruction;
  instruction.opcode = opcode;
  if (!operands.empty()) instruction.a = operands[0];
  if (operands.size() > 1) instruction.b = operands[1];
  if (operands.size() > 2) instruction.c = operands[2];
  instruction.immediate = immediate;
  if (!tail.empty()) instruction.tail_begin = static_cast<uint32_t>(code_->operands.size());
  instruction.tail_count = static_cast<uint32_t>(tail.size());
  instruction.span = span;
  code_->operands.insert(code_->operands.end(), tail.begin(), tail.end());
  code_->instructions.push_back(instruction);
  return code_->instructions.back();
}

Operand ProgramBuilder::emit(Opcode opcode, Span span, std::vector<Operand> operands,
                             uint32_t immediate, std::vector<Operand> tail, uint32_t into) {
  check(info(opcode).has_result, "emit of an instruction without a result");
  uint32_t result = into == kNoRegister ? temporary() : into;
  append(opcode, span, operands, immediate, tail).result = result;
  return Operand::in_register(result);
}

void ProgramBuilder::emit_plain(Opcode opcode, Span span, std::vector<Operand> operands,
                                uint32_t immediate, std::vector<Operand> tail) {
  check(!info(opcode).has_result, "emit_plain of an instruction with a result");
  append(opcode, span, operands, immediate, tail);
}

Operand ProgramBuilder::emit_call(Opcode opcode, Span span, std::vector<Operand> operands,
                                  std::vector<Operand> positional,
                                  const std::vector<std::pair<std::string, Operand>>& keywords,
                                  uint32_t immediate, uint32_t into) {
  check(keywords.size() <= kMostKeywords, "more keyword arguments than one instruction takes");
  ConstantTuple names;
  std::vector<Operand> tail = std::move(positional);
  for (const auto& [keyword, operand] : keywords) {
    names.items.push_back({keyword});
    tail.push_back(operand);
  }
  Operand keyword_names = keywords.empty() ? Operand() : constant({std::move(names)});
  uint32_t result = into == kNoRegister ? temporary() : into;
  Instruction& instruction = append(opcode, span, operands, immediate, tail);
  instruction.result = result;
  instruction.keyword_count = static_cast<uint16_t>(keywords.size());
  instruction.keywords = keyword_names;
  return Operand::in_register(result);
}

Label ProgramBuilder::new_label() {
  label_positions_.push_back(kUnplaced);
  return {static_cast<uint32_t>(label_positions_.size() - 1)};
}

void ProgramBuilder::place(Label label) {
  check(label_positions_[label.id] == kUnplaced, "a label placed twice");
  label_positions_[label.id] = position();
}

void ProgramBuilder::jump(Opcode opcode, Span span, std::vector<Operand> operands, Label target,
                          uint32_t into) {
  check(info(opcode).immediate == Immediate::kTarget, "a jump without a target");
  jump_patches_.emplace_back(position(), target.id);
  Instruction& instruction = append(opcode, span, operands, 0, {});
  if (info(opcode).has_result) instruction.result = into == kNoRegister ? temporary() : into;
}

void ProgramBuilder::add_handler(uint32_t begin, uint32_t end, Label target, uint32_t exception,
                                 uint32_t depth) {
  if (begin >= end) return;
  handler_patches_.emplace_back(static_cast<uint32_t>(code_->handlers.size()), target.id);
  code_->handlers.push_back({begin, end, 0, exception, depth});
}

void ProgramBuilder::set_target(Label target) {
  jump_patches_.emplace_back(position() - 1, target.id);
}

Code& ProgramBuilder::patch() {
  for (auto [instruction, label] : jump_patches_) {
    check(label_positions_[label] != kUnplaced, "a jump to a label that was never placed");
    code_->instructions[instruction].immediate = label_positions_[label];
  }
  for (auto [handler, label] : handler_patches_) {
    check(label_positions_[label] != kUnplaced, "a handler at a label that was never placed");
    code_->handlers[handler].target = label_positions_[label];
  }
  jump_patches_.clear();
  handler_patches_.clear();
  return *code_;
}

std::shared_ptr<const Code> ProgramBuilder::finish() {
  patch();
  return std::move(code_);
}

}  // namespace glint::program
