// Writes through views of tensors that the region made: the graph stays free of writes.
//
//     y = torch.zeros(4)      %zeros
//     y[0] = 7                %select   = select %zeros, 0, 0            the view that is written
//                             %fill     = fill %select, 7                what it is from now on
//                             %zeros_1  = select_scatter %zeros, %fill, 0, 0      y from now on
//
// Each kind of view has an operator that goes back: from the view's new value and what was seen to
// what is seen now. It is applied from the written view down to the tensor that owns the memory;
// then all views of it that are in use are taken once more. Where there is no such operator
// (`expand`), and where the tape would have to know (while gradients are recorded), the write ends
// the region.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>

#include "ir/symbolic.h"
#include "runtime/capture/traced_graph.h"

namespace glint::capture {

class ViewWrites {
 public:
  ViewWrites(TracedGraph& made, ShapeEnvironment& shapes) : made_(made), shapes_(shapes) {}

  /// Why a pending tensor cannot get a new value by an operator on these arguments, as words behind
  /// `a tensor`; nothing: it can.
  std::optional<std::string> obstacle(const Tensor& target,
                                      std::span<const runtime::Value> arguments);
  /// `y[0] += 1` ends with `y[0]` being copied to `y[0]`: nothing is left to do.
  bool is_copy_of_itself(const ops::OpEntry& entry,
                         std::span<const runtime::Value> arguments) const;
  /// A tensor has a new value: so has what it is a view of, and so have all views of that.
  void write_through(const Tensor& view);

 private:
  std::optional<std::string> obstacle_in_memory(const Tensor& target);
  /// Why the tape would not see what a write means for the views in use; nothing: it need not.
  std::optional<std::string> obstacle_by_history(const Tensor& target,
                                                 std::span<const runtime::Value> arguments);
  std::optional<std::string> obstacle_in_view(const Tensor& view,
                                              std::span<const runtime::Value> arguments);
  bool is_same_view(Value left, Value right) const;
  /// The value of what is seen, after the view of it by `step` got a new one.
  Value value_seen(const ViewStep& step, Value seen, Value view);
  /// Takes the views of that memory once more which are in use.
  void renew_views(uint32_t memory);

  TracedGraph& made_;
  ShapeEnvironment& shapes_;
  std::map<uint32_t, uint32_t> part_writes_;  ///< by memory: how often a view of it was written
};

}  // namespace glint::capture
