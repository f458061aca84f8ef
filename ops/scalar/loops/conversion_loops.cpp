// `where` and `cast` for eager operators, compiled once for each instruction set.
//
// A cast reads a block of elements as what it computes with (float32, float64 or int64), and writes
// the block converted: 10 readers and 10 writers make the 100 casts.
#include <limits>
#include <type_traits>

#include "ops/scalar/elementwise_loops.h"

namespace glint::scalar::GLINT_INSTRUCTION_SET {
namespace {

template <class T>
void where_elements(const void* condition, const void* left, int64_t left_step, const void* right,
                    int64_t right_step, void* out, int64_t n) {
  const auto* chosen = static_cast<const uint8_t*>(condition);
  const auto* a = static_cast<const T*>(left);
  const auto* b = static_cast<const T*>(right);
  auto* to = static_cast<T*>(out);
  if (left_step == 1 && right_step == 1) {
    for (int64_t i = 0; i < n; ++i) to[i] = chosen[i] ? a[i] : b[i];
  } else if (left_step == 1) {
    const T y = *b;
    for (int64_t i = 0; i < n; ++i) to[i] = chosen[i] ? a[i] : y;
  } else if (right_step == 1) {
    const T x = *a;
    for (int64_t i = 0; i < n; ++i) to[i] = chosen[i] ? x : b[i];
  } else {
    for (int64_t i = 0; i < n; ++i) to[i] = chosen[i] ? a[i * left_step] : b[i * right_step];
  }
}

struct Bool8 {
  uint8_t value;
};
struct BFloat {
  uint16_t bits;
};
struct Half {
  _Float16 value;
};

template <class From>
inline auto read_element(From x) {
  if constexpr (std::is_same_v<From, Bool8>) {
    return static_cast<int32_t>(x.value);
  } else if constexpr (std::is_same_v<From, BFloat>) {
    return __builtin_bit_cast(float, static_cast<uint32_t>(x.bits) << 16);
  } else if constexpr (std::is_same_v<From, Half>) {
    return static_cast<float>(x.value);
  } else {
    return x;
  }
}

/// Cut toward zero; what is beyond the range, or no number, is the minimum, as x86 has it.
template <class Whole, class Value>
inline Whole cut(Value value) {
  constexpr Whole kLeast = std::numeric_limits<Whole>::min();
  constexpr auto kLow = static_cast<Value>(kLeast);
  return value >= kLow && value < -kLow ? static_cast<Whole>(value) : kLeast;
}

template <class To, class Value>
inline To convert(Value value) {
  if constexpr (std::is_same_v<To, Bool8>) {
    return {static_cast<uint8_t>(value != 0)};
  } else if constexpr (std::is_same_v<To, BFloat>) {
    const auto number = static_cast<float>(value);
    const auto bits = __builtin_bit_cast(uint32_t, number);
    const uint32_t upper = bits >> 16;
    const uint32_t rounded = (bits + 0x7fffu + (upper & 1u)) >> 16;
    return {static_cast<uint16_t>(number != number ? (upper | 0x40u) : rounded)};
  } else if constexpr (std::is_same_v<To, Half>) {
    return {static_cast<_Float16>(static_cast<float>(value))};
  } else if constexpr (std::is_floating_point_v<Value> && std::is_integral_v<To>) {
    return static_cast<To>(cut<std::conditional_t<sizeof(To) < 4, int32_t, To>>(value));
  } else {
    return static_cast<To>(value);
  }
}

template <class From, class To>
void cast_elements(const void* in, void* out, int64_t n) {
  const auto* from = static_cast<const From*>(in);
  auto* to = static_cast<To*>(out);
  for (int64_t i = 0; i < n; ++i) to[i] = convert<To>(read_element(from[i]));
}

template <class From>
constexpr void fill_casts(UnaryLoop (&row)[kDTypeCount]) {
  row[size_t(DType::kBool)] = cast_elements<From, Bool8>;
  row[size_t(DType::kUInt8)] = cast_elements<From, uint8_t>;
  row[size_t(DType::kInt8)] = cast_elements<From, int8_t>;
  row[size_t(DType::kInt16)] = cast_elements<From, int16_t>;
  row[size_t(DType::kInt32)] = cast_elements<From, int32_t>;
  row[size_t(DType::kInt64)] = cast_elements<From, int64_t>;
  row[size_t(DType::kFloat16)] = cast_elements<From, Half>;
  row[size_t(DType::kBFloat16)] = cast_elements<From, BFloat>;
  row[size_t(DType::kFloat32)] = cast_elements<From, float>;
  row[size_t(DType::kFloat64)] = cast_elements<From, double>;
}

struct CastTable {
  UnaryLoop rows[kDTypeCount][kDTypeCount] = {};
};

constexpr CastTable make_casts() {
  CastTable table;
  fill_casts<Bool8>(table.rows[size_t(DType::kBool)]);
  fill_casts<uint8_t>(table.rows[size_t(DType::kUInt8)]);
  fill_casts<int8_t>(table.rows[size_t(DType::kInt8)]);
  fill_casts<int16_t>(table.rows[size_t(DType::kInt16)]);
  fill_casts<int32_t>(table.rows[size_t(DType::kInt32)]);
  fill_casts<int64_t>(table.rows[size_t(DType::kInt64)]);
  fill_casts<Half>(table.rows[size_t(DType::kFloat16)]);
  fill_casts<BFloat>(table.rows[size_t(DType::kBFloat16)]);
  fill_casts<float>(table.rows[size_t(DType::kFloat32)]);
  fill_casts<double>(table.rows[size_t(DType::kFloat64)]);
  return table;
}

constexpr CastTable kCasts = make_casts();

}  // namespace

const WhereLoop kWhereLoops[4] = {where_elements<uint8_t>, where_elements<uint16_t>,
                                  where_elements<uint32_t>, where_elements<uint64_t>};

UnaryLoop cast_entry(DType from, DType to) {
  return kCasts.rows[size_t(from)][size_t(to)];
}

}  // namespace glint::scalar::GLINT_INSTRUCTION_SET
