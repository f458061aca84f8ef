// Graphs in other forms: the table that torch.fx prints, and Graphviz.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "passes/operators.h"
#include "passes/render.h"

namespace glint::passes {

namespace {

using Row = std::array<std::string, 5>;

/// Python's spelling of an argument: nodes by name, tuples for positional arguments.
std::string python_text(const Graph& graph, const Argument& argument) {
  if (auto* value = argument.get_if<Value>()) {
    std::string text = graph[value->node].name;
    return value->output ? fmt::format("{}[{}]", text, value->output) : text;
  }
  if (auto* dtype = argument.get_if<DType>()) return fmt::format("torch.{}", dtype_name(*dtype));
  if (auto* text = argument.get_if<std::string>()) return "'" + *text + "'";
  if (argument.is_list()) {
    std::string text = "[";
    for (size_t i = 0; i < argument.list().size(); ++i)
      text += (i ? ", " : "") + python_text(graph, argument.list()[i]);
    return text + "]";
  }
  return argument_text(graph, argument);
}

std::string tuple_text(const std::vector<std::string>& items) {
  std::string text = "(";
  for (size_t i = 0; i < items.size(); ++i) text += (i ? ", " : "") + items[i];
  return text + (items.size() == 1 ? ",)" : ")");
}

Row call_row(const Graph& graph, const Node& node) {
  std::vector<std::string> positional;
  std::string named;
  for (const NamedArgument& argument : node.arguments) {
    std::string text = python_text(graph, argument.value);
    if (argument.name.empty())
      positional.push_back(std::move(text));
    else
      named += fmt::format("{}'{}': {}", named.empty() ? "" : ", ", argument.name.text(), text);
  }
  return {"call_function", node.name, node.target.text(), tuple_text(positional),
          "{" + named + "}"};
}

std::string escaped(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

}  // namespace

std::vector<StageLine> table_lines(const Graph& graph) {
  std::vector<Row> rows{{"opcode", "name", "target", "args", "kwargs"}};
  std::vector<const Node*> nodes{nullptr};
  for (const Node& node : graph.nodes) {
    nodes.push_back(&node);
    if (node.kind == NodeKind::kParameter)
      rows.push_back({"placeholder", node.name, node.name, "()", "{}"});
    else if (node.kind == NodeKind::kConstant)
      rows.push_back({"get_attr", node.name, node.name, "()", "{}"});
    else
      rows.push_back(call_row(graph, node));
  }
  std::vector<std::string> returned;
  for (Value output : graph.outputs) returned.push_back(python_text(graph, Argument(output)));
  rows.push_back({"output", "output", "output", "(" + tuple_text(returned) + ",)", "{}"});
  nodes.push_back(nullptr);

  std::array<size_t, 5> widths{};
  for (const Row& row : rows)
    for (size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  std::vector<StageLine> lines;
  for (size_t r = 0; r < rows.size(); ++r) {
    std::string text, rule;
    for (size_t c = 0; c < widths.size(); ++c) {
      text += fmt::format("{}{:<{}}", c ? "  " : "", rows[r][c], widths[c]);
      rule += (c ? "  " : "") + std::string(widths[c], '-');
    }
    text.erase(text.find_last_not_of(' ') + 1);
    lines.push_back({std::move(text), nodes[r] ? nodes[r]->origins : std::vector<Span>{}});
    if (r == 0) lines.push_back({std::move(rule), {}});
  }
  return lines;
}

std::string graph_dot(const Graph& graph, const std::vector<int>& group_of) {
  std::string text = fmt::format(
      "digraph {} {{\n  node [shape=box, fontname=\"monospace\", fontsize=10]\n", graph.name);
  int groups = 0;
  for (int group : group_of) groups = std::max(groups, group + 1);
  for (int group = 0; group < groups; ++group) {
    text += fmt::format("  subgraph cluster_{} {{ label=\"kernel {}\"", group, group);
    for (size_t i = 0; i < group_of.size(); ++i)
      if (group_of[i] == group) text += fmt::format("; \"{}\"", graph.nodes[i].name);
    text += " }\n";
  }
  for (const Node& node : graph.nodes) {
    std::string label = "%" + node.name;
    if (node.kind == NodeKind::kCall) label += " = " + node.target.text();
    label = escaped(label);
    if (!node.outputs.empty()) label += "\\n" + escaped(node.outputs.front().text());
    text += fmt::format("  \"{}\" [label=\"{}\"{}]\n", node.name, label,
                        node.kind == NodeKind::kCall ? "" : ", style=rounded");
  }
  for (const Node& node : graph.nodes)
    for (const NamedArgument& argument : node.arguments)
      for_each_value(argument.value, [&](const Value& value) {
        text += fmt::format("  \"{}\" -> \"{}\"\n", graph[value.node].name, node.name);
      });
  text += "  \"return\" [shape=plaintext]\n";
  for (Value output : graph.outputs)
    text += fmt::format("  \"{}\" -> \"return\"\n", graph[output.node].name);
  return text + "}\n";
}

}  // namespace glint::passes
