// What reading and writing by index share: checked walks over an index tensor, and the one index
// into merged dimensions that `x[i, j]` comes down to.
//
//     x[:, i, j] of sizes [a, b, c]      rows of [a, b * c] at i * c + j
#pragma once

#include <fmt/format.h>

#include "ops/op.h"

namespace glint::ops {

void check_index_dtype(const char* name, DType dtype);

/// Calls `visit(offset in the shaped tensor, place in the index)` for each index, checked.
template <class F>
void for_each_index(const Tensor& index, int64_t dim, int64_t limit, IntSpan strides, F&& visit) {
  const int64_t* values = index.data<int64_t>();
  int64_t rank = index.rank();
  for (int64_t i = 0; i < index.numel(); ++i) {
    int64_t at = 0, rest = i;
    for (int64_t k = rank; k-- > 0;) {
      int64_t place = rest % index.size(k);
      rest /= index.size(k);
      if (k != dim) at += place * strides[size_t(k)];
    }
    int64_t value = values[i];
    if (value < 0 || value >= limit)
      throw OpError{"RuntimeError",
                    fmt::format("index {} is out of bounds for dimension {} with size {}", value,
                                dim, limit)};
    if (rank > 0) at += value * strides[size_t(dim)];
    visit(at, i);
  }
}

/// `x[i, j]` as one index into dimension `first` of x with the indexed dimensions merged.
struct MergedIndex {
  size_t first = 0;            ///< of the indexed dimensions
  std::vector<SymInt> merged;  ///< x's sizes with the indexed dimensions as one
  std::vector<SymInt> result;  ///< the sizes of `x[i, j]`
  OpValue flat;                ///< a vector
};
/// From None or an integer tensor a dimension; nothing if all are None. Throws where the indexed
/// dimensions are not neighbours.
std::optional<MergedIndex> merge_index(OpBuilder& b, std::span<const SymInt> sizes,
                                       const OpArgument::List& items);

/// Whether a mask is among the indices: how many places it names depends on its values. For `index`
/// and `index_put`, whose second argument is the indices.
bool takes_masks(InferArguments arguments);

/// The same items with each mask replaced by the integer tensors of its true places.
Argument::List without_masks(const Tensor& x, const Argument::List& items);

}  // namespace glint::ops
