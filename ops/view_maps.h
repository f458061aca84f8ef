// The view maps (ir/view_map.h) of the view operators: from the input's type and the arguments to
// which element of the input each position of the view reads.
//
//     transpose_rule(f32[a, b], 0, 1)      base[0] = 1*d1, base[1] = 1*d0
//
// They throw OpError, in PyTorch's words, for what cannot be seen so.
#pragma once

#include "ops/op.h"

namespace glint::ops {

ViewMap permute_rule(const OpEntry& entry, InferArguments arguments);
ViewMap transpose_rule(const OpEntry& entry, InferArguments arguments);
ViewMap t_rule(const OpEntry& entry, InferArguments arguments);
ViewMap movedim_rule(const OpEntry& entry, InferArguments arguments);
ViewMap reshape_rule(const OpEntry& entry, InferArguments arguments);
ViewMap flatten_rule(const OpEntry& entry, InferArguments arguments);
ViewMap ravel_rule(const OpEntry& entry, InferArguments arguments);
ViewMap unflatten_rule(const OpEntry& entry, InferArguments arguments);
ViewMap squeeze_rule(const OpEntry& entry, InferArguments arguments);
ViewMap unsqueeze_rule(const OpEntry& entry, InferArguments arguments);
ViewMap expand_rule(const OpEntry& entry, InferArguments arguments);
ViewMap select_rule(const OpEntry& entry, InferArguments arguments);
ViewMap slice_rule(const OpEntry& entry, InferArguments arguments);
ViewMap narrow_rule(const OpEntry& entry, InferArguments arguments);
ViewMap diagonal_rule(const OpEntry& entry, InferArguments arguments);
ViewMap unfold_rule(const OpEntry& entry, InferArguments arguments);
ViewMap alias_rule(const OpEntry& entry, InferArguments arguments);
ViewMap expand_as_rule(const OpEntry& entry, InferArguments arguments);
ViewMap view_as_rule(const OpEntry& entry, InferArguments arguments);

/// Where a slice with Python's bounds begins, and how many positions it has.
struct SliceRange {
  SymInt start, length;
};
SliceRange slice_range(const InferArgument& start, const InferArgument& end, SymInt step,
                       SymInt size);

}  // namespace glint::ops
