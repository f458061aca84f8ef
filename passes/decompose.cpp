#include "passes/decompose.h"

#include <fmt/format.h>

#include "core/support/check.h"
#include "passes/graph_builder.h"
#include "passes/operators.h"
#include "passes/rewriter.h"

namespace glint::passes {

namespace {

using NodePredicate = std::function<bool(const Node&)>;

/// How deep decompositions may contain one another.
constexpr int kDeepest = 16;

/// A builder whose calls are decomposed in turn, as they are made.
class DecomposingBuilder : public OpBuilder {
 public:
  DecomposingBuilder(Graph& graph, std::vector<Span> origins, const NodePredicate& stays_whole)
      : graph_(graph), appending_(graph, std::move(origins)), stays_whole_(stays_whole) {}

  TensorType type(const OpValue& value) override { return graph_.type(value.value); }

  std::vector<OpValue> call_all(std::string_view target, std::vector<OpArgument> positional,
                                std::vector<OpNamedArgument> named) override {
    const ops::OpEntry* entry = find_entry(Name(target));
    check(entry != nullptr, fmt::format("there is no operator `{}`", target));
    return expand(*entry, bind_arguments(*entry, std::move(positional), std::move(named)));
  }

  std::vector<OpValue> expand(const ops::OpEntry& entry, std::vector<OpArgument> bound) {
    check(depth_ < kDeepest, fmt::format("the decomposition of `{}` never ends", entry.name));
    std::vector<Argument> arguments;
    for (const OpArgument& argument : bound)
      arguments.push_back(
          convert_argument<Value>(argument, [](const OpValue& value) { return value.value; }));
    if (entry.decomposition && !stays_whole(entry, arguments)) {
      ++depth_;
      std::vector<OpValue> values = entry.decomposition(*this, bound);
      --depth_;
      if (!values.empty()) return values;
    }
    NodeId node = appending_.append(entry, std::move(arguments));
    std::vector<OpValue> outputs;
    for (uint32_t i = 0; i < graph_[node].outputs.size(); ++i)
      outputs.push_back(GraphBuilder::value({node, i}));
    return outputs;
  }

 private:
  /// Of a call that another one is written with.
  bool stays_whole(const ops::OpEntry& entry, const std::vector<Argument>& arguments) const {
    if (!stays_whole_ || depth_ == 0) return false;
    Node call;
    call.target = Name(entry.name);
    call.arguments = spell_arguments(entry, arguments);
    call.outputs = ops::infer(entry, infer_arguments(graph_, arguments));
    return stays_whole_(call);
  }

  Graph& graph_;
  GraphBuilder appending_;
  const NodePredicate& stays_whole_;
  int depth_ = 0;
};

/// `stays_whole` is asked of calls that others are written with.
Graph decompose(const Graph& graph, const NodePredicate& chosen, const NodePredicate& stays_whole) {
  Rewriter rewriter(graph);
  for (size_t i = graph.parameter_count; i < graph.nodes.size(); ++i) {
    const Node& node = graph.nodes[i];
    const ops::OpEntry* entry = node.kind == NodeKind::kCall ? &entry_of(node) : nullptr;
    if (!entry || !entry->decomposition || !chosen(node)) {
      rewriter.copy(NodeId(i));
      continue;
    }
    std::vector<OpArgument> bound;
    for (const Argument& argument : bound_arguments(node))
      bound.push_back(convert_argument<OpValue>(
          argument, [&](const Value& value) { return GraphBuilder::value(rewriter.map(value)); }));
    DecomposingBuilder builder(rewriter.result(), node.origins, stays_whole);
    size_t before = rewriter.result().nodes.size();
    std::vector<OpValue> values = builder.expand(*entry, std::move(bound));
    for (size_t added = before; added < rewriter.result().nodes.size(); ++added) {
      rewriter.result().nodes[added].belong_with(node);
      rewriter.result().nodes[added].composite = node.target;
      rewriter.result().nodes[added].composite_node = node.name;
    }
    check(values.size() == node.outputs.size(),
          fmt::format("the decomposition of `{}` gives another number of outputs", entry->name));
    for (uint32_t output = 0; output < values.size(); ++output)
      rewriter.replace({NodeId(i), output}, values[output].value);
    if (values.size() == 1 && index(values[0].value.node) >= before)
      rewriter.inherit_name(values[0].value.node, NodeId(i));
  }
  return rewriter.finish();
}

}  // namespace

Graph decompose(const Graph& graph) {
  return decompose(graph, [](const Node&) { return true; });
}

Graph decompose(const Graph& graph, const NodePredicate& chosen) {
  return decompose(graph, chosen, {});
}

Graph decompose_others(const Graph& graph, const NodePredicate& stays_whole) {
  const auto chosen = [&](const Node& node) { return !stays_whole || !stays_whole(node); };
  return decompose(graph, chosen, stays_whole);
}

}  // namespace glint::passes
