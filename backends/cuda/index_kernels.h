// Writing by index on the device: kernels written by hand.
//
//     scatter_elements({.out = out, .input = &x, .dim = 0, .index = index, .source = source})
//         out = x, then out[index[i]] = source[i]
//
// The line of places along the dimension is cut into stretches, and whoever has a stretch, a thread
// or a warp, copies it, goes through all indices of the line, and writes those that lie in it. So
// what goes to one place goes there in the order of the indices, as on the processor, in one
// launch. From 16384 indices a line on, each thread writes what indices of its own name, behind a
// copy; sums are atomic then, and made in any order.
#pragma once

#include "core/tensor/tensor.h"

namespace glint::cuda {

/// Tensors of the same rank and of any strides; an index has at most the sizes of the source, and
/// of the output but for the dimension.
struct Scatter {
  Tensor out;
  const Tensor* input = nullptr;  ///< null: what is in `out`
  int64_t dim = 0;
  Tensor index;   ///< of integers
  Tensor source;  ///< undefined: `number` everywhere
  Scalar number = int64_t{0};
  bool adds = false;
};
/// False: an index is out of range, as far as that is known when this returns (launch_checks.h).
bool scatter_elements(const Scatter& scatter);

}  // namespace glint::cuda
