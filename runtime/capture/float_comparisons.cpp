#include "runtime/capture/float_comparisons.h"

#include "runtime/capture/guard_program.h"
#include "runtime/interpreter/protocol.h"

namespace glint::capture {

std::optional<bool> comes_out(runtime::Interpreter& interpreter, const FloatComparison& comparison,
                              std::span<const runtime::Value> values) {
  const runtime::Value &left = values[comparison.left], &right = values[comparison.right];
  if (comparison.opcode == program::Opcode::kIn) {
    int found = runtime::contains(interpreter, right, left);
    return found < 0 ? std::nullopt : std::optional(found == 1);
  }
  runtime::Value outcome = runtime::compare(interpreter, comparison.opcode, left, right);
  return outcome.is_bool() ? std::optional(outcome.as_bool()) : std::nullopt;
}

FloatComparisons::FloatComparisons(runtime::Interpreter& interpreter, const FloatProgram& program,
                                   std::span<const FloatComparison> comparisons)
    : interpreter_(interpreter) {
  std::vector<bool> needed(program.steps().size(), false);
  for (const FloatComparison& each : comparisons) needed[each.left] = needed[each.right] = true;
  std::vector<uint32_t> places;
  program_ = program.part(std::move(needed), places);
  values_ = program_.hints();
  for (FloatComparison each : comparisons) {
    each.left = places[each.left];
    each.right = places[each.right];
    comparisons_.push_back(each);
  }
}

bool FloatComparisons::holds(size_t number, const GuardProgram& guards,
                             std::span<const int64_t> symbols) {
  if (state_ == State::kUnknown) {
    bool computed = program_.run(interpreter_, guards, symbols, values_);
    state_ = computed ? State::kComputed : State::kFailed;
  }
  if (state_ == State::kFailed) return false;
  return comes_out(interpreter_, comparisons_[number], values_) == comparisons_[number].outcome;
}

}  // namespace glint::capture
