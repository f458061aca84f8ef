// The schedule of one operator: a graph of its one call, through the same passes as any region.
//
//     torch.softmax(x, 1)        graph of %x: f32[s0, s1] and one call  ->  schedule
//
// Where the call has a target, the result is converted to its dtype, takes its strides, and is
// computed into its memory.
#pragma once

#include <optional>
#include <vector>

#include "ir/kernel.h"
#include "runtime/device/abstract_call.h"

namespace glint::device {

struct OperatorSchedule {
  std::vector<Relation> relations;  ///< of the sizes that it holds for
  /// A result shows an argument's memory: the call runs as eager execution does, operator by
  /// operator, which knows whose view is whose. There is no schedule then.
  bool shares_memory = false;
  /// Nothing where a call's target cannot be written by the launch that computes the result:
  /// another size, a dtype that the result does not go into, elements that are read after they are
  /// written.
  std::optional<Schedule> schedule;
};

OperatorSchedule operator_schedule(const ops::OpEntry& entry, const AbstractCall& call);

}  // namespace glint::device
