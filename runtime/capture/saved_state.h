// What an object holds, put aside, so that it can be given back: how a trace takes its writes back,
// and how `:diverge` finds things as a region found them.
//
//     SavedState before = save_state(history);   [1, 2]
//     history.append(3)
//     restore_state(before);                     [1, 2] again: the same list, the same items
#pragma once

#include <vector>

#include "runtime/interpreter/object.h"

namespace glint::capture {

/// A list's items, a dict's or set's entries in their order, an instance's or function's own
/// attributes, what a cell holds. The object itself is kept alive.
struct SavedState {
  runtime::Value object = {};
  std::vector<runtime::Value> values = {};  ///< of a list, a cell, an instance with a shape
  runtime::Shape* shape = nullptr;
  Ref<runtime::ClassObject> shape_owner = {};  ///< keeps `shape` alive
  runtime::HashTable table = {};
  bool has_table = false;  ///< a function without attributes has none
};

/// Of a list, dict, set, instance, function or cell.
SavedState save_state(const runtime::Value& object);
void restore_state(const SavedState& saved);

}  // namespace glint::capture
