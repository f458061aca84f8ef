#include "ops/pooling_windows.h"

#include <fmt/format.h>

#include <algorithm>

#include "ops/layout.h"

namespace glint::ops {

namespace {

/// The callers word what is wrong with a script's numbers: this keeps loops within their memory.
void check_dims(size_t rank, const PoolingWindows& w) {
  const auto all = [&](const std::vector<int64_t>& numbers, int64_t least) {
    return numbers.size() == w.dims() &&
           std::ranges::all_of(numbers, [&](int64_t number) { return number >= least; });
  };
  const bool fits = w.dims() >= 1 && w.dims() <= 3 && rank >= w.dims() && all(w.kernel, 1) &&
                    all(w.stride, 1) && all(w.before, 0) && all(w.after, 0) && all(w.dilation, 1);
  if (!fits)
    throw OpError{"RuntimeError",
                  "pooling has windows over the last one to three dimensions, with a number for "
                  "each of them"};
}

}  // namespace

std::vector<SymInt> place_sizes(std::vector<SymInt> sizes, const PoolingWindows& w) {
  const size_t first = sizes.size() - w.dims();
  for (size_t i = 0; i < w.dims(); ++i) sizes[first + i] = w.places(sizes[first + i], i);
  return sizes;
}

std::vector<SymInt> with_last_dims_as_one(const std::vector<SymInt>& sizes, size_t dims) {
  std::vector<SymInt> made(sizes.begin(), sizes.end() - int64_t(dims));
  made.push_back(product(std::span(sizes).last(dims)));
  return made;
}

void check_fits(OpBuilder& b, const OpValue& x, const PoolingWindows& w) {
  const auto sizes = b.sizes(x);
  check_dims(sizes.size(), w);
  const size_t first = sizes.size() - w.dims();
  for (size_t i = 0; i < w.dims(); ++i)
    if (decide_less(sizes[first + i] + (w.before[i] + w.after[i]), w.reach(i)))
      throw OpError{"RuntimeError", "Kernel size can't be greater than actual input size"};
}

void check_numbers(OpBuilder& b, const OpValue& of_windows, const std::vector<SymInt>& sizes,
                   const PoolingWindows& w) {
  check_dims(sizes.size(), w);
  const auto given = b.sizes(of_windows), wanted = place_sizes(sizes, w);
  bool fits = given.size() == wanted.size();
  for (size_t i = 0; fits && i < given.size(); ++i) fits = decide_equal(given[i], wanted[i]);
  if (!fits)
    throw OpError{
        "RuntimeError",
        fmt::format("pooling's gradient has a number for each window: expected {}, but got "
                    "{}",
                    ints_text(wanted), ints_text(given))};
}

}  // namespace glint::ops
