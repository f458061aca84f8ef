#include "passes/common_subexpressions.h"

#include <algorithm>
#include <unordered_map>

#include "passes/memory_roots.h"
#include "passes/operators.h"
#include "passes/rewriter.h"

namespace glint::passes {

namespace {

/// What makes two calls equal, as text: operator, and arguments in terms of the new graph.
std::string call_key(const Graph& graph, const Node& node) {
  std::string key = node.target.text();
  for (const NamedArgument& argument : node.arguments) {
    key += argument.name.empty() ? " " : " " + argument.name.text() + "=";
    key += argument_text(graph, argument.value);
  }
  return key;
}

bool has_effects(const Node& node) {
  const ops::Effects& effects = entry_of(node).effects;
  return effects.random || effects.mutates || effects.synchronises;
}

/// The nodes whose memory leaves the graph: as an output, or under a view that is one.
std::vector<bool> escaping_nodes(const Graph& graph) {
  MemoryRoots roots(graph);
  std::vector<bool> escapes(graph.nodes.size());
  for (const Value& output : graph.outputs) escapes[index(roots.root(output).node)] = true;
  return escapes;
}

}  // namespace

Graph merge_common_subexpressions(const Graph& graph) {
  Rewriter rewriter(graph);
  std::vector<bool> escapes = escaping_nodes(graph);
  std::unordered_map<std::string, std::pair<NodeId, size_t>> known;  // here, and in `graph`
  for (size_t i = graph.parameter_count; i < graph.nodes.size(); ++i) {
    const Node& node = graph.nodes[i];
    if (node.kind != NodeKind::kCall || has_effects(node)) {
      rewriter.copy(NodeId(i));
      continue;
    }
    Node mapped{.name = node.name, .target = node.target};
    for (const NamedArgument& argument : node.arguments)
      mapped.arguments.push_back({argument.name, rewriter.map(argument.value)});
    std::string key = call_key(rewriter.result(), mapped);
    auto found = known.find(key);
    if (found == known.end()) {
      NodeId copied = rewriter.copy(NodeId(i));
      known.emplace(std::move(key), std::pair(copied, i));
      continue;
    }
    auto [same, first] = found->second;
    // A write to one of two results must not show in the other.
    if (escapes[first] && escapes[i]) {
      rewriter.copy(NodeId(i));
      continue;
    }
    if (escapes[i]) escapes[first] = true;
    for (uint32_t output = 0; output < node.outputs.size(); ++output)
      rewriter.replace({NodeId(i), output}, {same, output});
    auto& origins = rewriter.result()[same].origins;
    for (const Span& span : node.origins)
      if (std::find(origins.begin(), origins.end(), span) == origins.end()) origins.push_back(span);
  }
  return rewriter.finish();
}

}  // namespace glint::passes
