// Orders groups: each after what it reads, random draws among themselves as written, and otherwise
// by the place of the last member in the graph.
#include <algorithm>
#include <queue>

#include "core/support/check.h"
#include "passes/fuse.h"

namespace glint::passes {

namespace {

/// The groups that each group waits for.
class Dependencies {
 public:
  Dependencies(const FusionPlan& plan, const Graph& graph) : plan_(plan), graph_(graph) {
    readers_.resize(plan.groups.size());
    waiting_.assign(plan.groups.size(), 0);
    for (size_t i = 0; i < plan.groups.size(); ++i)
      for (const Member& member : plan.groups[i].members)
        for (Value operand : plan.facts[index(member.node)].operands)
          reads(static_cast<int>(i), operand);
    int last_random = -1;
    for (size_t node = 0; node < graph.nodes.size(); ++node) {
      const ops::OpEntry* entry = plan.facts[node].entry;
      int group = plan.group_of[node];
      if (!entry || !entry->effects.random || group < 0) continue;
      if (last_random >= 0 && last_random != group) waits(group, last_random);
      last_random = group;
    }
  }

  std::vector<int> sorted() {
    auto later = [&](int a, int b) { return last_node(a) > last_node(b); };
    std::priority_queue<int, std::vector<int>, decltype(later)> ready(later);
    for (size_t i = 0; i < waiting_.size(); ++i)
      if (waiting_[i] == 0) ready.push(static_cast<int>(i));
    std::vector<int> order;
    while (!ready.empty()) {
      int next = ready.top();
      ready.pop();
      order.push_back(next);
      for (int reader : readers_[static_cast<size_t>(next)])
        if (--waiting_[static_cast<size_t>(reader)] == 0) ready.push(reader);
    }
    check(order.size() == plan_.groups.size(), "the groups depend on one another in a circle");
    return order;
  }

 private:
  size_t last_node(int group) const {
    return index(plan_.groups[static_cast<size_t>(group)].members.back().node);
  }
  void waits(int group, int on) {
    auto& readers = readers_[static_cast<size_t>(on)];
    if (std::find(readers.begin(), readers.end(), group) != readers.end()) return;
    readers.push_back(group);
    ++waiting_[static_cast<size_t>(group)];
  }
  void reads(int group, Value value) {
    NodeId root = trace(graph_, plan_.facts, value).root.node;
    int from = plan_.group_of[index(root)];
    if (from >= 0 && from != group) waits(group, from);
    if (plan_.is_inlined(root))
      for (Value operand : plan_.facts[index(root)].operands) reads(group, operand);
  }

  const FusionPlan& plan_;
  const Graph& graph_;
  std::vector<std::vector<int>> readers_;
  std::vector<int> waiting_;
};

}  // namespace

void order(FusionPlan& plan, const Graph& graph) {
  std::vector<int> sorted = Dependencies(plan, graph).sorted();
  std::vector<Group> groups;
  for (int id : sorted) {
    for (const Member& member : plan.groups[static_cast<size_t>(id)].members)
      plan.group_of[index(member.node)] = static_cast<int>(groups.size());
    groups.push_back(std::move(plan.groups[static_cast<size_t>(id)]));
  }
  plan.groups = std::move(groups);
}

}  // namespace glint::passes
