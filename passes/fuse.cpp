// The algorithm:
//   1. Walk the nodes in order. Each node that does work begins a group of its own; then it is
//      merged with the group of each of its producers in turn, where that is possible
//      (fuse_spaces.h) and closes no cycle between groups.
//   2. Merge siblings: groups over the same axes that read the same tensor; small ones that are not
//      alike also if it is but a number or a fill (batch_launches.h does the alike).
//   3. Take nodes out of their groups that readers compute again for less than a store and a load
//      (recompute.h), or from what these were made of, for less than a store (read_again.h).
//   4. Collect what each group has to store.
// Every pair that was looked at leaves a decision. The cost is linear in the edges, times the
// number of groups / 64 for the ancestor sets that find cycles.
#include "passes/fuse.h"

#include <algorithm>
#include <map>

#include "passes/fuse_spaces.h"
#include "passes/group_outputs.h"
#include "passes/group_relations.h"
#include "passes/read_again.h"
#include "passes/recompute.h"

namespace glint::passes {

bool Group::is_full(const Member& member) const {
  auto used = static_cast<size_t>(
      std::count_if(member.axes.begin(), member.axes.end(), [](int axis) { return axis >= 0; }));
  return used == axes.size();
}

bool FusionPlan::is_inlined(NodeId node) const {
  if (group_of[index(node)] >= 0) return false;
  NodeClass node_class = facts[index(node)].node_class;
  return node_class != NodeClass::kGiven && node_class != NodeClass::kView;
}

namespace {

class Fuser {
 public:
  Fuser(const Graph& graph, std::vector<FusionDecision>& decisions, bool on_device)
      : graph_(graph), decisions_(decisions), on_device_(on_device) {
    plan_.facts = find_facts(graph);
    plan_.group_of.assign(graph.nodes.size(), -1);
  }

  FusionPlan run() {
    for (size_t i = 0; i < graph_.nodes.size(); ++i) add_node(NodeId(i));
    merge_siblings(false);
    read_again(graph_, plan_, decisions_, on_device_);
    merge_siblings(true);
    recompute(graph_, plan_, decisions_, on_device_);
    give_memory_to_created();
    collect_outputs(graph_, plan_);
    return std::move(plan_);
  }

 private:
  /// What a node reads: the groups, and whose results.
  using Producers = std::vector<std::pair<int, NodeId>>;

  const NodeFacts& facts(NodeId id) const { return plan_.facts[index(id)]; }
  int group_of(NodeId id) const { return plan_.group_of[index(id)]; }
  Group& group(int id) { return plan_.groups[static_cast<size_t>(id)]; }
  /// A group's present number, after it was merged into another.
  int find(int id) { return relations_.find(id); }

  // ---- 1: producers and consumers --------------------------------------------------------------

  void add_node(NodeId id) {
    NodeClass node_class = facts(id).node_class;
    if (node_class == NodeClass::kGiven || node_class == NodeClass::kView ||
        node_class == NodeClass::kCreate)
      return;
    int own = new_group(id);
    Producers read, producers;
    for (Value operand : facts(id).operands) {
      NodeId root = trace(graph_, plan_.facts, operand).root.node;
      if (group_of(root) < 0) continue;
      int producer = group_of(root);
      if (std::ranges::find(read, std::pair(producer, root)) == read.end())
        read.push_back({producer, root});
      relations_.put_before(producer, own);
      auto known = std::find_if(producers.begin(), producers.end(),
                                [&](const auto& p) { return p.first == producer; });
      if (known == producers.end()) producers.push_back({producer, root});
    }
    if (facts(id).entry->effects.random) {
      if (last_random_ >= 0) relations_.put_before(last_random_, own);
      last_random_ = own;
    }
    for (auto& [producer, root] : producers) relations_.add_producer(own, producer);
    // The newest first: an older group that they both depend on is then found to be a cycle late.
    std::sort(producers.begin(), producers.end(), std::greater<>());
    const size_t first = decisions_.size();
    for (auto& [producer, root] : producers) {
      int from = find(producer), into = find(own);
      if (from != into) consider(from, into, root, id);
    }
    tell_of_others(read, id, first);
  }

