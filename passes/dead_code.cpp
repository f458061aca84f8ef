#include "passes/dead_code.h"

#include "passes/computed_from.h"
#include "passes/operators.h"
#include "passes/rewriter.h"

namespace glint::passes {

Graph remove_dead_code(const Graph& graph) {
  std::vector<bool> live(graph.nodes.size(), false);
  for (Value output : graph.outputs) live[index(output.node)] = true;
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& node = graph.nodes[i];
    if (node.kind == NodeKind::kCall && entry_of(node).effects.random) live[i] = true;
  }
  mark_computed_from(graph, live);
  Rewriter rewriter(graph);
  for (size_t i = graph.parameter_count; i < graph.nodes.size(); ++i)
    if (live[i]) rewriter.copy(NodeId(i));
  return rewriter.finish();
}

}  // namespace glint::passes
