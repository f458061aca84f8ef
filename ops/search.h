// What `searchsorted` looks for, and where: what its kernels, on the processor and on a device,
// have in common.
#pragma once

#include "ops/op.h"

namespace glint::ops {

struct Search {
  Tensor rows;    ///< those of one dimension are searched for all values
  Tensor values;  ///< undefined where a number is looked for
  Scalar number = int64_t{0};
  DType dtype = DType::kFloat32;  ///< in which they are compared
  bool behind_equals = false;     ///< elements that equal the value lie before it
};
/// Of arguments that `infer` has checked; rows that a sorter orders are in order here.
Search search_of(const OpEntry& entry, Arguments arguments);

}  // namespace glint::ops