  /// Decisions on what a node reads besides the pairs that were looked at, from `first` on: its
  /// group is the reader's by then, or stays apart for the reason that such a pair had.
  void tell_of_others(const Producers& read, NodeId reader, size_t first) {
    const std::vector<FusionDecision> told(decisions_.begin() + static_cast<ptrdiff_t>(first),
                                           decisions_.end());
    for (const auto& [producer, root] : read) {
      if (std::ranges::find(told, root, &FusionDecision::producer) != told.end()) continue;
      const int from = find(producer);
      auto of_group = std::ranges::find_if(
          told, [&](const FusionDecision& each) { return find(group_of(each.producer)) == from; });
      FusionDecision decision{root, reader, from == find(group_of(reader)),
                              reason_to_fuse(root, reader), space_text(find(group_of(reader)))};
      if (!decision.fused && of_group != told.end()) decision.reason = of_group->reason;
      decisions_.push_back(std::move(decision));
    }
  }

  int new_group(NodeId id) {
    const NodeFacts& node = facts(id);
    Group made;
    if (node.node_class == NodeClass::kLibrary) made.kind = GroupKind::kLibrary;
    if (node.node_class == NodeClass::kConcatenate) made.kind = GroupKind::kConcatenate;
    Member member{id, {}, {}};
    auto axes_of = [&](const TensorType& type) {
      std::vector<int> axes;
      for (SymInt size : type.sizes) {
        axes.push_back(size.is(1) ? -1 : static_cast<int>(made.axes.size()));
        if (!size.is(1)) made.axes.push_back({size, false});
      }
      return axes;
    };
    if (node.node_class == NodeClass::kReduce || node.node_class == NodeClass::kScan)
      reduction_axes(node, id, made, member, axes_of);
    else if (made.kind == GroupKind::kKernel)
      member.axes = axes_of(graph_[id].outputs.front());
    made.members.push_back(std::move(member));
    auto number = static_cast<int>(plan_.groups.size());
    plan_.groups.push_back(std::move(made));
    relations_.add();
    plan_.group_of[index(id)] = number;
    return number;
  }

  template <class AxesOf>
  void reduction_axes(const NodeFacts& node, NodeId id, Group& made, Member& member,
                      const AxesOf& axes_of) {
    member.input_axes = axes_of(graph_.type(node.operands.front()));
    std::vector<bool> along(member.input_axes.size(), false);
    for (int64_t dim : node.dims) {
      if (member.input_axes.empty()) break;
      along[static_cast<size_t>(dim)] = true;
      int axis = member.input_axes[static_cast<size_t>(dim)];
      if (axis >= 0) made.axes[static_cast<size_t>(axis)].inner = true;
    }
    if (node.node_class == NodeClass::kScan) {
      member.axes = member.input_axes;
      return;
    }
    bool keeps = graph_[id].outputs.front().rank() == along.size();
    for (size_t dim = 0; dim < along.size(); ++dim)
      if (!along[dim] || keeps) member.axes.push_back(along[dim] ? -1 : member.input_axes[dim]);
  }

  /// Tries to merge the group `from`, which `producer` is in, with its reader's.
  void consider(int from, int into, NodeId producer, NodeId consumer) {
    FusionDecision decision{producer, consumer, false, FusionReason::kSameSpace, {}};
    decision.fused = merge(from, into, decision.reason);
    if (decision.fused) decision.reason = reason_to_fuse(producer, consumer);
    decision.detail = space_text(find(into));
    decisions_.push_back(std::move(decision));
  }

  FusionReason reason_to_fuse(NodeId producer, NodeId consumer) const {
    const NodeClass reader = facts(consumer).node_class;
    if (reader == NodeClass::kReduce || reader == NodeClass::kScan)
      return FusionReason::kReductionReads;
    const bool is_reduction = facts(producer).node_class == NodeClass::kReduce;
    return is_reduction ? FusionReason::kReadsReduction : FusionReason::kSameSpace;
  }

  std::string space_text(int id) {
    std::string text = "[";
    for (const GroupAxis& axis : group(id).axes)
      text += (text.size() > 1 ? ", " : "") + axis.size.text();
    return text + "]";
  }

