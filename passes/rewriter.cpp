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
  }
}

NodeId Rewriter::copy(NodeId id) {
  const Node& node = source_[id];
  NodeId made;
  if (node.kind == NodeKind::kConstant) {
    made = result_.add_constant(node.name, node.outputs.front(), node.data, node.origins).node;
  } else {
    std::vector<NamedArgument> arguments;
    arguments.reserve(node.arguments.size());
    for (const NamedArgument& argument : node.arguments)
      arguments.push_back({argument.name, map(argument.value)});
    made =
        result_.add_call(node.name, node.target, std::move(arguments), node.outputs, node.origins);
  }
  result_[made].composite = node.composite;
  result_[made].composite_node = node.composite_node;
  result_[made].phase = node.phase;
  auto& values = mapped_[index(id)];
  values.clear();
  for (uint32_t i = 0; i < node.outputs.size(); ++i) values.push_back({made, i});
  return made;
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
