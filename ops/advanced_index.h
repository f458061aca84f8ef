// What reading and writing by `x[i, j]` share: the one index into merged dimensions that it comes
// down to, and masks as the places of their true elements.
//
//     x[:, i, j] of sizes [a, b, c]      rows of [a, b * c] at i * c + j
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "ops/op.h"

namespace glint::ops {

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

/// `x[:, i]` with one vector i: the dimension, and its places counted from the start. Nothing for
/// other indices; throws where a place is out of range.
struct VectorIndex {
  int64_t dim = 0;
  Tensor places;
};
std::optional<VectorIndex> only_vector(const Tensor& x, const Argument::List& items);

/// `x[i, j] = values` where elements of x share memory, as a write of a vector: each place that the
/// indices name is a place in that memory, so that one behind the other writes, or adds.
struct MemoryWrite {
  Tensor memory, places, values;  ///< vectors
};
/// Of the arguments of `index_put`; nothing where no elements share memory, or values do not fit.
std::optional<MemoryWrite> write_of_memory(Arguments arguments);

/// The same items with each mask replaced by the integer tensors of its true places.
Argument::List without_masks(const Tensor& x, const Argument::List& items);

}  // namespace glint::ops
