// Stable sorting whose comparison may raise.
//
//     std::vector<size_t> order;
//     if (!sorted_order(in, keys, order)) return Value();     // an exception is pending
#pragma once

#include <vector>

#include "runtime/interpreter/builtins.h"

namespace glint::runtime {

/// The places of `keys` in ascending order; equal ones keep theirs. False if a comparison raised.
bool sorted_order(Interpreter& in, const std::vector<Value>& keys, std::vector<size_t>& order);

/// Sorts the items of a list in place, by `key` unless it is None. To be returned by a native: the
/// value is None, or the list for `sorted`.
Value sort_list(NativeCall& call, Ref<ListObject> list, const Value& key, bool reverse,
                bool give_list);

}  // namespace glint::runtime
