// Which results of an operator are, or show the memory of, the tensors it is given.
//
//     sharing(slice, {f32[8], 0, 2, 6})     {kView, 0}      a new tensor on the memory of input 0
//     sharing(to, {f32[8], f32})            {kSame, 0}      there is nothing to do: the input
//     itself sharing(chunk, {f32[8], 2})           {kView, 0}, {kView, 0} sharing(add, {f32[8], 1})
//     {kFresh}        memory of its own
//
// The answer follows from what the entry says anyway: a view's rule, a conversion's dtypes, and for
// composites from the decomposition, which is the text that eager execution runs; the table's tests
// hold it against what eager calls give. Capture asks it, since a write to one tensor shows in all
// that share its memory, and so do the passes, since an output must share memory with exactly those
// inputs and outputs that eager's shares it with.
#pragma once

#include <vector>

#include "ops/op.h"

namespace glint::ops {

/// What one result has of the arguments.
struct Sharing {
  enum class Kind : uint8_t {
    kFresh,  ///< nothing: memory of its own
    kView,   ///< a new tensor that shows an argument's memory
    kSame,   ///< an argument itself
  };
  Kind kind = Kind::kFresh;
  /// Which of the tensors among the arguments, those in lists included, in their order.
  size_t tensor = 0;
  bool operator==(const Sharing&) const = default;
};

/// One for each result. Throws OpError as `infer` does.
std::vector<Sharing> sharing(const OpEntry& entry, InferArguments arguments);

}  // namespace glint::ops
