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
//
// The owner may be a tensor from outside: the value that it gets is an output of the graph, which
// the region's end writes into it. Views of it that outlive the region show its memory all the
// same.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>

#include "ir/symbolic.h"
#include "runtime/capture/tensor_writes.h"
#include "runtime/capture/traced_graph.h"

namespace glint::capture {

class ViewWrites {
 public:
  ViewWrites(TracedGraph& made, ShapeEnvironment& shapes, TensorWrites& outside)
      : made_(made), shapes_(shapes), outside_(outside) {}

  /// Why a pending tensor cannot get a new value by an operator on these arguments, as words behind
  /// `a tensor`; nothing: it can.
  std::optional<std::string> obstacle(const Tensor& target,
                                      std::span<const runtime::Value> arguments);
  /// `y[0] += 1` ends with `y[0]` being copied to `y[0]`: nothing is left to do.
  bool is_copy_of_itself(const ops::OpEntry& entry,
                         std::span<const runtime::Value> arguments) const;
  /// Why the tape would not see what a write means for the views in use; nothing: it need not.
  std::optional<std::string> obstacle_by_history(const Tensor& target,
                                                 std::span<const runtime::Value> arguments);
  /// Why what is written, the first argument, cannot be told from what is read; nothing: it can.
  std::optional<std::string> obstacle_by_reads(std::span<const runtime::Value> arguments);
  /// Whether a tensor of that memory is the value, or is in it.
  bool reads_memory(const runtime::Value& value, uint32_t memory);
  /// A tensor has a new value: so has what it is a view of, and so have all views of that. The
  /// input that is written for the first time by this; undefined: there is none.
  Tensor write_through(const Tensor& view);
  /// An input has a new value. Whether this is its first write. `counted`: not through its `.data`.
  bool write_input(const Tensor& input, Value value, bool counted = true);

 private:
  std::optional<std::string> obstacle_in_memory(const Tensor& target);
  std::optional<std::string> obstacle_in_view(const Tensor& view,
                                              std::span<const runtime::Value> arguments);
  bool is_same_view(Value left, Value right) const;
  /// The value of what is seen, after the view of it by `step` got a new one.
  Value value_seen(const ViewStep& step, Value seen, Value view);
  /// Takes the views of that memory once more which are in use.
  void renew_views(uint32_t memory, bool counted);
  /// The tensor that a pending one shows, however many views away: itself, if it is no view.
  const TensorImpl& owner_of(const Tensor& tensor);
  /// What an input holds now.
  Value value_of_input(const Tensor& input);

  TracedGraph& made_;
  ShapeEnvironment& shapes_;
  TensorWrites& outside_;
  std::map<uint32_t, uint32_t> part_writes_;  ///< by memory: how often a view of it was written
};

}  // namespace glint::capture
