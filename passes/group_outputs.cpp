#include "passes/group_outputs.h"

#include <algorithm>
#include <utility>

namespace glint::passes {

namespace {

/// The outputs of each node that readers outside its group need.
using Wanted = std::vector<std::vector<uint32_t>>;

/// The group `reader` needs this value.
void demand(const Graph& graph, const FusionPlan& plan, Value value, int reader, Wanted& wanted) {
  const Value root = trace(graph, plan.facts, value).root;
  const NodeFacts& made_by = plan.facts[index(root.node)];
  if (made_by.node_class == NodeClass::kGiven) return;
  if (plan.is_inlined(root.node)) {
    for (Value operand : made_by.operands) demand(graph, plan, operand, reader, wanted);
    return;
  }
  if (plan.group_of[index(root.node)] == reader) return;
  auto& outputs = wanted[index(root.node)];
  if (std::ranges::find(outputs, root.output) == outputs.end()) outputs.push_back(root.output);
}

Wanted find_wanted(const Graph& graph, const FusionPlan& plan) {
  Wanted wanted(graph.nodes.size());
  for (const Group& each : plan.groups)
    for (const Member& member : each.members)
      for (Value operand : plan.facts[index(member.node)].operands)
        demand(graph, plan, operand, plan.group_of[index(member.node)], wanted);
  for (Value output : graph.outputs) demand(graph, plan, output, -1, wanted);
  for (auto& outputs : wanted) std::ranges::sort(outputs);
  return wanted;
}

void compact(FusionPlan& plan) {
  std::vector<Group> kept;
  for (Group& each : plan.groups) {
    const bool needed = !each.members.empty() && !each.outputs.empty();
    for (const Member& member : each.members)
      plan.group_of[index(member.node)] = needed ? static_cast<int>(kept.size()) : -1;
    if (needed) kept.push_back(std::move(each));
  }
  plan.groups = std::move(kept);
}

}  // namespace

void collect_outputs(const Graph& graph, FusionPlan& plan) {
  const Wanted wanted = find_wanted(graph, plan);
  for (Group& each : plan.groups)
    for (const Member& member : each.members) {
      const auto& outputs = wanted[index(member.node)];
      for (uint32_t output : outputs) each.outputs.push_back({member.node, output});
      // A random draw is made even if nobody looks at it.
      if (outputs.empty() && each.kind == GroupKind::kLibrary)
        each.outputs.push_back({member.node, 0});
    }
  compact(plan);
}

}  // namespace glint::passes
