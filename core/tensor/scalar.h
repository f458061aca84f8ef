// A Python number: bool, int or float. What `x + 2` passes beside a tensor, and what `.item()`
// gives.
//
//     Scalar(2.5).to<int32_t>() == 2      Scalar(true).dtype() == DType::kBool
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "core/tensor/dtype.h"

namespace glint {

class Scalar {
 public:
  enum class Kind : uint8_t { kBool, kInt, kFloat };

  Scalar() : kind_(Kind::kInt), int_(0) {}
  Scalar(std::same_as<bool> auto value) : kind_(Kind::kBool), int_(value) {}
  Scalar(std::same_as<int64_t> auto value) : kind_(Kind::kInt), int_(value) {}
  Scalar(std::same_as<int> auto value) : kind_(Kind::kInt), int_(value) {}
  Scalar(std::same_as<double> auto value) : kind_(Kind::kFloat), float_(value) {}
  Scalar(std::same_as<float> auto value) : kind_(Kind::kFloat), float_(value) {}

  Kind kind() const { return kind_; }
  bool is_bool() const { return kind_ == Kind::kBool; }
  bool is_int() const { return kind_ == Kind::kInt; }
  bool is_float() const { return kind_ == Kind::kFloat; }
  /// The dtype that promotion takes a Python number for: kBool, kInt64 or kFloat64.
  DType dtype() const {
    return is_float() ? DType::kFloat64 : is_int() ? DType::kInt64 : DType::kBool;
  }

  bool as_bool() const { return is_float() ? float_ != 0.0 : int_ != 0; }
  int64_t as_int() const;
  double as_double() const { return is_float() ? float_ : double(int_); }

  /// The value as an element of a tensor: conversion as `x.fill_(value)` does it.
  template <class T>
  T to() const;

  bool operator==(const Scalar& other) const;

 private:
  Kind kind_;
  union {
    int64_t int_;
    double float_;
  };
};

/// Converts one element as `x.to(dtype)` does. Floats are cut toward zero; an integer that does not
/// fit keeps its low bits. A float beyond the range (or NaN) becomes what x86's conversion gives:
/// int64's minimum for int64 and uint8, int32's minimum for the narrower ones, cut to their width.
template <class To, class From>
inline To convert_element(From value) {
  if constexpr (std::same_as<To, From>) {
    return value;
  } else if constexpr (std::same_as<From, BFloat16> || std::same_as<From, Float16>) {
    return convert_element<To>(float(value));
  } else if constexpr (std::same_as<To, bool>) {
    return value != From(0);
  } else if constexpr (std::same_as<To, BFloat16> || std::same_as<To, Float16>) {
    return To(static_cast<float>(value));
  } else if constexpr (std::integral<To> && !std::integral<From>) {
    constexpr bool kWide = std::same_as<To, int64_t> || std::same_as<To, uint8_t>;
    using Middle = std::conditional_t<kWide, int64_t, int32_t>;
    constexpr double kLimit = kWide ? 0x1p63 : 0x1p31;
    // False for NaN and beyond the range, so that no conversion here is undefined in C++.
    bool fits =
        double(value) > (kWide ? -0x1p63 - 2048.0 : -0x1p31 - 1.0) && double(value) < kLimit;
    return static_cast<To>(fits ? static_cast<Middle>(value) : std::numeric_limits<Middle>::min());
  } else {
    return static_cast<To>(value);
  }
}

template <class T>
T Scalar::to() const {
  return is_float() ? convert_element<T>(float_) : convert_element<T>(int_);
}

}  // namespace glint
