// Makes prepared code of Program IR; prepared.h says what that is.
//
// 1. Constants and names become values and interned texts.
// 2. Each instruction becomes an `Op` at the same index: operands encoded, its handler chosen.
// 3. Comparisons and the jumps behind them, and methods and their calls, are paired.
#include "runtime/interpreter/prepared.h"

#include <algorithm>
#include <unordered_map>

#include "ir/liveness.h"
#include "runtime/interpreter/big_ints.h"
#include "runtime/interpreter/complex_numbers.h"
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
    Value operator()(const BigInt& value) const { return int_of(value); }
    Value operator()(double value) const { return Value(value); }
    Value operator()(const std::string& value) const { return Value(intern(value)); }
    Value operator()(const program::Bytes& value) const {
      return Value(make_ref<BytesObject>(value.data));
    }
    Value operator()(program::Imaginary value) const { return complex_value({0.0, value.value}); }
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

/// Whether nothing reads a temporary's value from an instruction on, as far as a short walk shows.
/// An exception on the way drops the expression that the temporary belongs to.
bool is_dead(const program::Code& code, uint32_t pc, uint32_t temporary) {
  constexpr size_t kSteps = 40;
  std::vector<uint32_t> waiting = {pc}, seen;
  while (!waiting.empty()) {
    uint32_t at = waiting.back();
    waiting.pop_back();
    if (std::find(seen.begin(), seen.end(), at) != seen.end()) continue;
    if (seen.size() == kSteps) return false;
    seen.push_back(at);
    bool read = false, written = false;
    auto note = [temporary](bool& found) {
      return [&found, temporary](uint32_t index) { found |= index == temporary; };
    };
    program::for_each_read(code, code.instructions[at], note(read));
    program::for_each_write(code, code.instructions[at], note(written));
    if (read) return false;
    std::vector<uint32_t> next = program::successors(code, at);
    // Where there are two, the instruction may have jumped instead of writing.
    if (written && next.size() == 1) continue;
    waiting.insert(waiting.end(), next.begin(), next.end());
  }
  return true;
}

/// Finds the comparisons whose result nothing reads but the jump right behind them.
void find_branch_only(FunctionCode& code) {
  const program::Code& source = *code.program;
  const auto& instructions = source.instructions;
  code.branch_only.assign(instructions.size(), false);
  for (uint32_t pc = 0; pc + 1 < instructions.size(); ++pc) {
    const auto &at = instructions[pc], &behind = instructions[pc + 1];
    bool compares = at.opcode >= Opcode::kLess && at.opcode <= Opcode::kGreaterEqual;
    bool jumps = behind.opcode == Opcode::kJumpIfTrue || behind.opcode == Opcode::kJumpIfFalse;
    if (!compares || !jumps || at.result < source.local_names.size()) continue;
    if (!behind.a.is_register() || behind.a.index() != at.result) continue;
    code.branch_only[pc] =
        is_dead(source, pc + 2, at.result) && is_dead(source, behind.immediate, at.result);
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

const std::vector<uint32_t>& FunctionCode::abandoned_by(const program::Handler& handler) {
  const auto place = static_cast<size_t>(&handler - program->handlers.data());
  if (abandoned.empty()) abandoned.resize(program->handlers.size());
  if (abandoned[place]) return *abandoned[place];
  const program::Liveness liveness(*program);
  std::vector<uint32_t>& found = abandoned[place].emplace();
  // As CPython takes them off its stack: what was computed last goes first.
  const auto locals = static_cast<uint32_t>(program->local_names.size());
  for (uint32_t each = program->register_count; each-- > locals;)
    if (each != handler.exception && !liveness.live_before(handler.target, each))
      found.push_back(each);
  for (uint32_t each = program->register_count; each < register_count; ++each)
    found.push_back(each);
  return found;
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
