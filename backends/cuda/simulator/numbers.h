// The C++ types that stand for PTX's: the two 16-bit floating types, and pairs of them.
//
//     Compute<Half> is float: read, compute, round once on the way back
//
// Of a 32-bit result that is no number the hardware gives one pattern, 0x7fffffff; so does this.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "backends/cuda/simulator/type.h"

namespace glint::simulator {

struct Half {
  uint16_t bits;
  Half() = default;
  explicit Half(float value)
      : bits(value != value ? 0x7fff : std::bit_cast<uint16_t>(static_cast<_Float16>(value))) {}
  operator float() const { return static_cast<float>(std::bit_cast<_Float16>(bits)); }
};

struct BFloat16 {
  uint16_t bits;
  BFloat16() = default;
  explicit BFloat16(float value) {
    const auto wide = std::bit_cast<uint32_t>(value);
    const uint32_t rounded = (wide + 0x7fffu + (wide >> 16 & 1u)) >> 16;
    bits = static_cast<uint16_t>(value != value ? 0x7fffu : rounded);
  }
  operator float() const { return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16); }
};

template <class T>
struct Pair {
  T low, high;
};

template <class T>
constexpr bool kSmallFloat = std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>;
template <class T>
constexpr bool kFloating = std::is_floating_point_v<T> || kSmallFloat<T>;

template <class T>
using Compute = std::conditional_t<kSmallFloat<T>, float, T>;

template <class T>
T not_a_number() {
  if constexpr (std::is_same_v<T, float>) return std::bit_cast<float>(0x7fffffffu);
  return std::numeric_limits<T>::quiet_NaN();
}

/// A floating result as the hardware leaves it.
template <class T, class C>
T rounded_to(C value) {
  if constexpr (std::is_same_v<T, float>) {
    return value != value ? not_a_number<float>() : value;
  } else {
    return T(value);
  }
}

/// Unsigned arithmetic wraps, and does not widen to `int` on the way.
template <class T>
using Wrapping = std::conditional_t<(sizeof(T) < 4), uint32_t, std::make_unsigned_t<T>>;

/// A double as a float, rounded to odd: the last bit says that something was dropped.
inline float narrow_to_odd(double value) {
  const auto single = static_cast<float>(value);
  const auto back = static_cast<double>(single);
  auto bits = std::bit_cast<uint32_t>(single);
  if (back == value || value != value || (bits & 0x7f800000u) == 0x7f800000u) return single;
  if (std::abs(back) > std::abs(value)) --bits;  // towards zero
  return std::bit_cast<float>(bits | 1u);
}

/// A double to the 16-bit type, rounded once: to odd on the way through float, which cannot turn a
/// number that is near a tie into one that is on it.
template <class T>
T narrow(double value) {
  return T(narrow_to_odd(value));
}

/// The row's type that a C++ type stands for; bits are unsigned integers.
template <class T>
constexpr bool stands_for(Type type) {
  using enum Type;
  if constexpr (std::is_same_v<T, uint16_t>) return type == kU16 || type == kB16;
  if constexpr (std::is_same_v<T, uint32_t>) return type == kU32 || type == kB32;
  if constexpr (std::is_same_v<T, uint64_t>) return type == kU64 || type == kB64;
  if constexpr (std::is_same_v<T, int16_t>) return type == kS16;
  if constexpr (std::is_same_v<T, int32_t>) return type == kS32;
  if constexpr (std::is_same_v<T, int64_t>) return type == kS64;
  if constexpr (std::is_same_v<T, Half>) return type == kF16;
  if constexpr (std::is_same_v<T, BFloat16>) return type == kBF16;
  if constexpr (std::is_same_v<T, float>) return type == kF32;
  if constexpr (std::is_same_v<T, double>) return type == kF64;
  if constexpr (std::is_same_v<T, Pair<Half>>) return type == kF16x2;
  if constexpr (std::is_same_v<T, Pair<BFloat16>>) return type == kBF16x2;
  return false;
}

}  // namespace glint::simulator
