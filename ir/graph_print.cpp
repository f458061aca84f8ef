// Graph IR to text, in aligned columns: value, call, type, origins. In the graph of a training step
// a line stands where the calls of a phase begin: `forward:`, `backward:`, `update:`.
#include <algorithm>

#include <fmt/format.h>

#include "ir/argument_text.h"
#include "ir/constant_text.h"
#include "ir/graph.h"
#include "ir/graph_text.h"
#include "ir/text_cursor.h"

namespace glint {

std::string argument_text(const Graph& graph, const Argument& argument) {
  return argument_text(argument, [&](Value value) { return graph.text(value); });
}

namespace {

std::string call_text(const Graph& graph, const Node& node) {
  if (node.kind == NodeKind::kConstant)
    return "constant " + constant_text(node.outputs.front().dtype, node.data);
  return node.target.text() +
         arguments_text(node.arguments, [&](Value value) { return graph.text(value); });
}

std::string types_text(const std::vector<TensorType>& types) {
  std::string text;
  for (size_t i = 0; i < types.size(); ++i) text += (i ? ", " : "") + types[i].text();
  return text;
}

bool is_training(const Graph& graph) {
  return std::ranges::any_of(graph.nodes, [](const Node& node) {
    return node.kind == NodeKind::kCall && node.phase != Phase::kForward;
  });
}

std::string header_text(const Graph& graph) {
  std::string text = "graph " + graph.name + "(";
  for (uint32_t i = 0; i < graph.parameter_count; ++i) {
    const Node& node = graph.nodes[i];
    text += fmt::format("{}%{}: {}", i ? ", " : "", node.name, node.outputs.front().text());
  }
  text += ") -> ";
  std::vector<TensorType> types;
  for (Value value : graph.outputs) types.push_back(graph.type(value));
  text += types.size() == 1 ? types_text(types) : "(" + types_text(types) + ")";
  return text + " {";
}

}  // namespace

std::vector<StageLine> node_lines(const Graph& graph) {
  struct Row {
    std::string name, call, type;
    const Node* node;
  };
  std::vector<Row> rows;
  size_t name_width = 0, call_width = 0, type_width = 0;
  // A very long call does not push everybody's columns to the right.
  constexpr size_t kWidest = 60;
  auto widen = [](size_t& width, const std::string& text) {
    if (text.size() <= kWidest) width = std::max(width, text.size());
  };
  for (size_t i = graph.parameter_count; i < graph.nodes.size(); ++i) {
    const Node& node = graph.nodes[i];
    rows.push_back({"%" + node.name, call_text(graph, node), types_text(node.outputs), &node});
    widen(name_width, rows.back().name);
    widen(call_width, rows.back().call);
    widen(type_width, rows.back().type);
  }
  std::vector<StageLine> lines;
  for (const Row& row : rows) {
    std::string text = fmt::format("  {:<{}} = {:<{}}  {} ", row.name, name_width, row.call,
                                   call_width, row.type.empty() ? " " : ":");
    std::string origins = origins_text(row.node->origins);
    text += origins.empty() ? row.type : fmt::format("{:<{}}   {}", row.type, type_width, origins);
    lines.push_back({std::move(text), row.node->origins});
  }
  return lines;
}

std::vector<StageLine> graph_lines(const Graph& graph) {
  std::vector<StageLine> lines;
  lines.push_back({header_text(graph), {}});
  if (!graph.sizes.empty()) lines.push_back({"  where " + graph.sizes.text(), {}});
  std::optional<Phase> phase;
  if (!is_training(graph)) phase = Phase::kForward;
  std::vector<StageLine> nodes = node_lines(graph);
  for (size_t i = 0; i < nodes.size(); ++i) {
    const Node& node = graph.nodes[graph.parameter_count + i];
    if (node.kind == NodeKind::kCall && node.phase != phase) {
      phase = node.phase;
      lines.push_back({fmt::format("{}:", phase_name(*phase)), {}});
    }
    lines.push_back(std::move(nodes[i]));
  }
  std::string last = "  return";
  for (size_t i = 0; i < graph.outputs.size(); ++i)
    last += (i ? ", " : " ") + graph.text(graph.outputs[i]);
  lines.push_back({std::move(last), {}});
  lines.push_back({"}", {}});
  return lines;
}

std::string print(const Graph& graph) {
  std::string text;
  for (const StageLine& line : graph_lines(graph)) text += line.text + "\n";
  return text;
}

}  // namespace glint
