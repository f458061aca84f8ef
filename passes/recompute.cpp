#include "passes/recompute.h"

#include <algorithm>

namespace glint::passes {

namespace {

/// What is computed again for each element that is read, at most, by a kernel on a device: the cost
/// of the nodes (`cost_of`), the tensors that they load, and how often they are read.
constexpr int kMostCost = 30, kMostLoads = 4, kMostReads = 2;
/// What a join computes more than once on a processor, at most: about what a store and a load take.
constexpr int kSmallCost = 4;
constexpr size_t kFewReaders = 4;
/// Of each of two joins that become one.
constexpr size_t kMostParts = 8;

class Recomputing {
 public:
  Recomputing(const Graph& graph, FusionPlan& plan, std::vector<FusionDecision>& decisions,
              bool on_device)
      : graph_(graph), plan_(plan), decisions_(decisions), on_device_(on_device) {}

  void run() {
    cheap_nodes();
    groups_of_one_reader();
  }

 private:
  const NodeFacts& facts(NodeId id) const { return plan_.facts[index(id)]; }
  int group_of(NodeId id) const { return plan_.group_of[index(id)]; }
  Group& group(int id) { return plan_.groups[static_cast<size_t>(id)]; }
  NodeId root_of(Value value) const { return trace(graph_, plan_.facts, value).root.node; }

  // ---- cheap nodes -----------------------------------------------------------------------------

  bool may_fail(NodeId id) const { return passes::may_fail(graph_, plan_.facts, id); }

  /// A cheap pointwise node of at most one tensor, one that is given.
  bool is_cheap(NodeId id) const {
    const NodeFacts& node = facts(id);
    return node.node_class == NodeClass::kPointwise && cost_of(node) <= 1 && !may_fail(id) &&
           node.operands.size() <= 1 && std::ranges::all_of(node.operands, [&](Value operand) {
             return facts(root_of(operand)).node_class == NodeClass::kGiven;
           });
  }

  void cheap_nodes() {
    std::vector<bool> pinned(graph_.nodes.size(), false);
    for (Value output : graph_.outputs) pinned[index(root_of(output))] = true;
    std::vector<std::vector<NodeId>> readers(graph_.nodes.size());
    for (size_t i = 0; i < graph_.nodes.size(); ++i) {
      if (facts(NodeId(i)).node_class == NodeClass::kView) continue;
      bool needs_memory =
          group_of(NodeId(i)) >= 0 && group(group_of(NodeId(i))).kind != GroupKind::kKernel;
      for (Value operand : facts(NodeId(i)).operands) {
        NodeId root = root_of(operand);
        readers[index(root)].push_back(NodeId(i));
        if (needs_memory) pinned[index(root)] = true;
      }
    }
    for (size_t i = 0; i < graph_.nodes.size(); ++i) {
      auto id = NodeId(i);
      if (group_of(id) < 0 || pinned[i] || !is_cheap(id)) continue;
      auto outside = std::ranges::find_if(
          readers[i], [&](NodeId reader) { return group_of(reader) != group_of(id); });
      if (outside == readers[i].end() || readers[i].size() > kFewReaders) continue;
      std::erase_if(group(group_of(id)).members,
                    [&](const Member& each) { return each.node == id; });
      take_out(id, *outside, FusionReason::kRecomputed);
    }
  }

  /// The node is in no group from here on.
  void take_out(NodeId id, NodeId reader, FusionReason why) {
    plan_.group_of[index(id)] = -1;
    decisions_.push_back({id, reader, true, why, {}});
  }

  // ---- groups of one reader --------------------------------------------------------------------

  /// Who reads what a group makes, and how.
  struct Reading {
    static constexpr int kNone = -1, kSeveral = -2;
    int reader = kNone;
    int reads = 0;
    bool is_part = true;   ///< of a join: as it is, and not what is computed of it
    bool divides = false;  ///< through a view whose places take divisions to follow
    bool repeats = false;  ///< an element is read at several places: expanded, or in windows
  };

  /// The last groups first, so that a chain of them ends up in its last reader.
  void groups_of_one_reader() {
    find_readings();
    std::vector<size_t> order;
    for (size_t i = 0; i < plan_.groups.size(); ++i)
      if (!plan_.groups[i].members.empty()) order.push_back(i);
    std::ranges::sort(order, std::greater<>(),
                      [&](size_t i) { return index(plan_.groups[i].members.back().node); });
    for (size_t i : order) {
      const Reading& reading = readings_[i];
      if (reading.reader < 0 || !may_be_computed_by(static_cast<int>(i), reading)) continue;
      const bool joins = group(reading.reader).kind == GroupKind::kConcatenate;
      NodeId reader = group(reading.reader).members.front().node;
      for (const Member& member : plan_.groups[i].members)
        take_out(member.node, reader, joins ? FusionReason::kJoined : FusionReason::kRecomputed);
      add_work(reading.reader, plan_.groups[i]);
      // What these nodes read, the reader reads now.
      for (Reading& other : readings_)
        if (other.reader == static_cast<int>(i)) {
          other.reader = reading.reader;
          other.is_part = false;
          other.reads *= reading.reads;
          other.repeats |= reading.repeats;
        }
      plan_.groups[i].members.clear();
    }
  }

  void find_readings() {
    readings_.assign(plan_.groups.size(), {});
    work_.assign(plan_.groups.size(), {});
    for (size_t i = 0; i < plan_.groups.size(); ++i)
      for (const Member& member : plan_.groups[i].members)
        note_operands(member.node, static_cast<int>(i), false);
    for (Value output : graph_.outputs) note(output, Reading::kSeveral, false);
  }

