#include "passes/drop_tangents.h"

#include <algorithm>
#include <optional>

#include "core/support/check.h"
#include "passes/graph_builder.h"
#include "passes/operators.h"

namespace glint::passes {

namespace {

class TangentDropper {
 public:
  TangentDropper(const Graph& graph, const std::vector<bool>& arrived)
      : graph_(graph), nothing_(graph.nodes.size(), false), mapped_(graph.nodes.size()) {
    find_nothing(arrived);
    find_live();
  }

  ReducedBackward run() {
    result_.graph.name = graph_.name;
    result_.graph.sizes = graph_.sizes;
    for (uint32_t i = 0; i < graph_.parameter_count; ++i)
      if (live_[i]) add_parameter(i);
    for (const Node& node : graph_.nodes) result_.graph.reserve_name(node.name);
    for (size_t i = graph_.parameter_count; i < graph_.nodes.size(); ++i)
      if (live_[i]) add_node(i);
    for (uint32_t i = 0; i < graph_.outputs.size(); ++i) {
      if (nothing_[index(graph_.outputs[i].node)]) continue;
      result_.gradients.push_back(i);
      result_.graph.outputs.push_back(map(graph_.outputs[i]));
    }
    return std::move(result_);
  }

 private:
  /// What depends on tangents, but on none that arrives.
  void find_nothing(const std::vector<bool>& arrived) {
    std::vector<bool> depends(graph_.nodes.size(), false), on_arrived = depends;
    const size_t first = graph_.parameter_count - arrived.size();
    for (size_t i = 0; i < graph_.nodes.size(); ++i) {
      if (i >= first && i < graph_.parameter_count) {
        depends[i] = true;
        on_arrived[i] = arrived[i - first];
      }
      for (const NamedArgument& argument : graph_.nodes[i].arguments)
        for_each_value(argument.value, [&](const Value& value) {
          if (depends[index(value.node)]) depends[i] = true;
          if (on_arrived[index(value.node)]) on_arrived[i] = true;
        });
      nothing_[i] = depends[i] && !on_arrived[i];
    }
  }

  void find_live() {
    live_.resize(graph_.nodes.size(), false);
    for (Value output : graph_.outputs) live_[index(output.node)] = true;
    for (size_t i = graph_.nodes.size(); i-- > 0;) {
      const Node& node = graph_.nodes[i];
      if (node.kind == NodeKind::kCall && entry_of(node).effects.random) live_[i] = true;
      if (nothing_[i]) live_[i] = false;
      if (!live_[i]) continue;
      for (const NamedArgument& argument : node.arguments)
        for_each_value(argument.value,
                       [&](const Value& value) { live_[index(value.node)] = true; });
    }
  }

  void add_parameter(uint32_t number) {
    const Node& node = graph_.nodes[number];
    result_.parameters.push_back(number);
    mapped_[number] = {result_.graph.add_parameter(node.name, node.outputs[0], node.origins)};
    result_.graph.nodes.back().module = node.module;
  }

  void add_node(size_t number) {
    const Node& node = graph_.nodes[number];
    if (std::optional<Value> rest = rest_of_sum(node)) {
      mapped_[number] = {*rest};
      return;
    }
    // The types anew: zeros need not lie in memory as what they stand for.
    NodeId made;
    if (node.kind == NodeKind::kConstant) {
      made = result_.graph.add_constant({}, node.outputs[0], node.data, node.origins).node;
    } else {
      std::vector<Argument> arguments;
      for (const Argument& argument : bound_arguments(node))
        arguments.push_back(convert_argument<Value>(
            argument, [&](const Value& value) { return operand(node, value); }));
      made = GraphBuilder(result_.graph, node.origins).append(entry_of(node), std::move(arguments));
    }
    Node& copied = result_.graph[made];
    copied.name = node.name;
    copied.belong_with(node);
    for (uint32_t i = 0; i < node.outputs.size(); ++i) mapped_[number].push_back({made, i});
  }

  /// Of a sum of two of which one is nothing, the other.
  std::optional<Value> rest_of_sum(const Node& node) {
    if (node.kind != NodeKind::kCall || node.target != Name("add") || node.arguments.size() != 2)
      return std::nullopt;
    const Value* left = node.arguments[0].value.get_if<Value>();
    const Value* right = node.arguments[1].value.get_if<Value>();
    if (!left || !right || nothing_[index(left->node)] == nothing_[index(right->node)])
      return std::nullopt;
    const Value& rest = nothing_[index(left->node)] ? *right : *left;
    return graph_.type(rest) == node.outputs[0] ? std::optional(map(rest)) : std::nullopt;
  }

  Value operand(const Node& reader, Value value) {
    if (!nothing_[index(value.node)]) return map(value);
    const TensorType& type = graph_.type(value);
    return GraphBuilder(result_.graph, reader.origins).full(type.sizes, 0, type.dtype).value;
  }

  Value map(Value value) const {
    const std::vector<Value>& values = mapped_[index(value.node)];
    check(value.output < values.size(), "what is read is there");
    return values[value.output];
  }

  const Graph& graph_;
  std::vector<bool> nothing_, live_;
  ReducedBackward result_;
  std::vector<std::vector<Value>> mapped_;
};

}  // namespace

ReducedBackward drop_tangents(const Graph& backward, const std::vector<bool>& arrived) {
  return TangentDropper(backward, arrived).run();
}

}  // namespace glint::passes
