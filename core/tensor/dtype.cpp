#include "core/tensor/dtype.h"

namespace glint {

namespace {
DType g_default_dtype = DType::kFloat32;
}  // namespace

std::optional<DType> find_dtype(std::string_view name) {
  if (name.empty()) return std::nullopt;
  for (const DTypeInfo& row : kDTypeTable)
    if (name == row.name || name == row.short_name || name == row.alias) return row.dtype;
  return std::nullopt;
}

DType promote_types(DType a, DType b) {
  if (a == b) return a;
  if (a > b) std::swap(a, b);  // the table is in order of category, then of width
  if (dtype_category(a) != dtype_category(b)) return b;
  // uint8 with a signed type: the narrowest signed type that holds both.
  if (a == DType::kUInt8) return b == DType::kInt8 ? DType::kInt16 : b;
  // The two 16-bit floats hold different values: float32 holds both.
  if (a == DType::kFloat16 && b == DType::kBFloat16) return DType::kFloat32;
  return b;
}

DType default_dtype() {
  return g_default_dtype;
}
void set_default_dtype(DType dtype) {
  g_default_dtype = dtype;
}

DType result_type(std::span<const PromotionOperand> operands, DType default_float) {
  std::optional<DType> by_kind[3];
  for (const PromotionOperand& operand : operands) {
    DType dtype = operand.dtype;
    if (operand.kind == PromotionOperand::Kind::kScalar && is_floating(dtype))
      dtype = default_float;
    std::optional<DType>& known = by_kind[size_t(operand.kind)];
    known = known ? promote_types(*known, dtype) : dtype;
  }
  // A lower kind only counts where its category is higher than what is known so far.
  std::optional<DType> result;
  for (const std::optional<DType>& next : by_kind) {
    if (!next) continue;
    if (!result) {
      result = next;
    } else if (dtype_category(*next) > dtype_category(*result)) {
      result = promote_types(*result, *next);
    }
  }
  return result.value_or(default_float);
}

}  // namespace glint
