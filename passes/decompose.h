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

#include "ir/graph.h"

namespace glint::passes {

Graph decompose(const Graph& graph);

}  // namespace glint::passes