  bool merge(int from, int into, FusionReason& why) {
    if (group(from).kind != GroupKind::kKernel || group(into).kind != GroupKind::kKernel) {
      why = FusionReason::kLibraryCall;
      if (group(from).kind == GroupKind::kConcatenate ||
          group(into).kind == GroupKind::kConcatenate)
        why = FusionReason::kStandsAlone;
      return false;
    }
    why = FusionReason::kShiftingView;
    if (relations_.conflict(from, into)) return false;
    why = FusionReason::kCycle;
    if (relations_.between(from, into)) return false;
    auto ties = find_ties(from, into);
    if (!ties) {
      why = FusionReason::kShiftingView;
      relations_.keep_apart(from, into);
      return false;
    }
    auto space = common_space(group(from), group(into), *ties, why);
    if (!space) return false;
    return absorb(from, into, *space, why);
  }

  /// The axes that edges from one group into the other tie together; nothing if an edge reads
  /// through a view that shifts.
  std::optional<std::vector<AxisPair>> find_ties(int from, int into) {
    std::vector<AxisPair> ties;
    for (const Member& reader : group(into).members) {
      const auto& operands = facts(reader.node).operands;
      for (size_t i = 0; i < operands.size(); ++i) {
        Traced traced = trace(graph_, plan_.facts, operands[i]);
        if (group_of(traced.root.node) != from) continue;
        OperandAxes axes = operand_axes(graph_, plan_.facts, reader, i);
        if (traced.shifted || axes.shifted) return std::nullopt;
        const Member& made = member_of(from, traced.root.node);
        for (size_t dim = 0; dim < traced.dims.size(); ++dim)
          if (traced.dims[dim] >= 0)
            ties.push_back({made.axes[static_cast<size_t>(traced.dims[dim])], axes.axes[dim]});
      }
    }
    return ties;
  }

  const Member& member_of(int id, NodeId node) {
    const auto& members = group(id).members;
    return *std::lower_bound(members.begin(), members.end(), node,
                             [](const Member& m, NodeId n) { return m.node < n; });
  }

  /// Moves `into`'s members into `from`, if the result is sound.
  bool absorb(int from, int into, const CommonSpace& space, FusionReason& why) {
    if (append_alone(from, into, space, why)) return true;
    if (why == FusionReason::kTooLarge) return false;
    Group joined{.kind = GroupKind::kKernel, .axes = space.axes, .members = {}, .outputs = {}};
    auto take = [&](const Group& source, const std::vector<int>& where) {
      for (Member member : source.members) {
        move_axes(member, where);
        joined.members.push_back(std::move(member));
      }
    };
    take(group(from), space.from_producer);
    take(group(into), space.from_consumer);
    std::sort(joined.members.begin(), joined.members.end(),
              [](const Member& a, const Member& b) { return a.node < b.node; });
    for (const Member& member : group(into).members) plan_.group_of[index(member.node)] = from;
    if (!fits(joined, graph_, plan_.facts, plan_.group_of, from, on_device_, why)) {
      for (const Member& member : group(into).members) plan_.group_of[index(member.node)] = into;
      return false;
    }
    group(from) = std::move(joined);
    group(into).members.clear();
    relations_.merge(into, from);
    return true;
  }

  /// The common case, in constant time: one more full pointwise node in a group of such.
  bool append_alone(int from, int into, const CommonSpace& space, FusionReason& why) {
    if (group(into).members.size() != 1 || space.axes.size() != group(from).axes.size())
      return false;
    for (const GroupAxis& axis : space.axes)
      if (axis.inner) return false;
    for (size_t i = 0; i < space.from_producer.size(); ++i)
      if (space.from_producer[i] != static_cast<int>(i)) return false;
    Member member = group(into).members.front();
    move_axes(member, space.from_consumer);
    auto used = std::count_if(member.axes.begin(), member.axes.end(), [](int a) { return a >= 0; });
    if (static_cast<size_t>(used) != space.axes.size() ||
        member.node < group(from).members.back().node)
      return false;
    if (group(from).members.size() >= kMostMembers) {
      why = FusionReason::kTooLarge;
      return false;
    }
    why = FusionReason::kSameSpace;
    plan_.group_of[index(member.node)] = from;
    group(from).members.push_back(std::move(member));
    group(into).members.clear();
    relations_.merge(into, from);
    return true;
  }

  // ---- 2: siblings -----------------------------------------------------------------------------

  /// A reader of a tensor, by itself or through a node that it computes again.
  struct TensorReader {
    int group;
    NodeId node;
    bool inlined;
  };

