// A Python number as the eager loops read it.
//
//     Element two(2, DType::kBFloat16)             where_loop(..., two.bytes, 0, ...)
//     Element two = loop_number(kAdd, 2, dtype, 1)    loops->right_scalar(x, two.bytes, out, n)
#pragma once

#include <cstring>

#include "core/tensor/dtype.h"
#include "core/tensor/scalar.h"
#include "ops/infer.h"

namespace glint::ops {

/// One number in memory.
struct Element {
  alignas(8) std::byte bytes[8];
  Element(const Scalar& value, DType dtype) {
    visit_dtype(dtype, [&]<class T>() {
      T converted = value.to<T>();
      std::memcpy(bytes, &converted, sizeof(T));
    });
  }
};

/// An element of 16 bits.
inline float widened_element(const std::byte* element, DType dtype) {
  uint16_t bits;
  std::memcpy(&bits, element, sizeof bits);
  return dtype == DType::kFloat16 ? float16_bits_to_float(bits) : bfloat16_bits_to_float(bits);
}

/// What the loops of a function read beside elements of `dtype` as the operand at `place`: of
/// 16-bit floats a float32, with digits that they do not hold where the function keeps them.
inline Element loop_number(ScalarFunction function, const Scalar& value, DType dtype,
                           size_t place) {
  if (!is_narrow_float(dtype)) return {value, dtype};
  if (keeps_digits_of_number(function, dtype, place)) return {value, DType::kFloat32};
  return {widened_element(Element(value, dtype).bytes, dtype), DType::kFloat32};
}

/// A number as an element of the dtype.
inline double as_element(double number, DType dtype) {
  double element = 0;
  visit_dtype(dtype, [&]<class T>() { element = double(Scalar(number).to<T>()); });
  return element;
}

}  // namespace glint::ops
