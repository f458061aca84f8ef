#include "ir/graph.h"

#include <fmt/format.h>

#include "core/support/check.h"
#include "ir/text_cursor.h"

namespace glint {

const Argument* Node::find(std::string_view parameter) const {
  for (const NamedArgument& argument : arguments)
    if (argument.name == parameter) return &argument.value;
  return nullptr;
}

void Node::belong_with(const Node& other) {
  composite = other.composite;
  composite_node = other.composite_node;
  module = other.module;
  phase = other.phase;
  gradient_of = other.gradient_of;
}

size_t Graph::call_count() const {
  size_t count = 0;
  for (const Node& node : nodes) count += node.kind == NodeKind::kCall;
  return count;
}

std::string Graph::unique_name(std::string_view wanted) {
  std::string base(wanted.empty() ? "value" : wanted);
  auto [entry, added] = taken_.emplace(base, 1);
  if (added) return base;
  std::string candidate;
  do {
    candidate = fmt::format("{}_{}", base, entry->second++);
  } while (taken_.contains(candidate));
  taken_.emplace(candidate, 1);
  return candidate;
}

Value Graph::add_parameter(std::string_view wanted, TensorType type, std::vector<Span> origins) {
  check(parameter_count == nodes.size(), "parameters come before other nodes");
  Node node{.kind = NodeKind::kParameter, .name = unique_name(wanted)};
  node.outputs.push_back(std::move(type));
  node.origins = std::move(origins);
  nodes.push_back(std::move(node));
  return {NodeId(parameter_count++), 0};
}

Value Graph::add_constant(std::string_view wanted, TensorType type, std::vector<std::byte> data,
                          std::vector<Span> origins) {
  Node node{.kind = NodeKind::kConstant, .name = unique_name(wanted)};
  node.outputs.push_back(std::move(type));
  node.data = std::move(data);
  node.origins = std::move(origins);
  nodes.push_back(std::move(node));
  return {NodeId(nodes.size() - 1), 0};
}

NodeId Graph::add_call(std::string_view wanted, Name target, std::vector<NamedArgument> arguments,
                       std::vector<TensorType> types, std::vector<Span> origins) {
  Node node{.kind = NodeKind::kCall, .name = unique_name(wanted), .target = target};
  node.arguments = std::move(arguments);
  node.outputs = std::move(types);
  node.origins = std::move(origins);
  nodes.push_back(std::move(node));
  return NodeId(nodes.size() - 1);
}

void Graph::reserve_name(std::string_view kept) {
  taken_.emplace(kept, 1);
}

std::string Graph::text(Value value) const {
  const std::string& base = (*this)[value.node].name;
  return value.output == 0 ? "%" + base : fmt::format("%{}.{}", base, value.output);
}

std::vector<std::vector<NodeId>> find_uses(const Graph& graph) {
  std::vector<std::vector<NodeId>> uses(graph.nodes.size());
  for (size_t user = 0; user < graph.nodes.size(); ++user) {
    for (const NamedArgument& argument : graph.nodes[user].arguments) {
      for_each_value(argument.value, [&](const Value& value) {
        std::vector<NodeId>& list = uses[index(value.node)];
        if (list.empty() || list.back() != NodeId(user)) list.push_back(NodeId(user));
      });
    }
  }
  return uses;
}

namespace {

bool same_argument(const Argument& a, const Argument& b) {
  if (a.value.index() != b.value.index()) return false;
  if (a.is_list()) {
    if (a.list().size() != b.list().size()) return false;
    for (size_t i = 0; i < a.list().size(); ++i)
      if (!same_argument(a.list()[i], b.list()[i])) return false;
    return true;
  }
  // NaN is the same argument as NaN.
  if (const double* x = a.get_if<double>())
    return number_text(*x) == number_text(*b.get_if<double>());
  return a == b;
}

bool same_node(const Node& a, const Node& b) {
  if (a.kind != b.kind || a.name != b.name || a.target != b.target || a.outputs != b.outputs ||
      a.phase != b.phase || a.data != b.data || a.arguments.size() != b.arguments.size())
    return false;
  // A parameter's origins are not part of the text.
  if (a.kind != NodeKind::kParameter && !same_origins(a.origins, b.origins)) return false;
  for (size_t i = 0; i < a.arguments.size(); ++i)
    if (a.arguments[i].name != b.arguments[i].name ||
        !same_argument(a.arguments[i].value, b.arguments[i].value))
      return false;
  return true;
}

}  // namespace

std::string_view phase_name(Phase phase) {
  constexpr std::string_view kNames[] = {"forward", "backward", "update"};
  return kNames[static_cast<size_t>(phase)];
}

bool same_graph(const Graph& a, const Graph& b) {
  if (a.name != b.name || a.parameter_count != b.parameter_count || a.outputs != b.outputs ||
      a.nodes.size() != b.nodes.size() || a.sizes != b.sizes)
    return false;
  for (size_t i = 0; i < a.nodes.size(); ++i)
    if (!same_node(a.nodes[i], b.nodes[i])) return false;
  return true;
}

}  // namespace glint
