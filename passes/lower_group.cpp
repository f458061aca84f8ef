#include "passes/lower_group.h"

#include <algorithm>
#include <bit>
#include <map>

#include <fmt/format.h>

#include "core/support/check.h"
#include "ops/infer.h"
#include "passes/fuse_spaces.h"
#include "passes/lower_elements.h"
#include "passes/operators.h"

namespace glint::passes {

namespace {

/// From this cost on a value is kept for later loops of the row instead of computed again.
constexpr int kKeepFrom = 10;
constexpr int kMostLevels = 63;

class GroupLowering {
 public:
  GroupLowering(const Graph& graph, const FusionPlan& plan, int id, std::string name)
      : graph_(graph),
        plan_(plan),
        group_(plan.groups[static_cast<size_t>(id)]),  // a copy: its axes are reordered
        id_(id),
        builder_(std::move(name)),
        elements_(graph, plan, id, builder_) {}

  LoweredGroup run() {
    for (const Member& member : group_.members) elements_.enter(member.node);
    order_axes();
    plan_members();
    decide_what_to_keep();
    declare();
    elements_.lookup = [this](Value value, const Place& place) { return look_up(value, place); };
    axis_variables_.resize(group_.axes.size());
    open_axes(false, LoopKind::kParallel);
    for (level_ = 0; level_ <= last_level_; ++level_) level();
    close_axes(false);
    return {builder_.finish(), elements_.inputs(), group_.outputs};
  }

 private:
  struct Plan {
    int level = 0;       ///< at which the value is ready
    int cost = 0;        ///< to compute an element again
    uint64_t loops = 0;  ///< the levels whose loop needs it (full members)
    bool full = false;
    bool output = false;
    bool kept = false;               ///< loaded by later loops
    std::optional<BufferId> memory;  ///< the output's parameter, or scratch
    bool memory_is_scratch = false;
  };

  const NodeFacts& facts(NodeId id) const { return plan_.facts[index(id)]; }
  NodeClass node_class(NodeId id) const { return facts(id).node_class; }
  Plan& plan_of(NodeId id) { return plans_.at(id); }
  bool is_member(NodeId id) const { return plan_.group_of[index(id)] == id_; }

  /// Calls `visit` for each member that a node's elements are computed from, through views and
  /// through nodes that are computed where they are read.
  template <class F>
  void for_each_member_operand(NodeId id, const F& visit) {
    for (Value operand : facts(id).operands) {
      NodeId root = trace(graph_, plan_.facts, operand).root.node;
      if (is_member(root))
        visit(root);
      else if (plan_.is_inlined(root))
        for_each_member_operand(root, visit);
    }
  }

  // ---- planning --------------------------------------------------------------------------------

  /// Without reductions the loops run as the last output lies in memory, the closest innermost.
  void order_axes() {
    if (group_.axes.size() < 2) return;
    for (const GroupAxis& axis : group_.axes)
      if (axis.inner) return;
    const Member& last = *std::find_if(
        group_.members.begin(), group_.members.end(),
        [&](const Member& member) { return member.node == group_.outputs.back().node; });
    std::vector<SymInt> strides = graph_.type(group_.outputs.back()).full_strides();
    std::vector<std::pair<int, SymInt>> order;
    for (size_t dim = 0; dim < last.axes.size(); ++dim)
      if (last.axes[dim] >= 0) order.push_back({last.axes[dim], strides[dim]});
    std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
      return known_less(b.second, a.second) == true;
    });
    std::vector<int> where(group_.axes.size());
    std::vector<GroupAxis> axes;
    for (const auto& [axis, stride] : order) {
      where[static_cast<size_t>(axis)] = static_cast<int>(axes.size());
      axes.push_back(group_.axes[static_cast<size_t>(axis)]);
    }
    group_.axes = std::move(axes);
    for (Member& member : group_.members) move_axes(member, where);
  }

