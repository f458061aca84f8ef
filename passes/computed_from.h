// What nodes of a graph are computed from, directly or through others.
#pragma once

#include <vector>

#include "ir/graph.h"

namespace glint::passes {

/// Marks, beside the nodes that are marked, those that they are computed from; one element a node.
void mark_computed_from(const Graph& graph, std::vector<bool>& nodes);

}  // namespace glint::passes
