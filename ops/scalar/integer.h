// The scalar functions on integers and bool: exact, wrapping around, never trapping.
//
// Division rounds down, `remainder` takes the divisor's sign and `fmod` the dividend's. Dividing by
// zero gives 0 here; the operator's entry checks for it first and raises. Negative powers are 0 but
// of 1 and -1. Shifting by the width or more (or a negative amount) gives what PyTorch gives: 0, or
// the sign for a right shift.
//
//     apply_integer<ScalarFunction::kFloorDivide, int32_t>(-7, 2, 0) == -4
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include "ir/scalar_function.h"

namespace glint::scalar {

template <class T>
constexpr T floor_divide_integer(T x, T y) {
  if (y == 0) return 0;
  if constexpr (std::is_signed_v<T>) {
    if (y == -1) return static_cast<T>(0u - static_cast<std::make_unsigned_t<T>>(x));
    const T quotient = static_cast<T>(x / y);
    return static_cast<T>(quotient - ((x % y != 0) && ((x < 0) != (y < 0)) ? 1 : 0));
  } else {
    return static_cast<T>(x / y);
  }
}

template <class T>
constexpr T fmod_integer(T x, T y) {
  if (y == 0) return 0;
  if constexpr (std::is_signed_v<T>) {
    if (y == -1) return 0;
  }
  return static_cast<T>(x % y);
}

template <class T>
constexpr T remainder_integer(T x, T y) {
  const T r = fmod_integer(x, y);
  return static_cast<T>(r != 0 && ((r < 0) != (y < 0)) ? r + y : r);
}

template <class T>
constexpr T power_integer(T x, T y) {
  using U = std::make_unsigned_t<T>;
  if constexpr (std::is_signed_v<T>) {
    if (y < 0) {
      if (x == 1) return 1;
      if (x == -1) return static_cast<T>(y % 2 == 0 ? 1 : -1);
      return 0;
    }
  }
  U base = static_cast<U>(x);
  U exponent = static_cast<U>(y);
  U result = 1;
  while (exponent != 0) {
    if (exponent & 1u) result = static_cast<U>(uint64_t(result) * base);
    base = static_cast<U>(uint64_t(base) * base);
    exponent = static_cast<U>(exponent >> 1);
  }
  return static_cast<T>(result);
}

template <class T>
constexpr T shift_left_integer(T x, T y) {
  constexpr T kWidth = sizeof(T) * 8;
  if (y < 0 || y >= kWidth) return 0;
  return static_cast<T>(static_cast<uint64_t>(x) << y);
}

template <class T>
constexpr T shift_right_integer(T x, T y) {
  constexpr T kWidth = sizeof(T) * 8;
  if (y < 0 || y >= kWidth) return static_cast<T>(x < 0 ? -1 : 0);
  return static_cast<T>(x >> y);
}

/// A function whose result has the operands' dtype. `T` is an integer type; bool is `uint8_t` with
/// `kIsBool` (add is or, multiply is and).
template <ScalarFunction kFunction, class T, bool kIsBool = false>
[[gnu::always_inline]] constexpr T apply_integer(T x, T y, T z) {
  using enum ScalarFunction;
  using U = std::make_unsigned_t<T>;
  const auto wide_x = static_cast<uint64_t>(x);
  const auto wide_y = static_cast<uint64_t>(y);
  if constexpr (kFunction == kAdd) {
    return kIsBool ? static_cast<T>(x | y) : static_cast<T>(static_cast<U>(wide_x + wide_y));
  }
  if constexpr (kFunction == kSubtract) return static_cast<T>(static_cast<U>(wide_x - wide_y));
  if constexpr (kFunction == kMultiply) return static_cast<T>(static_cast<U>(wide_x * wide_y));
  if constexpr (kFunction == kFloorDivide || kFunction == kDivide) {
    return floor_divide_integer(x, y);
  }
  if constexpr (kFunction == kRemainder) return remainder_integer(x, y);
  if constexpr (kFunction == kFmod) return fmod_integer(x, y);
  if constexpr (kFunction == kPower) return power_integer(x, y);
  if constexpr (kFunction == kMaximum) return x > y ? x : y;
  if constexpr (kFunction == kMinimum) return x < y ? x : y;
  if constexpr (kFunction == kFma) {
    return static_cast<T>(static_cast<U>(wide_x * wide_y + static_cast<uint64_t>(z)));
  }
  if constexpr (kFunction == kNegative) return static_cast<T>(static_cast<U>(0 - wide_x));
  if constexpr (kFunction == kAbs) return x < 0 ? static_cast<T>(static_cast<U>(0 - wide_x)) : x;
  if constexpr (kFunction == kSign) return static_cast<T>((x > 0) - (x < 0));
  if constexpr (kFunction == kSquare) return static_cast<T>(static_cast<U>(wide_x * wide_x));
  if constexpr (kFunction == kBitwiseAnd) return static_cast<T>(x & y);
  if constexpr (kFunction == kBitwiseOr) return static_cast<T>(x | y);
  if constexpr (kFunction == kBitwiseXor) return static_cast<T>(x ^ y);
  if constexpr (kFunction == kBitwiseNot)
    return kIsBool ? static_cast<T>(x ^ 1) : static_cast<T>(~x);
  if constexpr (kFunction == kShiftLeft || kFunction == kShiftRight) {
    if constexpr (kIsBool) return y == 0 ? x : T(0);
    return kFunction == kShiftLeft ? shift_left_integer(x, y) : shift_right_integer(x, y);
  }
  return x;  // floor, ceil, round, trunc
}

/// What running sums and products are made of: floats add and multiply as ever, integers wrap
/// around.
template <class T>
[[gnu::always_inline]] constexpr T wrapping_add(T x, T y) {
  if constexpr (std::is_floating_point_v<T>) return x + y;
  if constexpr (std::is_same_v<T, bool>) return x || y;
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>)
    return apply_integer<ScalarFunction::kAdd>(x, y, T(0));
}
template <class T>
[[gnu::always_inline]] constexpr T wrapping_multiply(T x, T y) {
  if constexpr (std::is_floating_point_v<T>) return x * y;
  if constexpr (std::is_same_v<T, bool>) return x && y;
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>)
    return apply_integer<ScalarFunction::kMultiply>(x, y, T(0));
}

/// A comparison, predicate or truth-value function.
template <ScalarFunction kFunction, class T>
[[gnu::always_inline]] constexpr bool compare_integer(T x, T y) {
  using enum ScalarFunction;
  if constexpr (kFunction == kIsnan || kFunction == kIsinf) return false;
  if constexpr (kFunction == kIsfinite) return true;
  if constexpr (kFunction == kSignbit) return x < 0;
  if constexpr (kFunction == kEqual) return x == y;
  if constexpr (kFunction == kNotEqual) return x != y;
  if constexpr (kFunction == kLess) return x < y;
  if constexpr (kFunction == kLessEqual) return x <= y;
  if constexpr (kFunction == kGreater) return x > y;
  if constexpr (kFunction == kGreaterEqual) return x >= y;
  if constexpr (kFunction == kLogicalAnd) return x != 0 && y != 0;
  if constexpr (kFunction == kLogicalOr) return x != 0 || y != 0;
  if constexpr (kFunction == kLogicalXor) return (x != 0) != (y != 0);
  if constexpr (kFunction == kLogicalNot) return x == 0;
  return false;
}

}  // namespace glint::scalar
