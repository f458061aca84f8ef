// What a trace knows of a pending tensor: which node of its graph computes it.
//
//     y = x * 2        y is pending: value %mul, memory 1
//     z = y.view(-1)   value %view, the memory of y, a view of y by `view`
#pragma once

#include <cstdint>
#include <vector>

#include "ir/graph.h"
#include "ops/op.h"
#include "runtime/autograd/node.h"

namespace glint::capture {

/// How a view came to be.
struct ViewStep {
  const ops::OpEntry* entry = nullptr;
  std::vector<Argument> arguments;  ///< the first: the value that is seen
  uint32_t output = 0;              ///< of `split`: which of its views
  const TensorImpl* of =
      nullptr;  ///< the pending tensor that is seen; null: this is no view of one
};

/// What a pending tensor points at while its trace lives.
struct TracedTensor final : autograd::PendingRecord {
  uint64_t trace = 0;  ///< its number
  glint::Value value;
  /// Which memory it shows: a number of the trace's. Views have that of their base.
  uint32_t memory = 0;
  /// Of a view of a tensor from outside: that one.
  const TensorImpl* shown = nullptr;
  ViewStep step = {};
  /// Of `x.data`: x. Writes through it are counted apart, and no tape sees them.
  const TensorImpl* data_of = nullptr;
};

/// Of the trace that made the tensor; null where none did.
inline TracedTensor* record_of(const TensorImpl& tensor) {
  return static_cast<TracedTensor*>(tensor.traced.get());
}

/// Whether it is `x.data`, or a view of that.
inline bool is_counted_apart(const TracedTensor* record) {
  while (record && !record->data_of)
    record = record->step.of ? record_of(*record->step.of) : nullptr;
  return record != nullptr;
}

}  // namespace glint::capture
