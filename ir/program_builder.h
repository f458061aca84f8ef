// Builds one code object of Program IR: constants and names are interned, registers handed out,
// forward jumps patched, and no instruction can be made without its span.
//
//     ProgramBuilder b("f", "f", CodeKind::kFunction, span);
//     Operand product = b.emit(Opcode::kMultiply, span, {x, y});
//     b.emit_plain(Opcode::kReturn, span, {product});
//     std::shared_ptr<const Code> code = b.finish();
#pragma once

#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "ir/program.h"

namespace glint::program {

/// A jump target that may not be placed yet.
struct Label {
  uint32_t id = 0;
};

class ProgramBuilder {
 public:
  ProgramBuilder(std::string name, std::string qualified_name, CodeKind kind, Span span);

  /// The code under construction, for what the builder has no call for (parameters, doc, cells).
  Code& code() { return *code_; }
  const Code& code() const { return *code_; }
  /// The code with all jumps in place, for a last pass over it before `finish`.
  Code& patch();

  /// Declares the next local variable; all locals come before the first temporary.
  uint32_t add_local(std::string name);
  /// A temporary register; `release` makes it free for reuse.
  uint32_t temporary();
  void release(uint32_t index);
  /// Temporaries that are free now, and may still hold what they last had: those with the lowest
  /// numbers, which all but the largest displays use.
  std::vector<uint32_t> free_temporaries() const;
  bool is_temporary(Operand operand) const {
    return operand.is_register() && operand.index() >= code_->local_names.size();
  }

  Operand constant(Constant value);
  uint32_t name(std::string_view text);
  uint32_t add_function(std::shared_ptr<const Code> function);

  /// Appends an instruction whose result goes to a fresh temporary, or to `into`.
  Operand emit(Opcode opcode, Span span, std::vector<Operand> operands, uint32_t immediate = 0,
               std::vector<Operand> tail = {}, uint32_t into = kNoRegister);
  /// Appends an instruction without a result.
  void emit_plain(Opcode opcode, Span span, std::vector<Operand> operands, uint32_t immediate = 0,
                  std::vector<Operand> tail = {});
  /// Appends a call (or another instruction with `Tail::kArguments`) with keyword arguments.
  Operand emit_call(Opcode opcode, Span span, std::vector<Operand> operands,
                    std::vector<Operand> positional,
                    const std::vector<std::pair<std::string, Operand>>& keywords,
                    uint32_t immediate = 0, uint32_t into = kNoRegister);

  Label new_label();
  void place(Label label);
  /// Appends a jump; `operands` is empty for `kJump`. `into` is the result of `kNext` and its like.
  void jump(Opcode opcode, Span span, std::vector<Operand> operands, Label target,
            uint32_t into = kNoRegister);
  uint32_t position() const { return static_cast<uint32_t>(code_->instructions.size()); }
  /// Adds a row to the exception table; rows must come innermost first. An empty range is dropped.
  void add_handler(uint32_t begin, uint32_t end, Label target, uint32_t exception, uint32_t depth);
  /// Makes the last instruction appended jump to `target`, for those that have a tail as well.
  void set_target(Label target);

  std::shared_ptr<const Code> finish();

 private:
  Instruction& append(Opcode opcode, Span span, const std::vector<Operand>& operands,
                      uint32_t immediate, const std::vector<Operand>& tail);

  std::shared_ptr<Code> code_;
  std::vector<uint32_t> free_temporaries_;
  std::vector<bool> is_free_;  // by register
  bool temporaries_begun_ = false;
  std::unordered_map<std::string, uint32_t> name_index_;
  std::unordered_map<std::string, uint32_t> constant_index_;
  std::vector<uint32_t> label_positions_;
  std::vector<std::pair<uint32_t, uint32_t>> jump_patches_;     ///< instruction, label
  std::vector<std::pair<uint32_t, uint32_t>> handler_patches_;  ///< handler, label
};

}  // namespace glint::program
