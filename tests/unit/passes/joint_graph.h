// Joint graphs for tests: a forward graph, written as text, with what its operators' gradient rules
// add, and the numbers that a graph computes.
//
//     Graph joint = joint_of(parse("graph f(%x: f32[8]) -> f32[8] { ... }"));
//     // graph f(%x: f32[8], %tangent: f32[8]) -> (f32[8], f32[8]) { ... }
#pragma once

#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include "core/support/check.h"
#include "ops/call.h"
#include "ops/gradient.h"
#include "passes/graph_builder.h"
#include "passes/operators.h"
#include "passes/partition.h"

namespace glint::tests {

inline Graph parse(std::string_view text) {
  auto graph = parse_graph(text);
  check(graph.ok(), graph.ok() ? "" : graph.error().message);
  return *graph;
}

/// Writes the gradients behind a copy of a forward graph, last node first.
class JointGraph {
 public:
  explicit JointGraph(const Graph& forward) : forward_(forward), builder_(joint_, {}) {
    joint_.name = forward.name;
    for (uint32_t i = 0; i < forward.parameter_count; ++i)
      joint_.add_parameter(forward.nodes[i].name, forward.nodes[i].outputs.front());
    uint32_t shift = static_cast<uint32_t>(forward.outputs.size());
    for (Value output : forward.outputs) joint_.add_parameter("tangent", forward.type(output));
    auto moved = [&](Value value) {
      if (index(value.node) >= forward.parameter_count)
        value.node = NodeId(static_cast<uint32_t>(index(value.node)) + shift);
      return value;
    };
    for (size_t i = forward.parameter_count; i < forward.nodes.size(); ++i) {
      Node node = forward.nodes[i];
      for (NamedArgument& argument : node.arguments)
        for_each_value(argument.value, [&](Value& value) { value = moved(value); });
      joint_.add_call(node.name, node.target, node.arguments, node.outputs, node.origins);
    }
    for (Value output : forward.outputs) joint_.outputs.push_back(moved(output));
    calls_end_ = joint_.nodes.size();
    gradients_.resize(calls_end_);
    for (size_t i = 0; i < calls_end_; ++i) gradients_[i].resize(joint_.nodes[i].outputs.size());
  }

  Graph run() {
    for (uint32_t i = 0; i < forward_.outputs.size(); ++i)
      add(joint_.outputs[i], {{}, {NodeId(forward_.parameter_count + i), 0}});
    for (size_t i = calls_end_; i-- > joint_.parameter_count;) differentiate(NodeId(i));
    for (uint32_t i = 0; i < forward_.parameter_count; ++i)
      if (gradients_[i][0] != OpValue{}) joint_.outputs.push_back(gradients_[i][0].value);
    return std::move(joint_);
  }

 private:
  void add(Value value, OpValue gradient) {
    OpValue& sum = gradients_[index(value.node)][value.output];
    sum = sum == OpValue{} ? gradient : builder_.add(sum, gradient);
  }

  void differentiate(NodeId id) {
    const std::vector<OpValue> arrived = gradients_[index(id)];
    bool any = false;
    for (const OpValue& gradient : arrived) any |= gradient != OpValue{};
    if (!any) return;
    const Node node = joint_[id];
    const ops::OpEntry& entry = passes::entry_of(node);
    if (!entry.differentiable) return;
    check(ops::has_gradients(entry), "the operator has gradient rules");
    std::vector<OpArgument> arguments;
    std::vector<TensorType> types;
    std::vector<OpValue> results;
    const std::vector<Argument> bound = passes::bound_arguments(node);
    for (const Argument& argument : bound) {
      arguments.push_back(passes::convert_argument<OpValue>(
          argument, [](const Value& value) { return passes::GraphBuilder::value(value); }));
      for_each_value(argument, [&](const Value& value) { types.push_back(joint_.type(value)); });
    }
    for (uint32_t i = 0; i < node.outputs.size(); ++i)
      results.push_back(passes::GraphBuilder::value({id, i}));
    const ops::GradientCall::Inputs inputs{arguments, types, results, node.outputs, arrived};
    ops::GradientCall call(builder_, entry, inputs);
    size_t place = 0;
    for (size_t i = 0; i < bound.size(); ++i) {
      const auto* rule = ops::find_gradient(entry, ops::signature(entry).parameters[i].name);
      call.part = 0;
      for_each_value(bound[i], [&](const Value& value) {
        const TensorType& type = types[place++];
        if (rule && is_floating(type.dtype))
          if (OpValue gradient = rule->rule(call); gradient != OpValue{})
            add(value, ops::fit_gradient(builder_, gradient, type));
        ++call.part;
      });
    }
  }

  const Graph& forward_;
  Graph joint_;
  passes::GraphBuilder builder_;
  size_t calls_end_ = 0;
  std::vector<std::vector<OpValue>> gradients_;  ///< by node and output; empty where none arrived
};

inline Graph joint_of(const Graph& forward) {
  return JointGraph(forward).run();
}

/// Runs a graph node by node.
inline std::vector<Tensor> run_graph(const Graph& graph, std::span<const Tensor> inputs,
                                     std::span<const int64_t> symbols) {
  std::vector<std::vector<Tensor>> values(graph.nodes.size());
  auto evaluated = [&](ops::Argument& argument) {
    if (auto* size = argument.get_if<SymInt>()) argument.value = SymInt(size->evaluate(symbols));
  };
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& node = graph.nodes[i];
    if (node.kind == NodeKind::kParameter) {
      values[i] = {inputs[i]};
      continue;
    }
    check(node.kind == NodeKind::kCall, "these graphs have no constants");
    std::vector<ops::Argument> arguments;
    for (const Argument& argument : passes::bound_arguments(node)) {
      auto given = passes::convert_argument<Tensor>(
          argument, [&](const Value& value) { return values[index(value.node)][value.output]; });
      evaluated(given);
      if (auto* list = std::get_if<ops::Argument::List>(&given.value))
        for (ops::Argument& item : *list) evaluated(item);
      arguments.push_back(std::move(given));
    }
    values[i] = ops::call_eager(passes::entry_of(node), arguments).to_vector();
  }
  std::vector<Tensor> outputs;
  for (Value output : graph.outputs) outputs.push_back(values[index(output.node)][output.output]);
  return outputs;
}

/// The outputs and gradients by way of the two parts.
inline std::vector<Tensor> run_parts(const passes::Partition& cut, std::span<const Tensor> inputs,
                                     std::span<const int64_t> symbols) {
  const size_t input_count = inputs.size() - cut.shape.tangents;
  std::vector<Tensor> outputs = run_graph(cut.forward, inputs.first(input_count), symbols);
  std::vector<Tensor> given;
  for (const passes::SavedValue& saved : cut.saved)
    given.push_back(saved.is_input ? inputs[saved.index] : outputs[saved.index]);
  given.insert(given.end(), inputs.begin() + static_cast<long>(input_count), inputs.end());
  outputs.resize(cut.shape.outputs);
  for (Tensor& gradient : run_graph(cut.backward, given, symbols))
    outputs.push_back(std::move(gradient));
  return outputs;
}

}  // namespace glint::tests
