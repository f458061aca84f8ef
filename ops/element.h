// A Python number as the eager loops read it.
//
//     Element two(2, DType::kBFloat16)      loops->right_scalar(x, two.bytes, out, n)
#pragma once

#include <cstring>

#include "core/tensor/dtype.h"
#include "core/tensor/scalar.h"

namespace glint::ops {

/// One number in the computation dtype, as the loops read it.
struct Element {
  alignas(8) std::byte bytes[8];
  Element(const Scalar& value, DType dtype) {
    visit_dtype(dtype, [&]<class T>() {
      T converted = value.to<T>();
      std::memcpy(bytes, &converted, sizeof(T));
    });
  }
};

}  // namespace glint::ops
