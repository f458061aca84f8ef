// Removes calls and constants that no output depends on. Parameters stay, and so do random draws:
// without them later numbers would differ.
//
//     %a = relu %x      used by nothing        ->   (gone)
//     %b = exp %x       returned                    %b = exp %x
#pragma once

#include "ir/graph.h"

namespace glint::passes {

Graph remove_dead_code(const Graph& graph);

}  // namespace glint::passes
