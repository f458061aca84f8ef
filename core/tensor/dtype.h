// Element types: one table of names and sizes, the C++ type of each, and PyTorch's promotion.
//
//     promote_types(DType::kInt64, DType::kFloat32)                    == DType::kFloat32
//     result_type({{kBFloat16, rank 2}, {Python float}})               == DType::kBFloat16
//
// Promotion has two parts. `promote_types` is a lattice over two dtypes. `result_type` adds
// PyTorch's categories: tensors with dimensions decide first, 0-dim tensors only count where they
// are of a higher category (bool < integer < floating) than those, and Python scalars likewise
// below 0-dim tensors.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "core/tensor/float16.h"

namespace glint {

enum class DType : uint8_t {
  kBool,
  kUInt8,
  kInt8,
  kInt16,
  kInt32,
  kInt64,
  kFloat16,
  kBFloat16,
  kFloat32,
  kFloat64,
};
inline constexpr size_t kDTypeCount = 10;

/// What promotion looks at first: a higher category wins over a lower one.
enum class DTypeCategory : uint8_t { kBool, kInteger, kFloating };

struct DTypeInfo {
  DType dtype;
  std::string_view name;        ///< `float32`, as in `torch.float32`
  std::string_view short_name;  ///< `f32`, as in IR text
  std::string_view alias;       ///< PyTorch's second name, `float`; empty if there is none
  std::string_view method;      ///< the method that converts to it, `float` in `x.float()`
  uint8_t size;                 ///< bytes an element
  DTypeCategory category;
};

inline constexpr std::array<DTypeInfo, kDTypeCount> kDTypeTable = {{
    {DType::kBool, "bool", "b8", "", "bool", 1, DTypeCategory::kBool},
    {DType::kUInt8, "uint8", "u8", "", "byte", 1, DTypeCategory::kInteger},
    {DType::kInt8, "int8", "i8", "", "char", 1, DTypeCategory::kInteger},
    {DType::kInt16, "int16", "i16", "short", "short", 2, DTypeCategory::kInteger},
    {DType::kInt32, "int32", "i32", "int", "int", 4, DTypeCategory::kInteger},
    {DType::kInt64, "int64", "i64", "long", "long", 8, DTypeCategory::kInteger},
    {DType::kFloat16, "float16", "f16", "half", "half", 2, DTypeCategory::kFloating},
    {DType::kBFloat16, "bfloat16", "bf16", "", "bfloat16", 2, DTypeCategory::kFloating},
    {DType::kFloat32, "float32", "f32", "float", "float", 4, DTypeCategory::kFloating},
    {DType::kFloat64, "float64", "f64", "double", "double", 8, DTypeCategory::kFloating},
}};

constexpr const DTypeInfo& dtype_info(DType dtype) {
  return kDTypeTable[size_t(dtype)];
}
constexpr std::string_view dtype_name(DType dtype) {
  return dtype_info(dtype).name;
}
constexpr std::string_view dtype_short_name(DType dtype) {
  return dtype_info(dtype).short_name;
}
constexpr size_t dtype_size(DType dtype) {
  return dtype_info(dtype).size;
}
constexpr DTypeCategory dtype_category(DType dtype) {
  return dtype_info(dtype).category;
}
constexpr bool is_floating(DType dtype) {
  return dtype_category(dtype) == DTypeCategory::kFloating;
}
/// Integers proper; bool is not one.
constexpr bool is_integer(DType dtype) {
  return dtype_category(dtype) == DTypeCategory::kInteger;
}
constexpr bool is_bool(DType dtype) {
  return dtype == DType::kBool;
}

/// The dtype of a long name, short name or alias: `float32`, `f32`, `float`.
std::optional<DType> find_dtype(std::string_view name);

/// The smallest dtype that both convert to, as `torch.promote_types`.
DType promote_types(DType a, DType b);

/// One operand as promotion sees it.
struct PromotionOperand {
  enum class Kind : uint8_t { kTensor, kZeroDim, kScalar };
  Kind kind = Kind::kTensor;
  DType dtype = DType::kFloat32;  ///< of a Python scalar: kBool, kInt64 or kFloat64
};

/// The common dtype of an operation's operands, as `torch.result_type` (for any number of them).
/// A Python float alone, or with integers, gives `default_dtype()`, which is asked for only then.
DType result_type(std::span<const PromotionOperand> operands);

/// `torch.get_default_dtype()`: what float literals and `torch.rand` make. Float32 at first.
DType default_dtype();
/// How often it was asked for: where the number stays the same, nothing depended on it.
uint64_t default_dtype_reads();
void set_default_dtype(DType dtype);

/// The C++ type of a dtype's elements, and the way back.
template <DType D>
struct ElementOf;
template <class T>
struct DTypeOf;

template <>
struct ElementOf<DType::kBool> {
  using Type = bool;
};
template <>
struct ElementOf<DType::kUInt8> {
  using Type = uint8_t;
};
template <>
struct ElementOf<DType::kInt8> {
  using Type = int8_t;
};
template <>
struct ElementOf<DType::kInt16> {
  using Type = int16_t;
};
template <>
struct ElementOf<DType::kInt32> {
  using Type = int32_t;
};
template <>
struct ElementOf<DType::kInt64> {
  using Type = int64_t;
};
template <>
struct ElementOf<DType::kFloat16> {
  using Type = Float16;
};
template <>
struct ElementOf<DType::kBFloat16> {
  using Type = BFloat16;
};
template <>
struct ElementOf<DType::kFloat32> {
  using Type = float;
};
template <>
struct ElementOf<DType::kFloat64> {
  using Type = double;
};

template <>
struct DTypeOf<bool> {
  static constexpr DType kValue = DType::kBool;
};
template <>
struct DTypeOf<uint8_t> {
  static constexpr DType kValue = DType::kUInt8;
};
template <>
struct DTypeOf<int8_t> {
  static constexpr DType kValue = DType::kInt8;
};
template <>
struct DTypeOf<int16_t> {
  static constexpr DType kValue = DType::kInt16;
};
template <>
struct DTypeOf<int32_t> {
  static constexpr DType kValue = DType::kInt32;
};
template <>
struct DTypeOf<int64_t> {
  static constexpr DType kValue = DType::kInt64;
};
template <>
struct DTypeOf<Float16> {
  static constexpr DType kValue = DType::kFloat16;
};
template <>
struct DTypeOf<BFloat16> {
  static constexpr DType kValue = DType::kBFloat16;
};
template <>
struct DTypeOf<float> {
  static constexpr DType kValue = DType::kFloat32;
};
template <>
struct DTypeOf<double> {
  static constexpr DType kValue = DType::kFloat64;
};

template <DType D>
using Element = typename ElementOf<D>::Type;
template <class T>
inline constexpr DType kDTypeOf = DTypeOf<T>::kValue;

/// Calls `f.template operator()<T>()` with the C++ type of `dtype`:
///     visit_dtype(x.dtype(), [&]<class T>() { return sum(x.data<T>(), x.numel()); });
template <class F>
decltype(auto) visit_dtype(DType dtype, F&& f) {
  switch (dtype) {
    case DType::kBool:
      return f.template operator()<bool>();
    case DType::kUInt8:
      return f.template operator()<uint8_t>();
    case DType::kInt8:
      return f.template operator()<int8_t>();
    case DType::kInt16:
      return f.template operator()<int16_t>();
    case DType::kInt32:
      return f.template operator()<int32_t>();
    case DType::kInt64:
      return f.template operator()<int64_t>();
    case DType::kFloat16:
      return f.template operator()<Float16>();
    case DType::kBFloat16:
      return f.template operator()<BFloat16>();
    case DType::kFloat32:
      return f.template operator()<float>();
    case DType::kFloat64:
      return f.template operator()<double>();
  }
  __builtin_unreachable();
}

}  // namespace glint