  /// `again`: only pairs of which one reads what both read through a node that it computes again.
  void merge_siblings(bool again) {
    std::map<size_t, TensorReader> last;
    for (size_t i = 0; i < graph_.nodes.size(); ++i)
      if (group_of(NodeId(i)) >= 0) look_for_siblings(NodeId(i), NodeId(i), again, last);
  }

  /// `reader` reads the operands of `through`, itself or one that it computes again.
  void look_for_siblings(NodeId reader, NodeId through, bool again,
                         std::map<size_t, TensorReader>& last) {
    for (Value operand : facts(through).operands) {
      const Value root = trace(graph_, plan_.facts, operand).root;
      if (again && plan_.is_inlined(root.node)) look_for_siblings(reader, root.node, true, last);
      const TensorReader found{group_of(reader), reader, through != reader};
      auto [entry, first] = last.try_emplace(index(root.node), found);
      if (first) continue;
      TensorReader& other = entry->second;
      const int a = find(other.group), b = find(found.group);
      const bool no_work =
          graph_.type(root).rank() == 0 || facts(root.node).node_class == NodeClass::kCreate;
      if (a != b && (!again || found.inlined || other.inlined))
        consider_siblings(a, b, other.node, reader, no_work);
      other = {find(found.group), reader, found.inlined};
    }
  }

  /// `no_work`: what both read is a number, or made where it is read, so that nothing is saved but
  /// a launch.
  void consider_siblings(int a, int b, NodeId first, NodeId second, bool no_work) {
    if (group(a).kind != GroupKind::kKernel || group(b).kind != GroupKind::kKernel) return;
    if (group(a).axes.size() != group(b).axes.size()) return;
    if (relations_.comes_before(a, b) || relations_.comes_before(b, a)) return;
    std::vector<AxisPair> ties;
    for (size_t i = 0; i < group(a).axes.size(); ++i) {
      if (group(a).axes[i].size != group(b).axes[i].size) return;
      ties.push_back({static_cast<int>(i), static_cast<int>(i)});
    }
    FusionReason why = FusionReason::kNothingCommon;
    std::optional<CommonSpace> space;
    if (!no_work || (is_small(a) && !do_the_same(a, b)))
      space = common_space(group(a), group(b), ties, why);
    bool fused = space && absorb(a, b, *space, why);
    decisions_.push_back(
        {first, second, fused, fused ? FusionReason::kSiblings : why, space_text(find(a))});
  }

  /// Whether a launch is a part of a group's time that can be measured.
  bool is_small(int id) {
    SymInt elements = 1;
    for (const GroupAxis& axis : group(id).axes) elements *= axis.size;
    return known_less_equal(elements, kSmallSpace) == true;
  }

  /// Whether two groups do the same with different tensors: one code may serve both.
  bool do_the_same(int a, int b) {
    auto same = [&](const Member& x, const Member& y) {
      auto equal = [](const Argument& p, const Argument& q) {
        return p == q || (p.get_if<Value>() && q.get_if<Value>());
      };
      return graph_[x.node].target == graph_[y.node].target &&
             std::ranges::equal(facts(x.node).arguments, facts(y.node).arguments, equal);
    };
    return std::ranges::equal(group(a).members, group(b).members, same);
  }

  NodeId root_of(Value value) { return trace(graph_, plan_.facts, value).root.node; }

  // ---- 4: what has to lie in memory ------------------------------------------------------------

  /// A fill or range that leaves the region, or that a library reads, needs memory after all.
  void give_memory_to_created() {
    auto pin = [&](Value value) {
      NodeId root = root_of(value);
      if (facts(root).node_class == NodeClass::kCreate && group_of(root) < 0) new_group(root);
    };
    for (Value output : graph_.outputs) pin(output);
    // A library call; a join makes such elements itself.
    for (size_t i = 0; i < graph_.nodes.size(); ++i)
      if (group_of(NodeId(i)) >= 0 && group(group_of(NodeId(i))).kind == GroupKind::kLibrary)
        for (Value operand : facts(NodeId(i)).operands) pin(operand);
  }

  const Graph& graph_;
  std::vector<FusionDecision>& decisions_;
  bool on_device_;
  FusionPlan plan_;
  GroupRelations relations_;
  int last_random_ = -1;
};

}  // namespace

FusionPlan fuse(const Graph& graph, std::vector<FusionDecision>& decisions, bool on_device) {
  return Fuser(graph, decisions, on_device).run();
}

}  // namespace glint::passes
