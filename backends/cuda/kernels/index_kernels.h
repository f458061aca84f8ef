// Writing by index on the device: kernels written by hand.
//
//     scatter_elements({.out = out, .input = &x, .dim = 0, .indices = {index}, .source = source})
//         out = x, then out[index[i]] = source[i]
//     scatter_elements({.out = x, .dim = 1, .indices = {i, j}, .number = 2.5, .wraps = true})
//         x[:, i, j] = 2.5
//
// The line of places along the named dimensions is cut into stretches, and whoever has a stretch, a
// thread or a warp, copies it, goes through all indices of the line, and writes those that lie in
// it. So what goes to one place goes there in the order of the indices, as on the processor, in one
// launch. From 16384 indices a line on, each thread writes what indices of its own name, behind a
// copy; sums are atomic then, and made in any order.
#pragma once

#include <vector>

#include "core/tensor/tensor.h"

namespace glint::cuda {

/// What happens where an element is put on one that is there.
enum class Meeting : uint8_t { kReplace, kAdd, kMultiply, kGreatest, kLeast };

/// Tensors of any strides. The output's dimensions from `dim` on, as many as there are indices, are
/// named by these; in their place the indices and the source have dimensions of their own, one or
/// more. In the others an index is at most as wide as the output, and in all as the source.
struct Scatter {
  Tensor out;
  const Tensor* input = nullptr;  ///< null: what is in `out`
  bool over_zeros = false;        ///< in place of an input
  int64_t dim = 0;
  std::vector<Tensor> indices;  ///< of integers, all of the same sizes
  Tensor source;                ///< undefined: `number` everywhere
  Scalar number = int64_t{0};
  bool scales = false;  ///< the source times `number`
  Meeting meeting = Meeting::kReplace;
  bool wraps = false;  ///< indices below 0 count from the end
};
/// An index that is out of range is told as launch_checks.h says.
void scatter_elements(const Scatter& scatter);

}  // namespace glint::cuda
