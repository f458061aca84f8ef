// Kernels over rows that give values and places, along any dimension.
//
//     by_rows(x, 0, [](const Tensor& rows, const Tensor& values, const Tensor& places) { ... })
//
// Another dimension than the last is moved there and back; a tensor without dimensions is its own
// value, at place 0.
#pragma once

#include "core/tensor/copy.h"
#include "core/tensor/views.h"
#include "ops/layout.h"

namespace glint::device {

struct ValuesAndPlaces {
  Tensor values, places;
};

/// `run` fills both, which are contiguous as the rows are; `dim` counts from 0.
template <class F>
ValuesAndPlaces by_rows(const Tensor& input, int64_t dim, const F& run) {
  if (input.rank() == 0)
    return {clone(input), Tensor::zeros(Dims{}, DType::kInt64, input.device())};
  const bool last = dim == input.rank() - 1;
  const Tensor rows = contiguous(last ? input : transpose(input, dim, -1));
  ValuesAndPlaces made{Tensor::empty(rows.sizes(), rows.dtype(), input.device()),
                       Tensor::empty(rows.sizes(), DType::kInt64, input.device())};
  run(rows, made.values, made.places);
  if (last) return made;
  return {ops::row_major(transpose(made.values, dim, -1)),
          ops::row_major(transpose(made.places, dim, -1))};
}

}  // namespace glint::device
