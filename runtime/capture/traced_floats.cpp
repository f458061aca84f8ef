#include "runtime/capture/traced_floats.h"

#include "runtime/capture/symbolic_value.h"
#include "runtime/interpreter/interpreter.h"
#include "runtime/interpreter/protocol.h"

namespace glint::capture {

using namespace runtime;  // NOLINT: the interpreter's object structs, by their names
using runtime::Value;

Value TracedFloats::value(uint32_t step) const {
  return Value(make_ref<SymFloatObject>(step, program.hints()[step]));
}

std::vector<bool> TracedFloats::needed_for(uint32_t step) const {
  std::vector<bool> needed(step + 1);
  needed[step] = true;
  program.close(needed);
  return needed;
}

std::optional<uint32_t> TracedFloats::operand(const Value& number) {
  if (auto* real = number.try_as<SymFloatObject>()) return real->step;
  if (auto* whole = number.try_as<SymIntObject>())
    return program.add({.kind = FloatStep::Kind::kSymbol, .symbol = whole->value},
                       Value(whole->hint));
  if (!number.is_number()) return std::nullopt;
  return program.add({.kind = FloatStep::Kind::kConstant, .constant = number}, number);
}

std::optional<Value> TracedFloats::compute(Interpreter& interpreter, FloatStep step,
                                           std::span<const Value> operands) {
  step.operand_count = static_cast<uint8_t>(operands.size());
  for (size_t i = 0; i < operands.size(); ++i) {
    std::optional<uint32_t> found = operand(operands[i]);
    if (!found) return std::nullopt;
    step.operands[i] = *found;
  }
  std::optional<uint32_t> made = program.compute(interpreter, step);
  return made ? std::optional(value(*made)) : std::nullopt;
}

std::optional<Value> TracedFloats::extreme(Interpreter& interpreter, FloatStep::Kind kind,
                                           std::span<const Value> numbers) {
  Value best = numbers[0];
  for (const Value& each : numbers.subspan(1)) {
    const Value pair[] = {best, each};
    std::optional<Value> better = compute(interpreter, {.kind = kind}, pair);
    if (!better) return std::nullopt;
    best = std::move(*better);
  }
  return best;
}

std::optional<Value> TracedFloats::sum(Interpreter& interpreter, std::span<const Value> numbers) {
  Value total(int64_t{0});
  for (const Value& each : numbers) {
    const Value pair[] = {total, each};
    std::optional<Value> more = compute(
        interpreter, {.kind = FloatStep::Kind::kOperator, .opcode = program::Opcode::kAdd}, pair);
    if (!more) return std::nullopt;
    total = std::move(*more);
  }
  return total;
}

bool TracedFloats::compare(Interpreter& interpreter, program::Opcode opcode, uint32_t left,
                           uint32_t right, bool& added) {
  for (const FloatComparison& known : comparisons)
    if (known.opcode == opcode && known.left == left && known.right == right) return known.outcome;
  added = true;
  FloatComparison comparison{opcode, left, right};
  comparison.outcome = *comes_out(interpreter, comparison, program.hints());
  comparisons.push_back(comparison);
  return comparison.outcome;
}

}  // namespace glint::capture
