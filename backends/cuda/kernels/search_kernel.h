// Places among sorted rows on the device: a kernel written by hand.
//
//     find_places(rows, values, 0, true, places)     a thread a value, which halves its row
#pragma once

#include "core/tensor/tensor.h"

namespace glint::cuda {

struct PlaceSearch {
  Tensor rows;    ///< of one dimension, or with the leading sizes of the values
  Tensor values;  ///< undefined: `number` is looked for
  Scalar number;
  DType dtype;         ///< in which they are compared
  bool behind_equals;  ///< elements that equal the value lie before it
};
/// `places` (int32 or int64) has the values' sizes; all may have any strides.
void find_places(const PlaceSearch& search, const Tensor& places);

}  // namespace glint::cuda
