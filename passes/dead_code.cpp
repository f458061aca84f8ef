#include "passes/dead_code.h"

#include "passes/operators.h"
#include "passes/rewriter.h"

namespace glint::passes {

Graph remove_dead_code(const Graph& graph) {
  std::vector<bool> live(graph.nodes.size(), false);
  for (Value output : graph.outputs) live[index(output.node)] = true;
  for (size_t i = graph.nodes.size(); i-- > 0;) {
    const Node& node = graph.nodes[i];
    if (node.kind == NodeKind::kCall && entry_of(node).effects.random) live[i] = true;
    if (!live[i]) continue;
    for (const NamedArgument& argument : node.arguments)
      for_each_value(argument.value, [&](const Value& value) { live[index(value.node)] = true; });
  }
  Rewriter rewriter(graph);
  for (size_t i = graph.parameter_count; i < graph.nodes.size(); ++i)
    if (live[i]) rewriter.copy(NodeId(i));
  return rewriter.finish();
}

}  // namespace glint::passes
