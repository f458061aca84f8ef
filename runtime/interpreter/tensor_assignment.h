// `x[index] = value` where the index holds tensors, lists or masks.
//
//     y[y > 8] = -1           each place where the mask holds
//     y[[0, 2], [3, 0]] = 42  the places (0, 3) and (2, 0)
//
// The indexed leading dimensions become one, the index tensors one linear index into it, and
// `scatter_` along it writes the values; what is put on the tape is one `index_put_`.
#pragma once

#include <vector>

#include "runtime/interpreter/interpreter.h"

namespace glint::runtime {

/// `indices` has one entry a leading dimension of `view`: a tensor, None for "all", or undefined
/// for a further dimension of the mask before it. False if it raised.
bool assign_by_index(Interpreter& in, const Value& view, const std::vector<Value>& indices,
                     const Value& source);

/// Whether a mask has the sizes of the dimensions from `dim` on, which it indexes; raises if not.
bool mask_fits(Interpreter& in, const Value& view, size_t dim, const Value& mask);

/// Indices go where the indexed tensor is: the processor's are moved there. Raises where they are
/// on another device.
bool bring_indices(Interpreter& in, const Value& view, std::vector<Value>& indices);

/// Whether an operator on this tensor is a launch: it is on an accelerator, and nothing is traced.
bool is_launched(Interpreter& in, const Value& tensor);

/// Whether what happens to a value is put on the tape: grad mode is on, and it requires a gradient.
bool is_recorded(const Value& value);

/// Whether a value may be assigned to places of a tensor: a tensor or a number. Raises if not.
bool check_assignable(Interpreter& in, const Value& tensor, const Value& source);

/// What is assigned may have more dimensions than its place: sizes of 1 in front are left out then.
/// Undefined if it raised.
Value without_leading_ones(Interpreter& in, const Value& source, size_t rank);

/// The places where a mask holds, one index tensor a dimension of it. They depend on the values, so
/// a trace ends here. False if it raised.
bool append_places(Interpreter& in, const Value& mask, std::vector<Value>& out);

}  // namespace glint::runtime
