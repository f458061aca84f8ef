// Pieces of Graph IR's text, for who shows a graph node by node.
#pragma once

#include <vector>

#include "core/support/stage_log.h"
#include "ir/graph.h"

namespace glint {

/// The line of each node behind the parameters, in aligned columns: `  %mul = multiply %x, 2 :
/// ...`.
std::vector<StageLine> node_lines(const Graph& graph);

}  // namespace glint
