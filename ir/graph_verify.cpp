// Checks a graph's invariants; graph.h lists them.
//
//     %y: a call names its operator      the node and the rule that it breaks, at its origin
#include <unordered_set>

#include <fmt/format.h>

#include "ir/graph.h"
#include "ir/text_cursor.h"

namespace glint {

namespace {

std::optional<Error> complain(const Node& node, std::string_view what) {
  return Error{fmt::format("%{}: {}", node.name, what),
               node.origins.empty() ? Span{} : node.origins.front()};
}

std::optional<Error> verify_type(const Node& node, const TensorType& type) {
  if (type.scalar && !type.sizes.empty()) return complain(node, "a number has no sizes");
  if (!type.strides.empty() && type.strides.size() != type.sizes.size())
    return complain(node, "a type has one stride for each size");
  for (SymInt size : type.sizes)
    if (size.is_constant() && size.constant() < 0) return complain(node, "a size is not negative");
  return std::nullopt;
}

std::optional<Error> verify_shape_of_node(const Node& node) {
  if (node.kind == NodeKind::kCall) {
    if (node.target.empty()) return complain(node, "a call names its operator");
    if (!node.data.empty()) return complain(node, "a call has no data");
    return std::nullopt;
  }
  if (!node.target.empty() || !node.arguments.empty())
    return complain(node, "only calls have a target and arguments");
  if (node.outputs.size() != 1) return complain(node, "it has one output");
  return std::nullopt;
}

std::optional<Error> verify_constant(const Node& node) {
  const TensorType& type = node.outputs.front();
  int64_t elements = 1;
  for (SymInt size : type.sizes) {
    if (!size.is_constant()) return complain(node, "a constant's sizes are plain integers");
    elements *= size.constant();
  }
  if (!type.contiguous()) return complain(node, "a constant is contiguous");
  if (node.data.size() != static_cast<size_t>(elements) * dtype_size(type.dtype))
    return complain(node, "a constant has one value for each element");
  return std::nullopt;
}

std::optional<Error> verify_arguments(const Graph& graph, size_t position) {
  const Node& node = graph.nodes[position];
  std::optional<Error> error;
  bool named = false;
  for (size_t i = 0; i < node.arguments.size(); ++i) {
    const NamedArgument& argument = node.arguments[i];
    if (argument.name.empty() && named)
      return complain(node, "a positional argument stands behind a named one");
    named |= !argument.name.empty();
    for (size_t j = 0; j < i && !argument.name.empty(); ++j)
      if (node.arguments[j].name == argument.name)
        return complain(node, fmt::format("`{}` is given twice", argument.name.text()));
    for_each_value(argument.value, [&](const Value& value) {
      if (error) return;
      if (index(value.node) >= position)
        error = complain(node, "it uses a value that does not stand before it");
      else if (value.output >= graph[value.node].outputs.size())
        error = complain(node, "it uses an output that does not exist");
    });
  }
  return error;
}

}  // namespace

std::optional<Error> verify_graph(const Graph& graph) {
  if (auto error = verify_size_facts(graph.sizes)) return error;
  std::unordered_set<std::string_view> names;
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& node = graph.nodes[i];
    if ((node.kind == NodeKind::kParameter) != (i < graph.parameter_count))
      return complain(node, "the parameters are exactly the first nodes");
    if (!is_word(node.name)) return complain(node, "a name is a word");
    if (!names.insert(node.name).second) return complain(node, "the name is taken");
    if (auto error = verify_shape_of_node(node)) return error;
    for (const TensorType& type : node.outputs)
      if (auto error = verify_type(node, type)) return error;
    if (node.kind == NodeKind::kConstant)
      if (auto error = verify_constant(node)) return error;
    if (auto error = verify_arguments(graph, i)) return error;
  }
  for (Value value : graph.outputs)
    if (index(value.node) >= graph.nodes.size() || value.output >= graph[value.node].outputs.size())
      return Error{"the graph returns a value that does not exist"};
  return std::nullopt;
}

}  // namespace glint
