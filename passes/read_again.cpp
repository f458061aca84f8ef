#include "passes/read_again.h"

#include <algorithm>

namespace glint::passes {
namespace {

/// The cost (`cost_of`) of what is made again, at most: about what a store takes.
constexpr int kMostCost = 4;
constexpr size_t kMostReaders = 4;

/// What a value is made of.
struct Making {
  std::vector<NodeId> nodes;    ///< of its own group, itself included
  std::vector<NodeId> sources;  ///< tensors of as many elements
  int cost = 0;
};

class Reading {
 public:
  Reading(const Graph& graph, FusionPlan& plan, std::vector<FusionDecision>& decisions,
          bool on_device)
      : graph_(graph), plan_(plan), decisions_(decisions), on_device_(on_device) {}

  void run() {
    find_readers();
    for (size_t i = 0; i < graph_.nodes.size(); ++i) consider(NodeId(i));
  }

 private:
  const NodeFacts& facts(NodeId id) const { return plan_.facts[index(id)]; }
  int group_of(NodeId id) const { return plan_.group_of[index(id)]; }
  const TensorType& type(NodeId id) const { return graph_[id].outputs.front(); }
  NodeId root_of(Value value) const { return trace(graph_, plan_.facts, value).root.node; }

  void find_readers() {
    readers_.resize(graph_.nodes.size());
    is_output_.assign(graph_.nodes.size(), false);
    for (size_t i = 0; i < graph_.nodes.size(); ++i) {
      if (facts(NodeId(i)).node_class == NodeClass::kView) continue;
      for (Value operand : facts(NodeId(i)).operands)
        readers_[index(root_of(operand))].push_back(NodeId(i));
    }
    for (Value output : graph_.outputs) is_output_[index(root_of(output))] = true;
  }

  void consider(NodeId id) {
    const int own = group_of(id);
    if (own < 0 || is_output_[index(id)]) return;
    std::vector<NodeId> others;
    for (NodeId reader : readers_[index(id)])
      if (group_of(reader) != own) others.push_back(reader);
    if (others.empty() || others.size() > kMostReaders) return;
    Making making;
    if (!add(id, own, making) || making.cost > kMostCost) return;
    // As many loads as before; of one reader, what the store took may be one more.
    const int most_new = others.size() == 1 ? 2 : 1;
    const auto can = [&](NodeId reader) { return may_make(reader, id, making, most_new); };
    if (!std::ranges::all_of(others, can)) return;
    for (NodeId node : making.nodes) {
      std::erase_if(plan_.groups[static_cast<size_t>(own)].members,
                    [&](const Member& member) { return member.node == node; });
      plan_.group_of[index(node)] = -1;
      decisions_.push_back({node, others.front(), true, FusionReason::kRecomputed, {}});
    }
  }

  /// Adds a node of the group, and those of the group that it is made of; false if it is made of
  /// anything but light arithmetic on tensors that lie in memory in any case.
  bool add(NodeId id, int own, Making& making) const {
    if (std::ranges::find(making.nodes, id) != making.nodes.end()) return true;
    if (facts(id).node_class != NodeClass::kPointwise || may_fail(graph_, plan_.facts, id))
      return false;
    making.nodes.push_back(id);
    making.cost += cost_of(facts(id));
    return std::ranges::all_of(facts(id).operands, [&](Value operand) {
      const NodeId root = root_of(operand);
      if (group_of(root) != own) return add_source(operand, id, making);
      const bool is_private = !is_output_[index(root)] && root == operand.node &&
                              type(root).sizes == type(id).sizes && has_readers_in(root, own);
      return is_private && add(root, own, making);
    });
  }

  bool has_readers_in(NodeId id, int own) const {
    return std::ranges::all_of(readers_[index(id)],
                               [&](NodeId reader) { return group_of(reader) == own; });
  }

  /// A tensor as large as the node is read as it lies; a smaller one, however often, hardly counts.
  bool add_source(Value operand, NodeId by, Making& making) const {
    const NodeId root = root_of(operand);
    if (plan_.is_inlined(root)) return facts(root).operands.empty();
    if (type(root).numel() != type(by).numel()) {
      const auto few = known_less_equal(graph_.type(operand).numel() * 8, type(by).numel());
      return few == true && type(root).numel() == graph_.type(operand).numel();
    }
    const bool lies_anyway = facts(root).node_class == NodeClass::kGiven ||
                             is_output_[index(root)] || readers_[index(root)].size() > 1;
    if (!lies_anyway || !is_as_it_lies(operand) || graph_.type(operand).sizes != type(by).sizes ||
        dtype_size(type(root).dtype) > dtype_size(type(by).dtype)) {
      return false;
    }
    if (std::ranges::find(making.sources, root) == making.sources.end())
      making.sources.push_back(root);
    return true;
  }

  /// Whether no view lies between a value and its memory, but for those that name its dimensions
  /// otherwise.
  bool is_as_it_lies(Value value) const {
    if (facts(value.node).node_class != NodeClass::kView) return true;
    for (; facts(value.node).node_class == NodeClass::kView;
         value = facts(value.node).operands.front()) {
      if (!facts(value.node).view->same_elements) return false;
    }
    return graph_.type(value).contiguous();
  }

  /// Whether a node of another kernel may make `id` itself: it reads each element as it lies, and
  /// of what it reads instead, its kernel reads all but `most_new` tensors in any case.
  bool may_make(NodeId reader, NodeId id, const Making& making, int most_new) const {
    const int by = group_of(reader);
    if (by < 0) return false;
    const Group& group = plan_.groups[static_cast<size_t>(by)];
    if (group.kind != GroupKind::kKernel) return false;
    // On a device rows are held in registers: their loops load what lies there, and nothing else.
    if (on_device_ && std::ranges::any_of(group.axes, &GroupAxis::inner)) return false;
    const NodeClass how = facts(reader).node_class;
    const bool walks = (how == NodeClass::kPointwise && type(reader).sizes == type(id).sizes) ||
                       how == NodeClass::kReduce || how == NodeClass::kScan;
    const auto& operands = facts(reader).operands;
    if (!walks || std::ranges::any_of(operands, [&](Value operand) {
          return root_of(operand) == id && operand.node != id;
        })) {
      return false;
    }
    const auto is_new = [&](NodeId source) {
      return std::ranges::none_of(readers_[index(source)],
                                  [&](NodeId each) { return group_of(each) == by; });
    };
    return std::ranges::count_if(making.sources, is_new) <= most_new;
  }

  const Graph& graph_;
  FusionPlan& plan_;
  std::vector<FusionDecision>& decisions_;
  bool on_device_;
  std::vector<std::vector<NodeId>> readers_;
  std::vector<bool> is_output_;
};

}  // namespace

void read_again(const Graph& graph, FusionPlan& plan, std::vector<FusionDecision>& decisions,
                bool on_device) {
  Reading(graph, plan, decisions, on_device).run();
}

}  // namespace glint::passes
