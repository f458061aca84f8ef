#include "repl/report/drawing.h"

#include <fmt/format.h>

#include <algorithm>

#include "passes/memory_lives.h"

namespace glint::report {
namespace {

std::string types_text(const Node& node) {
  std::string text;
  for (const TensorType& type : node.outputs) text += (text.empty() ? "" : ", ") + type.text();
  return text;
}

std::string step_text(const Schedule& schedule, const Step& step) {
  if (const auto* launch = std::get_if<Launch>(&step.kind))
    return schedule.kernels[launch->kernel].name;
  return std::get<LibraryCall>(step.kind).target.text();
}

}  // namespace

Groups groups_of(const Schedule& schedule) {
  Groups made;
  std::vector<uint32_t> of_kernel(schedule.kernels.size(), kNone);
  for (const Step& step : schedule.steps) {
    const auto* launch = std::get_if<Launch>(&step.kind);
    if (launch != nullptr && of_kernel[launch->kernel] != kNone) continue;
    const auto group = static_cast<uint32_t>(made.groups.size());
    made.groups.push_back({step_text(schedule, step), launch == nullptr});
    if (launch == nullptr) {
      made.of_node.emplace(std::get<LibraryCall>(step.kind).node, group);
      continue;
    }
    of_kernel[launch->kernel] = group;
    for (const KernelOrigin& origin : schedule.kernels[launch->kernel].origins)
      made.of_node.emplace(origin.node, group);
  }
  return made;
}

Drawing draw_graph(std::string title, const Graph& graph, const Groups& groups, uint32_t region,
                   Links& links) {
  Drawing drawing{.title = std::move(title), .nodes = {}, .edges = {}, .groups = groups.groups};
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& node = graph.nodes[i];
    auto group = groups.of_node.find(node.name);
    drawing.nodes.push_back({.key = links.node(region, node.name),
                             .name = "%" + node.name,
                             .target = node.target.text(),
                             .type = types_text(node),
                             .group = group == groups.of_node.end() ? kNone : group->second,
                             .module = node.module});
    for (const NamedArgument& argument : node.arguments)
      for_each_value(argument.value, [&](const Value& value) {
        drawing.edges.push_back({static_cast<uint32_t>(index(value.node)), static_cast<uint32_t>(i),
                                 graph.type(value).text()});
      });
  }
  const auto end = static_cast<uint32_t>(drawing.nodes.size());
  drawing.nodes.push_back({.name = "return", .target = {}, .type = {}});
  for (const Value& output : graph.outputs)
    drawing.edges.push_back(
        {static_cast<uint32_t>(index(output.node)), end, graph.type(output).text()});
  return drawing;
}

MemoryPlan memory_plan(const Schedule& schedule, uint32_t region, Links& links) {
  MemoryPlan plan;
  for (const Step& step : schedule.steps) plan.steps.push_back(step_text(schedule, step));
  for (const Slot& slot : schedule.slots)
    plan.slots.push_back({.bytes = slot.bytes.text(),
                          .role = slot.input    ? "update"
                                  : slot.output ? "output"
                                                : "workspace",
                          .tenants = {}});
  const std::vector<passes::Life> lives = passes::find_lives(schedule);
  for (size_t i = 0; i < schedule.tensors.size(); ++i) {
    const ScheduleTensor& tensor = schedule.tensors[i];
    if (tensor.role != ScheduleTensor::Role::kSlot || lives[i].first > lives[i].last) continue;
    plan.slots[tensor.slot].tenants.push_back({.name = "%" + tensor.name,
                                               .key = links.known_node(region, tensor.name),
                                               .first = static_cast<uint32_t>(lives[i].first),
                                               .last = static_cast<uint32_t>(lives[i].last),
                                               .leaves = lives[i].leaves});
  }
  return plan;
}

}  // namespace glint::report
