// Pooling as a compiler sees it: steps that fuse with what is around them.
//
// A window is its elements: the k-th of all windows is a view of the input with steps, so that a
// small window is a few pointwise steps over as many views.
//
//     max_pool, kernel 2        where(x[1::2] > x[0::2], x[1::2], x[0::2])
//
// The way back is written from the input's side, where each element asks the few windows that saw
// it: nothing is added to memory, so that threads do not meet. Large windows are reductions, and
// products with the matrix of what they see.
#pragma once

#include <vector>

#include "ops/op.h"

namespace glint::ops {

std::vector<OpValue> max_pool_steps(OpBuilder& b, OpArguments arguments);
/// (gradient, indices, size, the windows)
std::vector<OpValue> max_pool_of_input_steps(OpBuilder& b, OpArguments arguments);
std::vector<OpValue> window_sum_steps(OpBuilder& b, OpArguments arguments);
/// (gradient, size, the windows): one dimension after the other, as a sum over a box is a sum of
/// sums.
std::vector<OpValue> window_sum_of_input_steps(OpBuilder& b, OpArguments arguments);

}  // namespace glint::ops
