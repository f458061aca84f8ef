// The state of linking one entry: names in scope, registers given out, memory laid out, and the
// code so far. link_program.cpp walks the statements, link_operands.cpp resolves their operands.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "backends/cuda/simulator/instruction_table.h"
#include "backends/cuda/simulator/program.h"
#include "backends/cuda/simulator/system_calls.h"

namespace glint::simulator {

/// What a name means.
struct Symbol {
  enum class Kind : uint8_t { kRegister, kVariable };
  Kind kind = Kind::kRegister;
  uint32_t reg = 0;  ///< the number of a register
  const Variable* variable = nullptr;
  /// Where a variable is: kParameter is a parameter of the entry; one of a call is local.
  Space space = Space::kGeneric;
  std::optional<uint64_t> address;  ///< none until shared memory is first spoken of
  bool dynamic = false;             ///< behind all shared variables
};
using Scope = std::unordered_map<std::string, Symbol>;

class Linker {
 public:
  Linker(const Module& module, const VariableAddresses& addresses)
      : module_(module), addresses_(addresses) {}

  Result<Program> run(std::string_view entry);

 private:
  /// A function whose statements are being walked; inlined ones stack up.
  struct Frame {
    const Function* function = nullptr;
    std::string prefix;  ///< of its registers' names
    std::unordered_map<std::string, uint32_t> labels = {};
    std::unordered_map<std::string, const BranchTargets*> targets = {};
    struct Fixup {
      uint32_t instruction;
      std::string label;
      bool table;
      Place place;
    };
    std::vector<Fixup> fixups = {};
    CodeLines call = {};    ///< of the entry: nowhere
    CodeLines latest = {};  ///< of the instructions so far that have any
  };

  // link_program.cpp
  void module_scope();
  void entry_parameters(const Function& entry);
  void walk(const Function& function);
  void statement(const Statement& statement);
  CodeLines lines_of(const InstructionText& text) const;
  void refuse_malformed(const InstructionText& text);
  void declare(const RegisterDeclaration& declaration);
  void declare(const Variable& variable);
  void instruction(const InstructionText& text);
  void call(const InstructionText& text);
  void system_call(const InstructionText& text, const SystemCall& call);
  void bind(const InstructionText& text, const std::vector<Variable>& formal, const Operand* actual,
            Scope& scope);
  /// A variable of a call; null, and an error, where it is none.
  const Symbol* call_variable(const Operand& actual);
  void branch_to(const InstructionText& text, const std::string& label, bool when_false);
  void finish_frame();
  std::vector<uint32_t> table_of(const Frame::Fixup& fixup);
  uint32_t label_of(const std::string& name, Place place);
  void place_dynamic_shared();
  void append(const InstructionText& text, Instruction instruction, InstructionInfo info);

  // link_operands.cpp
  void operands(const InstructionText& text, const Opcode& opcode, Instruction& instruction,
                InstructionInfo& info);
  void operand(char letter, size_t position, const Operand& operand, const Opcode& opcode,
               Instruction& instruction, InstructionInfo& info);
  /// Notes as what the registers are taken that came to the instruction with the latest operand.
  void note_types(Type type, InstructionInfo& info) const;
  void clock(const Operand& operand, Instruction& instruction);
  void missing_operand(char letter, size_t slot, Instruction& instruction);
  void vector(const Operand& operand, const Opcode& opcode, bool write, Instruction& instruction,
              InstructionInfo& info);
  void address(const Operand& operand, Instruction& instruction, InstructionInfo& info);
  void value(const Operand& operand, Type type, uint32_t width, bool exact, size_t slot,
             Instruction& instruction, InstructionInfo& info);
  void destination(const std::string& name, Place place, uint32_t width, bool exact, bool predicate,
                   size_t slot, Instruction& instruction, InstructionInfo& info);
  void predicate_value(const Operand& operand, size_t slot, Instruction& instruction,
                       InstructionInfo& info);
  void guard(const InstructionText& text, Instruction& instruction, InstructionInfo& info);

  Symbol* find(const std::string& name);
  /// A register by its name, `%tid.x` and the like too; an error where there is none.
  const Register* register_named(const std::string& name, Place place, InstructionInfo* reads);
  const Register* special_register(std::string_view name);
  uint64_t variable_address(Symbol& symbol, Place place);
  uint32_t constant(uint64_t bits, uint32_t width, bool dynamic = false);
  uint32_t always();
  uint32_t add_register(Register reg, uint32_t width);
  /// What all lanes of a warp have of a register, each of them `width` bytes.
  static uint32_t register_bytes(Type type, uint32_t width);
  uint32_t allocate_local(const Variable& variable);

  bool ok() const { return !error_; }
  void fail(Place place, std::string_view what);
  Error located_error() const;

  const Module& module_;
  const VariableAddresses& addresses_;
  Program program_;
  std::vector<Scope> scopes_;
  std::vector<Frame> frames_;
  std::map<std::pair<uint64_t, uint32_t>, uint32_t> constants_;
  std::vector<uint32_t> dynamic_constants_;
  std::unordered_map<std::string, uint32_t> specials_;
  uint64_t shared_bytes_ = 0;  ///< of the variables that were spoken of so far
  uint32_t shared_alignment_ = 1;
  uint32_t inlined_ = 0;
  std::optional<TextError> error_;
  CodeLines error_lines_;  ///< line 0: none is known
};

/// Fills in where the lanes that each branch parts meet again; see control_flow.cpp.
void find_reconvergence(Program& program);
/// Finds atomic updates of shared memory, and loads with which a thread waits for what others
/// write there; see polling.cpp.
void find_uses_of_shared(Program& program);
/// The most 32-bit registers that hold values still needed at one place; see liveness.cpp.
uint32_t count_live_registers(const Program& program);
/// The instructions that may run after instruction `at`.
std::vector<uint32_t> successors(const Program& program, uint32_t at);

}  // namespace glint::simulator
