// How one number is drawn, and how a tensor is filled with them: what the fills of generator.h and
// draws_by_rejection.h share.
//
//     fill_in_order<float>(tensor, [&] { return draw_unit<float>(generator); });
#pragma once

#include <concepts>
#include <type_traits>

#include "core/support/check.h"
#include "core/tensor/generator.h"
#include "core/tensor/strided_loop.h"

namespace glint {

/// The type that values of T are computed in.
template <class T>
using Wide = std::conditional_t<std::same_as<T, double>, double, float>;

/// A value in [0, 1): the low 24 bits of one draw, or the low 53 of two.
template <class T>
Wide<T> draw_unit(Generator& generator) {
  if constexpr (std::same_as<T, double>)
    return double(generator.next64() & ((uint64_t(1) << 53) - 1)) * 0x1p-53;
  else
    return float(generator.next32() & ((uint32_t(1) << 24) - 1)) * 0x1p-24f;
}

/// One normal value, in double whatever the tensor's dtype; each pair's second value is kept.
double draw_normal(double mean, double deviation, Generator& generator);

/// Calls `make()` for each element in the order of memory and stores what it gives.
template <class T, class F>
void fill_in_order(const Tensor& tensor, F&& make) {
  StridedLoop({&tensor}).run_serial([&](std::byte* const* rows, const int64_t* steps, int64_t n) {
    for (int64_t i = 0; i < n; ++i) *reinterpret_cast<T*>(rows[0] + i * steps[0]) = make();
  });
}

template <class F>
void visit_floating(DType dtype, F&& f) {
  switch (dtype) {
    case DType::kFloat16:
      return f.template operator()<Float16>();
    case DType::kBFloat16:
      return f.template operator()<BFloat16>();
    case DType::kFloat32:
      return f.template operator()<float>();
    case DType::kFloat64:
      return f.template operator()<double>();
    default:
      fail("a floating dtype");
  }
}

}  // namespace glint
