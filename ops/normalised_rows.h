// What the operators share that normalise rows or channels.
#pragma once

#include <fmt/format.h>

#include <algorithm>

#include "core/support/thread_pool.h"
#include "ops/layout.h"

namespace glint::ops {

inline void check_floating(const char* name, DType dtype) {
  if (!is_floating(dtype))
    throw OpError{"NotImplementedError",
                  fmt::format("\"{}\" not implemented for '{}'", name, scalar_type_name(dtype))};
}

/// The gradient of a result of its input's sizes has them too.
inline void check_gradient_sizes(OpBuilder& b, const OpValue& grad, const OpValue& input) {
  if (std::ranges::equal(b.sizes(grad), b.sizes(input), decide_equal)) return;
  throw OpError{"RuntimeError",
                fmt::format("a gradient of size {} does not fit an input of size {}",
                            ints_text(b.sizes(grad)), ints_text(b.sizes(input)))};
}

/// These results are laid out row by row, whatever the input's layout.
inline std::vector<OpValue> rows_of(OpBuilder& b, OpValue x) {
  return {b.type(x).strides.empty() ? x : b.call("copy", {x})};
}

/// Rows of the last dimension, over the threads.
template <class F>
void for_each_row(int64_t rows, int64_t length, F&& f) {
  parallel_for(0, rows, std::max<int64_t>(1, 8192 / std::max<int64_t>(length, 1)),
               [&](int64_t begin, int64_t end) {
                 for (int64_t row = begin; row < end; ++row) f(row);
               });
}

}  // namespace glint::ops
