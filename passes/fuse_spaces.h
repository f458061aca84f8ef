// Can two groups iterate together? The question behind every fusion decision, apart from order.
#pragma once

#include <optional>
#include <vector>

#include "passes/fuse.h"

namespace glint::passes {

/// The dims of a consumer's operand, as axes of the consumer's group: -1 where it does not vary,
/// kFree where it is read at a computed place.
inline constexpr int kFree = -2;
struct OperandAxes {
  std::vector<int> axes;
  bool shifted = false;  ///< read at places that no axis runs along
};
OperandAxes operand_axes(const Graph& graph, const std::vector<NodeFacts>& facts,
                         const Member& consumer, size_t operand);

/// A producer's dimension that runs along one axis in its group and another in its reader's.
struct AxisPair {
  int producer_axis;
  int consumer_axis;
};

/// The common axes of two groups, and where each one's own axes went.
struct CommonSpace {
  std::vector<GroupAxis> axes;
  std::vector<int> from_producer;
  std::vector<int> from_consumer;
};

/// The space in which both groups fit, given the axes that edges between them tie together.
/// Otherwise nothing, and why.
std::optional<CommonSpace> common_space(const Group& producer, const Group& consumer,
                                        const std::vector<AxisPair>& ties, FusionReason& why);

/// Rewrites a member's axes.
void move_axes(Member& member, const std::vector<int>& where);

/// Whether each member is full or row-wise in its group, reductions run along the inner axes, and
/// rows that are read again are short and lie in one piece; columns may be on a device.
bool fits(const Group& group, const Graph& graph, const std::vector<NodeFacts>& facts,
          const std::vector<int>& group_of, int id, bool on_device, FusionReason& why);

}  // namespace glint::passes