  void plan_members() {
    for (Value output : group_.outputs) outputs_.push_back(output.node);
    for (const Member& member : group_.members) {
      Plan plan;
      plan.full = group_.is_full(member) && node_class(member.node) != NodeClass::kReduce;
      plan.output = std::find(outputs_.begin(), outputs_.end(), member.node) != outputs_.end();
      plan.cost = cost_of(facts(member.node));
      for_each_member_operand(member.node, [&](NodeId operand) {
        const Plan& before = plans_.at(operand);
        plan.level = std::max(plan.level, before.level);
        if (before.full) plan.cost = std::min(plan.cost + before.cost, 1000);
      });
      if (node_class(member.node) == NodeClass::kReduce) {
        reductions_at_[plan.level].push_back(&member);
        ++plan.level;
      }
      if (node_class(member.node) == NodeClass::kScan) {
        reductions_at_[plan.level].push_back(&member);
        plan.cost = 1000;
      }
      if (plan.full || node_class(member.node) != NodeClass::kReduce)
        last_level_ = std::max(last_level_, plan.level);
      check(plan.level <= kMostLevels, "too many reductions follow one another in a kernel");
      plans_.emplace(member.node, plan);
    }
    for (auto& [level, list] : reductions_at_) last_level_ = std::max(last_level_, level + 1);
  }

  /// From the last member to the first: which loops need a full value, and is it kept?
  void decide_what_to_keep() {
    for (size_t i = group_.members.size(); i-- > 0;) {
      NodeId id = group_.members[i].node;
      Plan& plan = plan_of(id);
      NodeClass reader_class = node_class(id);
      uint64_t needed = plan.loops;
      if (plan.full && plan.output) needed |= uint64_t(1) << plan.level;
      if (plan.full && reader_class == NodeClass::kScan) needed |= uint64_t(1) << plan.level;
      plan.loops = needed;
      plan.kept = plan.full && std::popcount(needed) > 1 && plan.cost >= kKeepFrom;
      if (plan.kept) needed &= -needed;
      if (reader_class == NodeClass::kReduce) needed = uint64_t(1) << (plan.level - 1);
      if (reader_class == NodeClass::kScan) needed = uint64_t(1) << plan.level;
      if (!plan.full && reader_class != NodeClass::kReduce) continue;  // row-wise
      for_each_member_operand(id, [&](NodeId operand) {
        if (plan_of(operand).full) plan_of(operand).loops |= needed;
      });
    }
  }

  void declare() {
    std::vector<Value> operands;
    for (const Member& member : group_.members)
      operands.insert(operands.end(), facts(member.node).operands.begin(),
                      facts(member.node).operands.end());
    elements_.declare_inputs(operands);
    for (Value output : group_.outputs)
      plan_of(output.node).memory =
          builder_.parameter(graph_[output.node].name, graph_.type(output));
  }

  // ---- loops -----------------------------------------------------------------------------------

  void open_axes(bool inner, LoopKind kind) {
    for (size_t i = 0; i < group_.axes.size(); ++i)
      if (group_.axes[i].inner == inner)
        axis_variables_[i] = builder_.open(kind, group_.axes[i].size);
    elements_.begin_block();
  }
  void close_axes(bool inner) {
    elements_.end_block();
    for (const GroupAxis& axis : group_.axes)
      if (axis.inner == inner) builder_.close();
  }

  Place place_of(const std::vector<int>& axes) const {
    Place place;
    for (int axis : axes)
      place.push_back(axis < 0 ? IndexExpression(SymInt(0))
                               : IndexExpression(axis_variables_[static_cast<size_t>(axis)]));
    return place;
  }

  /// Where a full value lies in a row of scratch: at the inner axes.
  Place row_place() const {
    Place place;
    for (size_t i = 0; i < group_.axes.size(); ++i)
      if (group_.axes[i].inner) place.push_back(IndexExpression(axis_variables_[i]));
    return place;
  }

