// Fusion: which nodes share a kernel.
//
//     %d = subtract %x, %m     f32[s0, 8]          group 0  axes s0 | 8    row-wise
//     %e = exp %d              f32[s0, 8]            %m (reduction), %d, %e, %s (reduction), %q
//     %s = sum %e, dim=1       f32[s0]             one kernel: for each row, a loop for %m, one for
//     %q = divide %e, %s.view  f32[s0, 8]          %s, one for %q
//
// A group iterates over axes. Outer axes are parallel; inner ones, where there are any, are what
// its reductions run along. A member has an element for each point of all axes (full), or for each
// point of the outer axes (row). Views belong to no group: they are read through. Neither do fills
// and ranges, nor pointwise nodes so cheap that each of their readers computes them again.
//
// Needs     any graph whose calls are in the operator table.
// Leaves    groups in an order that runs, each with the values that others need from it; and the
//           decision about each pair that was looked at, with its reason, in the log.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/graph.h"
#include "passes/node_class.h"
#include "passes/pass_log.h"

namespace glint::passes {

struct GroupAxis {
  SymInt size;
  bool inner = false;
};

struct Member {
  NodeId node;
  /// The axis along each dimension of the member's output; -1 for size 1.
  std::vector<int> axes;
  /// Of a reduction or scan: the axis along each dimension of its input.
  std::vector<int> input_axes;
};

enum class GroupKind : uint8_t { kKernel, kConcatenate, kLibrary };

struct Group {
  GroupKind kind = GroupKind::kKernel;
  std::vector<GroupAxis> axes;
  std::vector<Member> members;  ///< in graph order
  std::vector<Value> outputs;   ///< what others read, in graph order

  bool is_full(const Member& member) const;
};

struct FusionPlan {
  std::vector<NodeFacts> facts;
  std::vector<Group> groups;
  /// The group of each node; -1 for those in none, whose readers compute or look through them.
  std::vector<int> group_of;

  /// Whether readers in other groups compute this node themselves.
  bool is_inlined(NodeId node) const;
};

/// Rows longer than this do not stay in the cache between a reduction and its reader.
inline constexpr int64_t kLongestRow = 1 << 16;
inline constexpr size_t kMostMembers = 160;
/// Up to so many elements (some 200 ns) the 10 ns of a launch are worth saving.
inline constexpr int64_t kSmallSpace = 1 << 12;

/// `on_device`: the kernels run on an accelerator, which goes over columns as well as over rows.
FusionPlan fuse(const Graph& graph, std::vector<FusionDecision>& decisions, bool on_device = false);

/// Reorders groups so that values live short: a group runs as late as its first reader allows, and
/// in the graph's order otherwise.
void order(FusionPlan& plan, const Graph& graph);

}  // namespace glint::passes
