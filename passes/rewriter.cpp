#include "passes/rewriter.h"

#include <fmt/format.h>

#include "core/support/check.h"
#include "passes/operators.h"

namespace glint::passes {

Rewriter::Rewriter(const Graph& graph) : source_(graph) {
  result_.name = graph.name;
  result_.nodes.reserve(graph.nodes.size());
  mapped_.resize(graph.nodes.size());
  for (uint32_t i = 0; i < graph.parameter_count; ++i) {
    const Node& node = graph.nodes[i];
    mapped_[i] = {result_.add_parameter(node.name, node.outputs.front(), node.origins)};
    result_.nodes.back().module = node.module;
  }
  for (const Node& node : graph.nodes) result_.reserve_name(node.name);
}

NodeId Rewriter::copy(NodeId id) {
  check(!has(id), "a node is copied once");
  Node node = source_[id];
  for (NamedArgument& argument : node.arguments) argument.value = map(argument.value);
  const NodeId made{static_cast<uint32_t>(result_.nodes.size())};
  for (uint32_t i = 0; i < node.outputs.size(); ++i) mapped_[index(id)].push_back({made, i});
  result_.nodes.push_back(std::move(node));
  return made;
}

void Rewriter::inherit_name(NodeId made, NodeId old_node) {
  result_[made].name = source_[old_node].name;
}

void Rewriter::replace(Value old_value, Value new_value) {
  auto& values = mapped_[index(old_value.node)];
  values.resize(source_[old_value.node].outputs.size());
  values[old_value.output] = new_value;
}

Value Rewriter::map(Value old_value) const {
  const auto& values = mapped_[index(old_value.node)];
  check(old_value.output < values.size(),
        fmt::format("{} was dropped but is still read", source_.text(old_value)));
  return values[old_value.output];
}

Argument Rewriter::map(const Argument& argument) const {
  return convert_argument<Value>(argument, [&](const Value& value) { return map(value); });
}

Graph Rewriter::finish() {
  for (Value output : source_.outputs) result_.outputs.push_back(map(output));
  return std::move(result_);
}

}  // namespace glint::passes