  void level() {
    rows();
    bool has_inner = std::any_of(group_.axes.begin(), group_.axes.end(),
                                 [](const GroupAxis& axis) { return axis.inner; });
    const auto& reductions = reductions_at_[level_];
    LoopKind kind = LoopKind::kParallel;
    for (const Member* member : reductions) {
      bool scans = node_class(member->node) == NodeClass::kScan;
      if (scans || kind != LoopKind::kScan) kind = scans ? LoopKind::kScan : LoopKind::kReduce;
      begin_reduction(*member);
    }
    // Without inner axes everything is done at the points of the outer ones.
    if (!has_inner) return full_values(reductions);
    bool stores = false;
    for (const Member& member : group_.members) stores |= works_here(member);
    if (reductions.empty() && !stores) return;
    open_scratch();
    open_axes(true, kind);
    full_values(reductions);
    close_axes(true);
  }

  /// Row-wise members that are ready now: computed, and stored if they are outputs. Of the others,
  /// an index that is one for the whole row: read and checked before the loops over the row.
  void rows() {
    for (const Member& member : group_.members) {
      Plan& plan = plan_of(member.node);
      if (plan.level != level_) continue;
      if (plan.full) {
        if (!has_row_index(member)) continue;
        elements_.enter(member.node);
        elements_.checked_index(member.node, place_of(member.axes));
        continue;
      }
      Operand value = elements_.at({member.node, 0}, place_of(member.axes));
      if (!plan.output) continue;
      elements_.enter(member.node);
      builder_.store(*plan.memory, place_of(member.axes), value);
    }
  }

  /// Whether the member looks elements up by an index that no inner loop changes.
  bool has_row_index(const Member& member) const {
    const NodeFacts& node = facts(member.node);
    if (node.node_class != NodeClass::kGather || node.view) return false;
    // An index by which nothing is read may be any.
    if (std::ranges::any_of(group_.axes, [](const GroupAxis& axis) { return axis.size.is(0); }))
      return false;
    Place place(member.axes.size(), IndexExpression(SymInt(0)));
    for (size_t dim = 0; dim < place.size(); ++dim)
      if (member.axes[dim] >= 0 && group_.axes[static_cast<size_t>(member.axes[dim])].inner)
        place[dim] = IndexExpression(SymInt(1));
    const Place where = elements_.index_place(node, place);
    return std::ranges::all_of(where, [](const IndexExpression& at) { return at.constant.is(0); });
  }

  bool works_here(const Member& member) {
    const Plan& plan = plan_of(member.node);
    if (!plan.full) return false;
    bool first_loop = std::countr_zero(plan.loops) == level_;
    return (plan.output && plan.level == level_) || (plan.kept && first_loop);
  }

  void open_scratch() {
    for (const Member& member : group_.members) {
      Plan& plan = plan_of(member.node);
      if (!plan.kept || plan.output || std::countr_zero(plan.loops) != level_) continue;
      std::vector<SymInt> sizes;
      for (const GroupAxis& axis : group_.axes)
        if (axis.inner) sizes.push_back(axis.size);
      elements_.enter(member.node);
      plan.memory = builder_.scratch(
          ScratchScope::kRow,
          TensorType::tensor(graph_[member.node].outputs.front().dtype, std::move(sizes)));
      plan.memory_is_scratch = true;
    }
  }

  /// One loop body: feeds this level's reductions, stores and keeps.
  void full_values(const std::vector<const Member*>& reductions) {
    for (const Member* member : reductions)
      if (node_class(member->node) == NodeClass::kScan) feed(*member);
    for (const Member& member : group_.members) {
      if (!works_here(member)) continue;
      Plan& plan = plan_of(member.node);
      Operand value = elements_.at({member.node, 0}, place_of(member.axes));
      elements_.enter(member.node);
      builder_.store(*plan.memory, plan.memory_is_scratch ? row_place() : place_of(member.axes),
                     value);
    }
    for (const Member* member : reductions)
      if (node_class(member->node) == NodeClass::kReduce) feed(*member);
  }

  // ---- reductions ------------------------------------------------------------------------------

  struct Accumulator {
    StatementId id;
    DType dtype;
    Combiner combiner;
  };

  Combiner combiner_of(NodeId id) const {
    if (auto* reduce = facts(id).entry->lowers_to<ops::Reduce>()) return reduce->combiner;
    return facts(id).entry->lowers_to<ops::Scan>()->combiner;
  }

