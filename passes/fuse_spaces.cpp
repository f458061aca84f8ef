#include "passes/fuse_spaces.h"

#include <algorithm>

namespace glint::passes {

namespace {

/// Operands of a gather: what is looked up, then the places to look.
OperandAxes gather_axes(const Graph& graph, const NodeFacts& facts, const Member& consumer,
                        size_t operand) {
  const TensorType& type = graph.type(facts.operands[operand]);
  OperandAxes found;
  if (facts.view) {
    auto dims = plain_dims(*facts.view, type);
    if (!dims) return {{}, true};
    found.axes.assign(type.rank(), -1);
    for (size_t dim = 0; dim < dims->size(); ++dim)
      if ((*dims)[dim] >= 0) found.axes[static_cast<size_t>((*dims)[dim])] = consumer.axes[dim];
    return found;
  }
  auto along = static_cast<size_t>(facts.dims.front());
  bool select = facts.entry->lowers_to<ops::SelectAlong>() != nullptr;
  if (operand == 1) {
    if (!select) return {consumer.axes, false};
    // Of a scalar one element is selected, which has no dimensions.
    if (consumer.axes.empty()) return {std::vector<int>(type.rank(), -1), false};
    return {{consumer.axes[along]}, false};
  }
  const TensorType& result = graph[consumer.node].outputs.front();
  for (size_t dim = 0; dim < type.rank(); ++dim) {
    if (dim == along) {
      found.axes.push_back(kFree);
      continue;
    }
    // gather may look at fewer rows than its source has.
    if (type.sizes[dim] != result.sizes[dim]) return {{}, true};
    found.axes.push_back(consumer.axes[dim]);
  }
  return found;
}

}  // namespace

OperandAxes operand_axes(const Graph& graph, const std::vector<NodeFacts>& facts,
                         const Member& consumer, size_t operand) {
  const NodeFacts& node = facts[index(consumer.node)];
  switch (node.node_class) {
    case NodeClass::kReduce:
    case NodeClass::kScan:
      return {consumer.input_axes, false};
    case NodeClass::kGather:
      return gather_axes(graph, node, consumer, operand);
    default:
      break;
  }
  // Pointwise: aligned at the last dimension.
  const TensorType& type = graph.type(node.operands[operand]);
  OperandAxes found;
  size_t shift = consumer.axes.size() - std::min(consumer.axes.size(), type.rank());
  for (size_t dim = 0; dim < type.rank(); ++dim)
    found.axes.push_back(type.sizes[dim].is(1) ? -1 : consumer.axes[dim + shift]);
  return found;
}

namespace {

std::vector<int> unbound(const std::vector<int>& bound) {
  std::vector<int> found;
  for (size_t i = 0; i < bound.size(); ++i)
    if (bound[i] < 0) found.push_back(static_cast<int>(i));
  return found;
}

bool has_inner(const Group& group) {
  return std::any_of(group.axes.begin(), group.axes.end(),
                     [](const GroupAxis& axis) { return axis.inner; });
}

/// Whether these axes are exactly the inner ones.
bool are_inner(const Group& group, const std::vector<int>& axes) {
  for (size_t i = 0; i < group.axes.size(); ++i) {
    bool listed = std::find(axes.begin(), axes.end(), static_cast<int>(i)) != axes.end();
    if (listed != group.axes[i].inner) return false;
  }
  return true;
}

bool are_trailing(const Group& group, const std::vector<int>& axes) {
  return !axes.empty() && axes.front() == static_cast<int>(group.axes.size() - axes.size());
}

std::vector<int> identity(size_t count) {
  std::vector<int> all(count);
  for (size_t i = 0; i < count; ++i) all[i] = static_cast<int>(i);
  return all;
}

/// Whether `inside`, whose axes are only some of `around`'s, can be the row-wise part of it; makes
/// the axes beyond it inner where there were none.
bool becomes_rows(const Group& inside, const Group& around, const std::vector<int>& beyond,
                  std::vector<GroupAxis>& axes, FusionReason& why) {
  why = FusionReason::kOtherReduction;
  if (has_inner(inside)) return false;
  axes = around.axes;
  if (has_inner(around)) return are_inner(around, beyond);
  why = FusionReason::kOtherSpace;
  if (!are_trailing(around, beyond)) return false;
  SymInt row = 1;
  for (int axis : beyond) {
    axes[static_cast<size_t>(axis)].inner = true;
    row *= axes[static_cast<size_t>(axis)].size;
  }
  // One row only: it would take away the parallel axis.
  why = FusionReason::kRowTooLong;
  return !inside.axes.empty() || row.hint() <= kLongestRow;
}

}  // namespace

std::optional<CommonSpace> common_space(const Group& producer, const Group& consumer,
                                        const std::vector<AxisPair>& ties, FusionReason& why) {
  why = FusionReason::kOtherSpace;
  std::vector<int> to_consumer(producer.axes.size(), -1), to_producer(consumer.axes.size(), -1);
  for (auto [p, c] : ties) {
    if (p < 0 || c < 0) continue;
    auto pi = static_cast<size_t>(p), ci = static_cast<size_t>(c);
    if (producer.axes[pi].size != consumer.axes[ci].size) return std::nullopt;
    if ((to_consumer[pi] >= 0 && to_consumer[pi] != c) ||
        (to_producer[ci] >= 0 && to_producer[ci] != p))
      return std::nullopt;
    to_consumer[pi] = c;
    to_producer[ci] = p;
  }
  std::vector<int> left = unbound(to_consumer), right = unbound(to_producer);
  if (!left.empty() && left.size() == right.size() && are_inner(producer, left)) {
    // The producer's rows are the consumer's further dimensions, as in x - x.amax(1, True).
    bool equal = true;
    for (size_t i = 0; i < left.size(); ++i)
      equal &= producer.axes[static_cast<size_t>(left[i])].size ==
               consumer.axes[static_cast<size_t>(right[i])].size;
    if (equal) {
      for (size_t i = 0; i < left.size(); ++i) {
        to_consumer[static_cast<size_t>(left[i])] = right[i];
        to_producer[static_cast<size_t>(right[i])] = left[i];
      }
      left.clear();
      right.clear();
    }
  }
  CommonSpace space;
  if (left.empty() && right.empty()) {
    space.axes = producer.axes;
    space.from_producer = identity(producer.axes.size());
    space.from_consumer = to_producer;
    if (has_inner(consumer)) {
      for (size_t i = 0; i < consumer.axes.size(); ++i) {
        GroupAxis& axis = space.axes[static_cast<size_t>(to_producer[i])];
        if (has_inner(producer) && axis.inner != consumer.axes[i].inner) {
          why = FusionReason::kOtherReduction;
          return std::nullopt;
        }
        axis.inner = consumer.axes[i].inner;
      }
    }
    return space;
  }
  if (left.empty()) {
    if (!becomes_rows(producer, consumer, right, space.axes, why)) return std::nullopt;
    space.from_producer = to_consumer;
    space.from_consumer = identity(consumer.axes.size());
    return space;
  }
  if (right.empty()) {
    if (!becomes_rows(consumer, producer, left, space.axes, why)) return std::nullopt;
    space.from_producer = identity(producer.axes.size());
    space.from_consumer = to_producer;
    return space;
  }
  return std::nullopt;
}

void move_axes(Member& member, const std::vector<int>& where) {
  for (int& axis : member.axes)
    if (axis >= 0) axis = where[static_cast<size_t>(axis)];
  for (int& axis : member.input_axes)
    if (axis >= 0) axis = where[static_cast<size_t>(axis)];
}

namespace {

/// Whether a gather looks up elements of this operand anywhere along a dimension.
bool looks_up(const Graph& graph, const std::vector<NodeFacts>& facts, const Member& member,
              size_t operand) {
  if (facts[index(member.node)].node_class != NodeClass::kGather) return false;
  auto axes = operand_axes(graph, facts, member, operand).axes;
  return std::find(axes.begin(), axes.end(), kFree) != axes.end();
}

/// Whether a gather looks up elements of this operand, which is `made`, in other rows than its own.
bool looks_up_rows(const Graph& graph, const std::vector<NodeFacts>& facts, const Group& group,
                   const Member& member, size_t operand, const Member& made) {
  if (!looks_up(graph, facts, member, operand)) return false;
  auto axes = operand_axes(graph, facts, member, operand).axes;
  Traced traced = trace(graph, facts, facts[index(member.node)].operands[operand]);
  for (size_t dim = 0; dim < traced.dims.size(); ++dim) {
    int axis = traced.dims[dim] < 0 ? -1 : made.axes[static_cast<size_t>(traced.dims[dim])];
    if (axis >= 0 && axes[dim] == kFree && !group.axes[static_cast<size_t>(axis)].inner)
      return true;
  }
  return false;
}

/// Whether the axes used are all of the group's (`inner`: those too) or just its outer ones.
bool covers(const Group& group, const std::vector<int>& used, bool inner) {
  std::vector<bool> seen(group.axes.size(), false);
  for (int axis : used) {
    if (axis < 0) continue;
    if (seen[static_cast<size_t>(axis)]) return false;
    seen[static_cast<size_t>(axis)] = true;
  }
  for (size_t i = 0; i < group.axes.size(); ++i)
    if (seen[i] != (inner || !group.axes[i].inner)) return false;
  return true;
}

bool inner_is_trailing(const Group& group) {
  bool inner = false;
  for (const GroupAxis& axis : group.axes) {
    if (inner && !axis.inner) return false;
    inner |= axis.inner;
  }
  return true;
}

/// Whether the member is made to lie across the group's rows: a store of each element to a line of
/// memory of its own, where a transposition alone goes by tiles. A value of a whole row is one
/// store.
bool is_turned_copy(const Group& group, const NodeFacts& node, const Member& member) {
  if (!node.entry->lowers_to<ops::Copy>() || !inner_is_trailing(group)) return false;
  const auto is_inner = [&](int axis) {
    return axis >= 0 && group.axes[static_cast<size_t>(axis)].inner;
  };
  const auto last =
      std::find_if(member.axes.rbegin(), member.axes.rend(), [](int axis) { return axis >= 0; });
  return last != member.axes.rend() && !is_inner(*last) &&
         std::ranges::any_of(member.axes, is_inner);
}

/// Whether the member copies what lies otherwise than its dimensions count it. Its loops alone are
/// cut so that they find the places without divisions (split_axes.h); reductions keep their order.
bool divides(const Graph& graph, const NodeFacts& node) {
  return node.node_class == NodeClass::kGather && node.view && node.view->same_elements &&
         !plain_dims(*node.view, graph.type(node.operands.front()));
}

/// Whether a device goes over the columns again as well in one kernel: there is a block for each of
/// its processors without cutting columns into slices, or little to do at all.
bool are_columns_near(const Group& group) {
  constexpr int64_t kManyColumns = 4096, kFewElements = 1 << 20;
  SymInt columns = 1, elements = 1;
  for (const GroupAxis& axis : group.axes) {
    elements *= axis.size;
    if (!axis.inner) columns *= axis.size;
  }
  return !decide_less(columns, kManyColumns) || !decide_less(kFewElements, elements);
}

/// Whether a processor goes over rows again as well that do not lie in one piece (a channel of each
/// example): they are in long pieces, and there is one for each thread.
bool are_pieces_near(const Group& group) {
  constexpr int64_t kLongPiece = 64, kManyRows = 16;
  SymInt piece = 1, rows = 1;
  for (const GroupAxis& axis : group.axes) {
    piece = axis.inner ? piece * axis.size : 1;
    if (!axis.inner) rows *= axis.size;
  }
  return piece.hint() >= kLongPiece && rows.hint() >= kManyRows;
}

}  // namespace

bool fits(const Group& group, const Graph& graph, const std::vector<NodeFacts>& facts,
          const std::vector<int>& group_of, int id, bool on_device, FusionReason& why) {
  why = FusionReason::kOtherSpace;
  if (group.members.size() > kMostMembers) {
    why = FusionReason::kTooLarge;
    return false;
  }
  bool any_inner = has_inner(group);
  // Which members' values wait for a reduction of this group, and which come out of a scan: those
  // exist in the row that its loop has come to, these at its element, and nowhere else.
  std::vector<NodeId> waiting, running;
  auto has = [](const std::vector<NodeId>& nodes, NodeId node) {
    return std::find(nodes.begin(), nodes.end(), node) != nodes.end();
  };
  bool rows_read_again = false;
  int scans = 0, reductions = 0;
  for (const Member& member : group.members) {
    const NodeFacts& node = facts[index(member.node)];
    bool reduces = node.node_class == NodeClass::kReduce;
    scans += node.node_class == NodeClass::kScan;
    reductions += reduces;
    bool full = covers(group, member.axes, true);
    if (!full && !(any_inner && covers(group, member.axes, false))) return false;
    if (on_device && any_inner && is_turned_copy(group, node, member)) {
      why = FusionReason::kTurned;
      return false;
    }
    if (!on_device && any_inner && divides(graph, node)) {
      why = FusionReason::kDivides;
      return false;
    }
    if ((reduces || node.node_class == NodeClass::kScan) && !covers(group, member.input_axes, true))
      return false;
    bool waits = false, runs = node.node_class == NodeClass::kScan;
    for (size_t i = 0; i < node.operands.size(); ++i) {
      NodeId root = trace(graph, facts, node.operands[i]).root.node;
      if (group_of[index(root)] != id) continue;
      waits |= has(waiting, root);
      runs |= has(running, root);
      auto made = std::ranges::find(group.members, root, &Member::node);
      bool elsewhere = has(waiting, root) && looks_up_rows(graph, facts, group, member, i, *made);
      if (elsewhere || (has(running, root) && looks_up(graph, facts, member, i))) {
        why = FusionReason::kLookedUp;
        return false;
      }
    }
    if (runs) running.push_back(member.node);
    if (waits && (full || reduces)) rows_read_again = true;
    if (waits || reduces) waiting.push_back(member.node);
  }
  // A scan runs in order; whatever shares its loop would have to.
  if (scans > 1 || (scans && reductions)) {
    why = FusionReason::kOrderOfScan;
    return false;
  }
  if (!rows_read_again) return true;
  why = FusionReason::kColumns;
  if (!inner_is_trailing(group)) {
    if (on_device) return are_columns_near(group);
    if (!are_pieces_near(group)) return false;
  }
  why = FusionReason::kRowTooLong;
  SymInt row = 1;
  for (const GroupAxis& axis : group.axes)
    if (axis.inner) row *= axis.size;
  return row.hint() <= kLongestRow;
}

}  // namespace glint::passes
