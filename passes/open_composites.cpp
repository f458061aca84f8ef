#include "passes/open_composites.h"

#include <set>
#include <string>

#include "passes/common_subexpressions.h"
#include "passes/decompose.h"
#include "passes/operators.h"

namespace glint::passes {

namespace {

/// The composites of the forward with a reduction inside that calls of the backward read, and those
/// that these calls are inside of.
std::set<std::string> shared_inside(const Graph& whole) {
  std::set<std::string> reducing, shared;
  for (const Node& node : whole.nodes)
    if (!node.composite_node.empty() && entry_of(node).lowers_to<ops::Reduce>())
      reducing.insert(node.composite_node);
  for (const Node& reader : whole.nodes) {
    if (reader.phase != Phase::kBackward) continue;
    for (const NamedArgument& argument : reader.arguments)
      for_each_value(argument.value, [&](const Value& value) {
        const Node& read = whole[value.node];
        bool inside = read.phase == Phase::kForward && read.name != read.composite_node;
        if (!inside || !reducing.contains(read.composite_node)) return;
        shared.insert(read.composite_node);
        if (!reader.composite_node.empty()) shared.insert(reader.composite_node);
      });
  }
  return shared;
}

/// A view in the sizes of another tensor reads those sizes alone: where the graph says them, the
/// other tensor need not be saved for the backward to make that view again.
Graph with_sizes_named(Graph graph) {
  for (Node& node : graph.nodes) {
    const bool expands = node.target == Name("expand_as");
    if (!expands && node.target != Name("view_as")) continue;
    const TensorType& other = graph.type(node.arguments[1].value.tensor());
    const std::vector<SymInt> sizes(other.sizes.begin(), other.sizes.end());
    node.target = Name(expands ? "expand" : "view");
    node.arguments[1] = {Name("size"), Argument(sizes)};
  }
  return graph;
}

}  // namespace

Graph open_composites(const Graph& traced) {
  const Graph joint = with_sizes_named(traced);
  std::set<std::string> shared = shared_inside(merge_common_subexpressions(decompose(joint)));
  if (shared.empty()) return merge_common_subexpressions(joint);
  return merge_common_subexpressions(
      decompose(joint, [&](const Node& node) { return shared.contains(node.name); }));
}

}  // namespace glint::passes
