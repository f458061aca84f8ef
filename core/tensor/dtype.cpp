#include "core/tensor/dtype.h"

namespace glint {

namespace {
DType g_default_dtype = DType::kFloat32;
uint64_t g_default_dtype_reads = 0;
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
  ++g_default_dtype_reads;
  return g_default_dtype;
}
uint64_t default_dtype_reads() {
  return g_default_dtype_reads;
}
void set_default_dtype(DType dtype) {
  g_default_dtype = dtype;
}

DType result_type(std::span<const PromotionOperand> operands) {
  using Kind = PromotionOperand::Kind;
  std::optional<DType> by_kind[3];
  for (const PromotionOperand& operand : operands) {
    std::optional<DType>& known = by_kind[size_t(operand.kind)];
    known = known ? promote_types(*known, operand.dtype) : operand.dtype;
  }
  // A lower kind only counts where its category is higher than what is known so far.
  std::optional<DType> result;
  for (const Kind kind : {Kind::kTensor, Kind::kZeroDim, Kind::kScalar}) {
    const std::optional<DType>& next = by_kind[size_t(kind)];
    if (!next || (result && dtype_category(*next) <= dtype_category(*result))) continue;
    const DType dtype = kind == Kind::kScalar && is_floating(*next) ? default_dtype() : *next;
    result = result ? promote_types(*result, dtype) : dtype;
  }
  return result ? *result : default_dtype();
}

}  // namespace glint
