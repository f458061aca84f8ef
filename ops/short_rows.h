// Rows of a few elements, as broadcasting leaves them: many are laid side by side in a small buffer
// before a loop runs over them, since calling one for each would cost more than what it computes.
//
//     x[64, 256, 4, 4] * w[1, 256, 1, 1]      16384 rows of 16 elements, one number of w for each
//     x[4096, 7] * w[7]                       4096 rows of 7 elements, the same of w for each
#pragma once

#include <span>

#include "core/tensor/strided_loop.h"
#include "ops/scalar/elementwise_kernels.h"

namespace glint::ops {

/// Runs a loop of two operands over a walk of (out, left, right). False, and nothing done, where
/// rows are long or the results have gaps.
bool run_short_rows(const StridedLoop& walk, std::span<const Tensor* const> operands,
                    scalar::BinaryLoop loop, int64_t grain);

}  // namespace glint::ops
