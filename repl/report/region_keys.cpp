#include "repl/report/region_keys.h"

#include <algorithm>
#include <set>

#include "backends/statement_margin.h"

namespace glint::report {
namespace {

/// The nodes of the graphs behind the captured one.
class LaterNodes {
 public:
  LaterNodes(const Graph& captured, uint32_t region, Links& links)
      : captured_(captured), region_(region), links_(links) {
    for (const Node& node : captured.nodes) captured_names_.insert(node.name);
  }

  void add(const Graph& graph) {
    std::set<std::string_view> left;
    for (const Node& node : graph.nodes) left.insert(node.name);
    std::vector<const Node*> gone;
    for (const Node& node : captured_.nodes)
      if (!left.contains(node.name)) gone.push_back(&node);
    for (const Node& node : graph.nodes) {
      const KeyId key = links_.node(region_, node.name);
      const bool is_new = !captured_names_.contains(node.name);
      if (is_new && !node.composite_node.empty())
        links_.add_from(key, links_.known_node(region_, node.composite_node));
      for (const Node* each : gone)
        if (shares_place(node, *each)) links_.add_from(key, links_.known_node(region_, each->name));
      if (is_new && links_.keys()[key].from.empty())
        for (KeyId place : links_.spans(node.origins)) links_.add_from(key, place);
    }
  }

 private:
  static bool shares_place(const Node& node, const Node& gone) {
    return gone.kind == NodeKind::kCall && !gone.origins.empty() &&
           std::ranges::find(node.origins, gone.origins.front()) != node.origins.end();
  }

  const Graph& captured_;
  uint32_t region_;
  Links& links_;
  std::set<std::string_view> captured_names_;
};

void name_kernels(const Schedule& schedule, uint32_t region, Links& links) {
  for (const Kernel& kernel : schedule.kernels) {
    const KeyId whole = links.kernel(region, kernel.name);
    for (const KernelOrigin& origin : kernel.origins)
      links.add_from(whole, links.known_node(region, origin.node));
    for (uint32_t i = 0; i < kernel.statements.size(); ++i) {
      const KeyId statement = links.statement(region, kernel.name, i);
      const KernelOrigin* origin = origin_of(kernel, i);
      if (origin == nullptr) continue;
      const KeyId node = links.known_node(region, origin->node);
      links.add_from(statement, node);
      if (node != kNone) continue;
      for (KeyId place : links.spans(origin->spans)) links.add_from(statement, place);
    }
  }
}

}  // namespace

const Schedule* RegionValues::schedule() const {
  if (!log) return nullptr;
  for (auto record = log->passes.rbegin(); record != log->passes.rend(); ++record)
    if (record->schedule) return record->schedule.get();
  return nullptr;
}

std::vector<std::string> RegionValues::kernel_names() const {
  std::vector<std::string> names;
  if (const Schedule* made = schedule())
    for (const Kernel& kernel : made->kernels) names.push_back(kernel.name);
  return names;
}

void name_region(const RegionValues& values, uint32_t region, Links& links) {
  const Graph* captured = values.captured();
  if (captured == nullptr) return;
  for (const Node& node : captured->nodes) {
    const KeyId key = links.node(region, node.name);
    for (KeyId place : links.spans(node.origins)) links.add_from(key, place);
  }
  if (!values.log) return;
  LaterNodes later(*captured, region, links);
  for (const passes::PassRecord& record : values.log->passes)
    if (record.graph) later.add(*record.graph);
  if (const Schedule* schedule = values.schedule()) name_kernels(*schedule, region, links);
}

}  // namespace glint::report
