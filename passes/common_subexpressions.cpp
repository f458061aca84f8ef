#include "passes/common_subexpressions.h"

#include <algorithm>
#include <unordered_map>

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

}  // namespace

Graph merge_common_subexpressions(const Graph& graph) {
  Rewriter rewriter(graph);
  std::unordered_map<std::string, NodeId> known;
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
      known.emplace(std::move(key), rewriter.copy(NodeId(i)));
      continue;
    }
    for (uint32_t output = 0; output < node.outputs.size(); ++output)
      rewriter.replace({NodeId(i), output}, {found->second, output});
    auto& origins = rewriter.result()[found->second].origins;
    for (const Span& span : node.origins)
      if (std::find(origins.begin(), origins.end(), span) == origins.end()) origins.push_back(span);
  }
  return rewriter.finish();
}

}  // namespace glint::passes
