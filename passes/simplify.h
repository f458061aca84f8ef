// Algebra on single calls: named rules, each a function that looks at one call and what it reads.
//
//     %a = multiply %x, 1.0           readers of %a read %x            rule multiply_by_one
//     %b = transpose %t, 0, 1         (%t = transpose %x, 0, 1) -> %x  rule transpose_twice
//
// A rule never changes a result's bits: no x * 0, no x + 0.0 (which turns -0.0 into 0.0), no
// reassociation. It fires only if the type stays the same, strides included. A returned view is
// left alone, since it is a tensor of its own. Nodes are looked at in order, so what a rule leaves
// is seen by the rules on its readers.
#pragma once

#include <vector>

#include "ir/graph.h"
#include "passes/pass_log.h"

namespace glint::passes {

Graph simplify(const Graph& graph, std::vector<RuleHit>& hits);

}  // namespace glint::passes
