// Where the windows of pooling lie: what its operators and their eager loops share.
//
//     kernel 3, stride 2, before 1, after 1        places of 5 elements: [.01] [123] [34.]
//
// What is before and after the input belongs to windows without having a value. `after` is more
// than `before` where a last window may reach beyond the padding (`ceil_mode`).
#pragma once

#include <vector>

#include "ir/op_builder.h"
#include "ops/infer.h"
#include "ops/op.h"

namespace glint::ops {

/// One number for each of the input's last dimensions.
struct PoolingWindows {
  std::vector<int64_t> kernel, stride, before, after, dilation;

  size_t dims() const { return kernel.size(); }
  /// How far a window reaches in a dimension.
  int64_t reach(size_t i) const { return (kernel[i] - 1) * dilation[i] + 1; }
  int64_t elements() const {
    int64_t product = 1;
    for (const int64_t size : kernel) product *= size;
    return product;
  }
  SymInt places(const SymInt& size, size_t i) const {
    return floor_divide(size + (before[i] + after[i] - reach(i)), stride[i]) + 1;
  }
};

/// From the arguments that describe them, in the order above; the last may be left off.
template <class V>
PoolingWindows pooling_windows(std::span<const BasicArgument<V>> arguments) {
  const auto constants = [](const BasicArgument<V>& list) {
    std::vector<int64_t> made;
    for (const SymInt number : as_ints(list)) made.push_back(as_constant(BasicArgument<V>(number)));
    return made;
  };
  PoolingWindows made = {constants(arguments[0]),
                         constants(arguments[1]),
                         constants(arguments[2]),
                         constants(arguments[3]),
                         {}};
  made.dilation =
      arguments.size() > 4 ? constants(arguments[4]) : std::vector<int64_t>(made.kernel.size(), 1);
  return made;
}

/// The input's sizes, in which the last dimensions have a number for each window.
std::vector<SymInt> place_sizes(std::vector<SymInt> sizes, const PoolingWindows& windows);
/// The last dimensions as one.
std::vector<SymInt> with_last_dims_as_one(const std::vector<SymInt>& sizes, size_t dims);

/// Throws where the input has no room for a window.
void check_fits(OpBuilder& b, const OpValue& input, const PoolingWindows& windows);
/// Of a way back: throws unless there is a number for each window over an input of these sizes.
void check_numbers(OpBuilder& b, const OpValue& of_windows, const std::vector<SymInt>& sizes,
                   const PoolingWindows& windows);

}  // namespace glint::ops
