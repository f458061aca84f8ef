// The schedule of one operator: a graph of its one call, through the same passes as any region.
//
//     torch.softmax(x, 1)        graph of %x: f32[s0, s1] and one call  ->  schedule
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
  /// The result has the first argument's sizes and dtype, and is written over it if it may.
  bool is_update = false;
  std::optional<Schedule> schedule;
};

/// `is_update`: the operator computes into its first argument, if it can.
OperatorSchedule operator_schedule(const ops::OpEntry& entry, const AbstractCall& call,
                                   bool is_update);

}  // namespace glint::device
