#include "runtime/interpreter/prepared.h"

#include <unordered_map>

#include "runtime/interpreter/frame.h"

namespace glint::runtime {

using program::Opcode;
using program::Operand;
using program::ParameterKind;

Value value_of_constant(const program::Constant& constant) {
  struct Maker {
    Value operator()(program::None) const { return Value::none(); }
    Value operator()(bool value) const { return Value(value); }
    Value operator()(int64_t value) const { return Value(value); }
    Value operator()(double value) const { return Value(value); }
    Value operator()(const std::string& value) const { return Value(intern(value)); }
    Value operator()(const program::Bytes& value) const {
      return Value(make_ref<BytesObject>(value.data));
    }
    Value operator()(program::Ellipsis) const { return Value::ellipsis(); }
    Value operator()(const program::ConstantTuple& value) const {
      std::vector<Value> items;
      for (const auto& item : value.items) items.push_back(value_of_constant(item));
      return Value(make_tuple(std::move(items)));
    }
  };
  return std::visit(Maker{}, constant.value);
}

namespace {

int32_t encoded(Operand operand) {
  if (operand.none()) return kNoOperand;
  auto index = static_cast<int32_t>(operand.index());
  return operand.is_constant() ? ~index : index;
}

void describe_parameters(FunctionCode& code) {
  const auto& parameters = code.program->parameters;
  code.simple = true;
  for (size_t i = 0; i < parameters.size(); ++i) {
    code.parameter_names.push_back(intern(parameters[i].name));
    switch (parameters[i].kind) {
      case ParameterKind::kPositionalOnly:
      case ParameterKind::kPositional:
        ++code.positional;
        break;
      case ParameterKind::kStarArgs:
        code.star_args = static_cast<int32_t>(i);
        code.simple = false;
        break;
      case ParameterKind::kKeywordOnly:
        ++code.keyword_only;
        code.simple = false;
        break;
      case ParameterKind::kStarKeywords:
        code.star_keywords = static_cast<int32_t>(i);
        code.simple = false;
        break;
    }
  }
}

/// Finds each `method` whose result the nearest later `call` of that register calls.
void pair_methods(FunctionCode& code) {
  std::unordered_map<uint32_t, uint32_t> self_of;    // callee register -> receiver's
  std::unordered_map<uint32_t, uint32_t> method_at;  // callee register -> pc
  const auto& instructions = code.program->instructions;
  for (uint32_t pc = 0; pc < instructions.size(); ++pc) {
    const auto& instruction = instructions[pc];
    if (instruction.opcode == Opcode::kCall && instruction.a.is_register()) {
      auto found = method_at.find(instruction.a.index());
      if (found != method_at.end()) {
        uint32_t callee = instruction.a.index();
        auto [self, fresh] = self_of.emplace(callee, code.register_count);
        if (fresh) ++code.register_count;
        code.ops[found->second].b = static_cast<int32_t>(self->second);
        code.ops[pc].b = static_cast<int32_t>(self->second);
        code.methods.push_back({found->second, pc, callee, self->second});
        method_at.erase(found);
      }
    }
    if (program::info(instruction.opcode).has_result) method_at.erase(instruction.result);
    if (instruction.opcode == Opcode::kMethod) method_at[instruction.result] = pc;
  }
}

/// Finds the temporaries that nothing reads but a jump right behind the comparison that wrote them.
void find_branch_only(FunctionCode& code) {
  const program::Code& source = *code.program;
  code.branch_only.assign(code.register_count, true);
  auto read = [&](Operand operand) {
    if (operand.is_register()) code.branch_only[operand.index()] = false;
  };
  for (size_t i = 0; i < source.local_names.size(); ++i) code.branch_only[i] = false;
  for (size_t pc = 0; pc < source.instructions.size(); ++pc) {
    const auto& at = source.instructions[pc];
    bool jump = at.opcode == Opcode::kJumpIfTrue || at.opcode == Opcode::kJumpIfFalse;
    if (jump && pc > 0) {
      const auto& before = source.instructions[pc - 1];
      bool compares = before.opcode >= Opcode::kLess && before.opcode <= Opcode::kGreaterEqual;
      if (compares && at.a.is_register() && before.result == at.a.index()) continue;
    }
    read(at.a);
    read(at.b);
    read(at.c);
    for (Operand operand : source.tail(at)) read(operand);
  }
}

}  // namespace

std::unique_ptr<FunctionCode> prepare_code(std::shared_ptr<const program::Code> program_code) {
  auto code = std::make_unique<FunctionCode>();
  code->program = std::move(program_code);
  const program::Code& source = *code->program;
  for (const auto& constant : source.constants) {
    code->constants.push_back(value_of_constant(constant));
  }
  for (Operand operand : source.operands) code->operands.push_back(encoded(operand));
  for (const auto& name : source.names) code->names.push_back(intern(name));
  code->register_count = source.register_count;
  code->cell_count = static_cast<uint32_t>(source.cells.size());
  for (const auto& cell : source.cells) code->own_cells += !cell.is_free;
  code->is_generator = source.is_generator;
  describe_parameters(*code);
  for (const auto& instruction : source.instructions) {
    Op op;
    op.opcode = instruction.opcode;
    op.result = static_cast<int32_t>(instruction.result);
    op.a = encoded(instruction.a);
    op.b = encoded(instruction.b);
    op.c = encoded(instruction.c);
    op.immediate = instruction.immediate;
    op.tail_begin = instruction.tail_begin;
    op.tail_count = instruction.tail_count;
    op.keyword_count = instruction.keyword_count;
    op.keywords = encoded(instruction.keywords);
    code->ops.push_back(op);
  }
  pair_methods(*code);
  find_branch_only(*code);
  for (size_t i = 0; i < code->ops.size(); ++i) code->ops[i].handler = best_handler(*code, i);
  code->frame_bytes = sizeof(Frame) + code->register_count * sizeof(Value) +
                      (code->cell_count + 1) / 2 * 2 * sizeof(Ref<CellObject>);
  code->set_compiles_calls(false);
  code->constant_data = code->constants.data();
  code->first_op = code->ops.data();
  return code;
}

void FunctionCode::make_traced() {
  traced_ops = ops;
  for (Op& op : traced_ops) {
    op.handler = traced_handler();
    op.cache_key = 0;
    op.cache_index = 0;
    op.cache_pointer = nullptr;
  }
}

}  // namespace glint::runtime
