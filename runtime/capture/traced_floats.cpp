#include "runtime/capture/traced_floats.h"

#include "runtime/capture/symbolic_value.h"
#include "runtime/interpreter/interpreter.h"

namespace glint::capture {

using namespace runtime;  // NOLINT: the interpreter's object structs, by their names
using runtime::Value;

Value TracedFloats::value(uint32_t step) const {
  return Value(make_ref<SymFloatObject>(step, program.hint(step)));
}

std::vector<bool> TracedFloats::needed_for(uint32_t step) const {
  std::vector<bool> needed(step + 1);
  needed[step] = true;
  for (size_t i = step + 1; i-- > 0;) {
    const FloatStep& each = program.steps()[i];
    for (uint8_t k = 0; needed[i] && k < each.operand_count; ++k) needed[each.operands[k]] = true;
  }
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

}  // namespace glint::capture
