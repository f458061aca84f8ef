// What a region writes to tensors from outside: their values, in place, and their gradients.
//
//     w.sub_(0.1 * w.grad)     w has a new value: an output, which the region's end writes into w
//     loss.backward()          w.grad is set, here at once; later hits set it to an output
//
// Nothing is written into memory while the graph is traced. What is set at once is kept with what
// it was before, to be undone when the trace is taken back.
#pragma once

#include <unordered_set>
#include <utility>
#include <vector>

#include "core/tensor/tensor.h"
#include "ir/graph.h"
#include "runtime/capture/recipe.h"
#include "runtime/capture/traced_graph.h"

namespace glint::capture {

/// A tensor from outside that the region writes in place.
struct OutsideWrite {
  Tensor tensor;
  Value value;                  ///< what it holds now
  uint32_t count = 0;           ///< of writes that the tensor counts
  uint32_t version_before = 0;  ///< of the memory
};

class TensorWrites {
 public:
  explicit TensorWrites(TracedGraph& made) : made_(made) {}

  // ---- Values ----
  /// The tensor has that value from now on. Whether this is its first write. `counted`: as one of
  /// the tensor's own writes, not of its `.data`'s.
  bool write(const Tensor& tensor, Value value, bool counted);
  /// What was written to the tensor; null: nothing.
  const OutsideWrite* written(const Tensor& tensor) { return find(tensor); }
  /// Whether a tensor was written that has the memory of this one; and is not this one.
  bool shares_memory(const Tensor& tensor) const;
  /// Which outputs are written into which inputs (numbers of the graph's). Makes the values
  /// outputs.
  std::vector<InputUpdate> finish();

  // ---- Gradients ----
  /// The `grad` of a tensor, or that it is a leaf, is met for the first time, and to be guarded.
  bool meets_gradient(const Tensor& tensor) {
    return known_gradients_.insert(&tensor.impl()).second;
  }
  bool meets_leaf(const Tensor& tensor) { return known_leaves_.insert(&tensor.impl()).second; }
  /// The same, that a view was not written since it was made.
  bool meets_view(const Tensor& tensor) { return known_views_.insert(&tensor.impl()).second; }
  /// The `grad` of a tensor is about to be set.
  void keep_gradient(const Tensor& tensor);
  /// The tensors whose `grad` was set, each once, in order.
  std::vector<Tensor> set_gradients() const;
  /// The same, each with what it was before.
  const std::vector<std::pair<Tensor, Tensor>>& gradients_before() const {
    return gradients_before_;
  }

  bool empty() const { return gradients_before_.empty() && written_.empty(); }
  void undo();

 private:
  OutsideWrite* find(const Tensor& tensor);

  TracedGraph& made_;
  std::vector<OutsideWrite> written_;  ///< in the order of first writes
  std::vector<std::pair<Tensor, Tensor>> gradients_before_;
  std::unordered_set<const TensorImpl*> known_gradients_;
  std::unordered_set<const TensorImpl*> known_leaves_;
  std::unordered_set<const TensorImpl*> known_views_;
};

}  // namespace glint::capture