  void begin_reduction(const Member& member) {
    const NodeFacts& node = facts(member.node);
    Combiner combiner = combiner_of(member.node);
    DType dtype = ops::reduction_dtype(*node.entry, infer_arguments(graph_, node.arguments));
    // Sums of the short floating types are kept in float32 and rounded once.
    bool sums = combiner == Combiner::kSum || combiner == Combiner::kProduct ||
                combiner == Combiner::kWelford;
    if (sums && (dtype == DType::kBFloat16 || dtype == DType::kFloat16)) dtype = DType::kFloat32;
    if (combiner == Combiner::kAny || combiner == Combiner::kAll) dtype = DType::kBool;
    elements_.enter(member.node);
    accumulators_.insert_or_assign(
        member.node, Accumulator{builder_.reduction(combiner, dtype), dtype, combiner});
  }

  void feed(const Member& member) {
    const Accumulator& accumulator = accumulators_.at(member.node);
    Value input = facts(member.node).operands.front();
    elements_.enter(member.node);  // a load of the input is its own
    Operand value = elements_.at(input, place_of(member.input_axes));
    // A bool of a number is whether it is not zero.
    value = elements_.cast(value, accumulator.dtype);
    std::vector<Operand> operands{value};
    if (info(accumulator.combiner).operands == 2)
      operands.push_back(builder_.index_value(number_along(member)));
    builder_.accumulate(accumulator.id, std::move(operands));
  }

  /// The number of an element among those that the reduction combines, in row-major order.
  IndexExpression number_along(const Member& member) {
    IndexExpression number(SymInt(0));
    SymInt step = 1;
    const auto& dims = facts(member.node).dims;
    for (size_t i = dims.size(); i-- > 0;) {
      if (member.input_axes.empty()) break;
      int axis = member.input_axes[static_cast<size_t>(dims[i])];
      if (axis < 0) continue;
      number = number + IndexExpression(axis_variables_[static_cast<size_t>(axis)]) * step;
      step *= group_.axes[static_cast<size_t>(axis)].size;
    }
    return number;
  }

  std::optional<Operand> look_up(Value value, const Place& place) {
    if (!is_member(value.node)) return std::nullopt;
    Plan& plan = plan_of(value.node);
    auto accumulator = accumulators_.find(value.node);
    if (accumulator != accumulators_.end() &&
        (node_class(value.node) == NodeClass::kReduce || plan.level == level_)) {
      const Accumulator& found = accumulator->second;
      elements_.enter(value.node);
      bool is_index = info(found.combiner).parts == 2;
      return elements_.cast(Operand(found.id, is_index ? 1 : 0),
                            graph_[value.node].outputs.front().dtype);
    }
    if (plan.kept && std::countr_zero(plan.loops) < level_ && plan.memory)
      return load_kept(value, plan, place);
    return std::nullopt;
  }

  Operand load_kept(Value value, const Plan& plan, const Place& place) {
    elements_.enter(value.node);
    if (!plan.memory_is_scratch) return builder_.load(*plan.memory, place);
    Place row;
    for (size_t i = 0; i < group_.axes.size(); ++i) {
      if (!group_.axes[i].inner) continue;
      const Member& member =
          *std::find_if(group_.members.begin(), group_.members.end(),
                        [&](const Member& each) { return each.node == value.node; });
      for (size_t dim = 0; dim < member.axes.size(); ++dim)
        if (member.axes[dim] == static_cast<int>(i)) row.push_back(place[dim]);
    }
    return builder_.load(*plan.memory, row);
  }

  const Graph& graph_;
  const FusionPlan& plan_;
  Group group_;
  int id_;
  KernelBuilder builder_;
  ElementWriter elements_;
  std::map<NodeId, Plan> plans_;
  std::vector<NodeId> outputs_;
  std::map<int, std::vector<const Member*>> reductions_at_;
  std::map<NodeId, Accumulator> accumulators_;
  std::vector<StatementId> axis_variables_;
  int level_ = 0;
  int last_level_ = 0;
};

}  // namespace

LoweredGroup lower_group(const Graph& graph, const FusionPlan& plan, int group, std::string name) {
  return GroupLowering(graph, plan, group, std::move(name)).run();
}

}  // namespace glint::passes
