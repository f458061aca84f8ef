#include "runtime/autograd/memory_order.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace glint::autograd {

std::vector<SymInt> storage_order(const Dims& strides) {
  std::vector<int64_t> order(strides.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, [&](int64_t a, int64_t b) {
    return strides[static_cast<size_t>(a)] > strides[static_cast<size_t>(b)];
  });
  return {order.begin(), order.end()};
}

OpValue to_memory_order(OpBuilder& b, OpValue gradient, const Dims& strides) {
  return b.call("contiguous", {b.permute(std::move(gradient), storage_order(strides))});
}

OpValue from_memory_order(OpBuilder& b, OpValue gradient, const Dims& strides) {
  std::vector<SymInt> order = storage_order(strides), back(order.size());
  for (size_t i = 0; i < order.size(); ++i)
    back[static_cast<size_t>(order[i].constant())] = static_cast<int64_t>(i);
  return b.permute(std::move(gradient), back);
}

}  // namespace glint::autograd
