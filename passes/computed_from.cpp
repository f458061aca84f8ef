#include "passes/computed_from.h"

namespace glint::passes {

// Nodes stand behind what they are computed from, so that one walk from the last on is enough.
void mark_computed_from(const Graph& graph, std::vector<bool>& nodes) {
  for (size_t i = nodes.size(); i-- > 0;) {
    if (!nodes[i]) continue;
    for (const NamedArgument& argument : graph.nodes[i].arguments)
      for_each_value(argument.value, [&](const Value& each) { nodes[index(each.node)] = true; });
  }
}

}  // namespace glint::passes
