// Computes equal calls once. Two calls are equal if operator and arguments are; random draws and
// calls with effects never are.
//
//     %a = exp %x        %b = exp %x        ->   %a = exp %x, and readers of %b read %a
//
// The kept node gets the origins of both. Two results that both leave the graph stay two, for a
// write to one must not show in the other.
#pragma once

#include "ir/graph.h"

namespace glint::passes {

Graph merge_common_subexpressions(const Graph& graph);

}  // namespace glint::passes
