// Room for walks over deep trees.
//
//     with_room(nesting, [&] { result = lower(tree); });
//
// Trees are walked by functions that call themselves. The source bounds how deep, but a sum of
// 2,900 terms is a tree of 2,900 levels, and a caller may have used most of the stack already: such
// a walk gets a thread with a large stack for itself. Trees of ordinary depth are walked where one
// stands.
#pragma once

#include <cstddef>
#include <functional>

namespace glint::frontend {

/// Calls `walk`, which goes over something that nests `nesting` levels deep. Passes on what it
/// throws.
void with_room(size_t nesting, const std::function<void()>& walk);

}  // namespace glint::frontend
