// Replaces composite operators by the operators that their entries are written with, until only
// primitives and library calls are left.
//
//     %y = softmax %x, dim=1      ->   %amax = amax %x, dim=[1], keepdim=True
//                                      %sub  = subtract %x, %amax
//                                      %exp  = exp %sub
//                                      %sum  = sum %exp, dim=[1], keepdim=True
//                                      %y    = divide %exp, %sum
//
// The new nodes have the origins of the node that they stand for; the last keeps its name.
#pragma once

#include <functional>

#include "ir/graph.h"

namespace glint::passes {

Graph decompose(const Graph& graph);
/// Only those nodes.
Graph decompose(const Graph& graph, const std::function<bool(const Node&)>& chosen);
/// All but those, which stay as they are also where another operator is written with them: a
/// transposed convolution becomes the convolution's gradient that a library computes. Empty: all.
Graph decompose_others(const Graph& graph, const std::function<bool(const Node&)>& stays_whole);

}  // namespace glint::passes