  /// A group reads a value; through nodes that are in no group any more, what those read.
  void note(Value value, int by, bool repeats) {
    NodeId root = root_of(value);
    repeats |= is_repeated(value);
    if (plan_.is_inlined(root)) note_operands(root, by, repeats);
    int from = group_of(root);
    if (from < 0 || from == by) return;
    Reading& reading = readings_[static_cast<size_t>(from)];
    reading.reader =
        reading.reader == Reading::kNone || reading.reader == by ? by : Reading::kSeveral;
    ++reading.reads;
    reading.is_part &= root == value.node;
    reading.divides |= divides(value);
    reading.repeats |= repeats;
  }

  void note_operands(NodeId node, int by, bool repeats) {
    for (Value operand : facts(node).operands)
      note(operand, by, repeats || is_broadcast(operand, node));
  }

  bool is_broadcast(Value operand, NodeId by) const {
    if (facts(by).node_class != NodeClass::kPointwise) return false;
    const std::vector<SymInt>&from = graph_.type(operand).sizes, &to = graph_[by].outputs[0].sizes;
    const size_t added = to.size() - from.size();
    for (size_t i = 0; i < to.size(); ++i)
      if (!to[i].is(1) && (i < added || from[i - added].is(1))) return true;
    return false;
  }

  /// Whether a view between shows an element at several places.
  bool is_repeated(Value value) const {
    for (; facts(value.node).node_class == NodeClass::kView;
         value = facts(value.node).operands.front()) {
      const ViewMap& view = *facts(value.node).view;
      if (view.same_elements) continue;
      std::vector<bool> is_mapped(view.sizes.size(), false);
      for (const ViewMap::BaseIndex& at : view.base) {
        if (at.terms.size() > 1) return true;
        for (const ViewMap::Term& term : at.terms) is_mapped[term.dim] = true;
      }
      for (size_t i = 0; i < is_mapped.size(); ++i)
        if (!is_mapped[i] && !view.sizes[i].is(1)) return true;
    }
    return false;
  }

  /// Whether a reshape lies between that merges or splits dimensions of several.
  bool divides(Value value) const {
    while (facts(value.node).node_class == NodeClass::kView) {
      const NodeFacts& view = facts(value.node);
      Value base = view.operands.front();
      const TensorType& type = graph_.type(base);
      auto longer = std::ranges::count_if(type.sizes, [](SymInt size) { return !size.is(1); });
      if (view.view->same_elements && longer > 1 && !plain_dims(*view.view, type)) return true;
      value = base;
    }
    return false;
  }

  struct Work {
    int cost = 0;
    int loads = 0;
  };

  Work work_of(const Group& made) const {
    Work work;
    for (const Member& member : made.members) {
      work.cost += cost_of(facts(member.node));
      for (Value operand : facts(member.node).operands) {
        NodeId root = root_of(operand);
        const bool is_number = graph_.type(operand).numel().is(1);
        work.loads += !is_number && facts(root).node_class != NodeClass::kCreate &&
                      std::ranges::find(made.members, root, &Member::node) == made.members.end();
      }
    }
    return work;
  }

  void add_work(int reader, const Group& made) {
    Work more = work_of(made);
    Work& known = work_[static_cast<size_t>(reader)];
    known.cost += more.cost;
    known.loads += more.loads;
  }

  /// Whether a join may copy the parts of a join that it reads itself.
  bool is_part_of_join(const Group& made, const Group& reader, const Reading& reading) const {
    const auto parts = [&](const Group& join) {
      return facts(join.members.front().node).operands.size();
    };
    return reader.kind == GroupKind::kConcatenate && reading.reads == 1 && reading.is_part &&
           parts(made) <= kMostParts && parts(reader) <= kMostParts;
  }

  bool may_be_computed_by(int id, const Reading& reading) {
    const Group& made = group(id);
    const Group& reader = group(reading.reader);
    if (made.kind == GroupKind::kConcatenate) return is_part_of_join(made, reader, reading);
    const bool pointwise = std::ranges::all_of(made.members, [&](const Member& member) {
      return facts(member.node).node_class == NodeClass::kPointwise && !may_fail(member.node);
    });
    if (made.kind != GroupKind::kKernel || !pointwise) return false;
    const Work own = work_of(made), known = work_[static_cast<size_t>(reading.reader)];
    // A member of fewer axes is computed once for the others in a kernel of its own.
    const bool repeats = reading.repeats || std::ranges::any_of(made.members, [&](const Member& m) {
                           return !made.is_full(m);
                         });
    if (reader.kind == GroupKind::kConcatenate)
      return (!repeats && reading.reads == 1) ||
             own.cost * reading.reads <= (on_device_ ? kMostCost : kSmallCost);
    if (reader.kind != GroupKind::kKernel || !on_device_) return false;
    // Rows are held in registers: their loops load what lies there, and nothing else.
    if (own.loads > 0 && std::ranges::any_of(reader.axes, &GroupAxis::inner)) return false;
    return reading.reads <= kMostReads && own.cost + known.cost <= kMostCost &&
           own.loads + known.loads <= kMostLoads && !(reading.divides && own.loads > 0);
  }

  const Graph& graph_;
  FusionPlan& plan_;
  std::vector<FusionDecision>& decisions_;
  bool on_device_;
  std::vector<Reading> readings_;
  std::vector<Work> work_;
};

}  // namespace

void recompute(const Graph& graph, FusionPlan& plan, std::vector<FusionDecision>& decisions,
               bool on_device) {
  Recomputing(graph, plan, decisions, on_device).run();
}

}  // namespace glint::passes
