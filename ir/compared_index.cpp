#include "ir/compared_index.h"

namespace glint {

namespace {

/// The operands of a value that the function made of int64 numbers, or of truths.
const std::vector<Operand>* made_by(const Kernel& kernel, const Operand& value,
                                    ScalarFunction function) {
  if (value.is_literal()) return nullptr;
  const auto* compute = kernel[value.statement()].get_if<Compute>();
  return compute && compute->function == function ? &compute->operands : nullptr;
}

/// What `where(given < 0, given + size, given)` was made of; else the value itself.
Operand given_index(const Kernel& kernel, const Operand& value) {
  const auto* chosen = made_by(kernel, value, ScalarFunction::kWhere);
  const auto* is_below = chosen ? made_by(kernel, (*chosen)[0], ScalarFunction::kLess) : nullptr;
  if (!is_below || !((*is_below)[1] == Operand(0))) return value;
  return (*is_below)[0] == (*chosen)[2] ? (*chosen)[2] : value;
}

}  // namespace

std::optional<ComparedIndex> compared_index(const Kernel& kernel, const Check& check) {
  const auto* both = made_by(kernel, check.condition, ScalarFunction::kLogicalAnd);
  if (!both) return std::nullopt;
  const auto* low = made_by(kernel, (*both)[0], ScalarFunction::kGreaterEqual);
  const auto* high = made_by(kernel, (*both)[1], ScalarFunction::kLess);
  if (!low || !high || !((*low)[1] == Operand(0)) || !((*low)[0] == (*high)[0]))
    return std::nullopt;
  const auto* compute = kernel[(*both)[0].statement()].get_if<Compute>();
  if (compute->dtype != DType::kInt64) return std::nullopt;
  return ComparedIndex{given_index(kernel, (*low)[0]), (*high)[1]};
}

}  // namespace glint
