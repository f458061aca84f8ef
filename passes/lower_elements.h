// Writes the statements that compute one element of one value: the heart of lowering.
//
//     at(%relu, [i, j])   ->   a = load %x[i, j]
//                              b = load %y[j]
//                              c = multiply a, b
//                              d = maximum c, 0.0        and gives d
//
// It pulls: an element of a value needs elements of the operands, at indices that follow from the
// operator. Broadcasting drops indices, views rewrite them, a gather makes one from a loaded value.
// So views cost nothing and producers are computed wherever they are read. What was written for the
// same value at the same place is used again while its block is open.
#pragma once

#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

#include "ir/kernel_builder.h"
#include "passes/fuse.h"

namespace glint::passes {

using Place = std::vector<IndexExpression>;

class ElementWriter {
 public:
  ElementWriter(const Graph& graph, const FusionPlan& plan, int group, KernelBuilder& builder);

  /// Declares parameters for all tensors that these values are computed from.
  void declare_inputs(const std::vector<Value>& values);
  /// The tensors behind the parameters, in order.
  const std::vector<Value>& inputs() const { return inputs_; }

  /// The value's element at a place, one index a dimension. It has the value's dtype.
  Operand at(Value value, const Place& place);

  /// The index that a gather (no view) has for its element at a place, checked: what is written
  /// before a loop is not checked in it again.
  Operand checked_index(NodeId gather, const Place& place);
  /// Where that index lies in the tensor of indices.
  Place index_place(const NodeFacts& facts, const Place& place) const;

  /// Asked first, for members that are not computed here and now: the result of a reduction, what
  /// an earlier loop kept.
  std::function<std::optional<Operand>(Value, const Place&)> lookup;

  /// What is written from here on is forgotten by the matching `end_block`.
  void begin_block() { blocks_.push_back(written_.size()); }
  void end_block();
  /// Statements from here on come from this node.
  void enter(NodeId node);

  /// A conversion for a reduction's input: the accumulator's dtype.
  Operand cast(Operand operand, DType dtype) { return builder_.cast(operand, dtype); }

 private:
  struct Written {
    Value value;
    Place place;
    Operand operand;
  };

  std::optional<Operand> find_written(Value value, const Place& place) const;
  void remember(Value value, const Place& place, Operand operand);
  bool in_memory(NodeId node) const;
  bool is_leaf(Value value) const;
  void declare(Value value);
  Operand compute(Value value, const Place& place);
  Operand view(const NodeFacts& facts, Value value, const Place& place);
  Place through_reshape(const std::vector<SymInt>& sizes, const Place& place,
                        const TensorType& base);
  Operand pointwise(const NodeFacts& facts, const Node& node, const Place& place);
  Operand create(const NodeFacts& facts, const Node& node, const Place& place);
  Operand gather(const NodeFacts& facts, const Node& node, const Place& place);
  /// A tensor or a number, in a dtype, aligned at the last dimension of the result.
  Operand operand(const Argument& argument, const Place& place, DType dtype);
  Operand number(const Argument& argument, DType dtype);
  void check_bounds(Operand index_operand, SymInt size);
  void check_divisor(Operand divisor, DType dtype);
  void check_condition(const NodeFacts& facts, const Place& place);

  const Graph& graph_;
  const FusionPlan& plan_;
  int group_;
  KernelBuilder& builder_;
  std::vector<Value> inputs_;
  std::unordered_map<uint64_t, BufferId> parameters_;
  std::unordered_map<uint64_t, uint32_t> origins_;
  std::vector<Written> written_;
  /// For each value, the newest of its entries in `written_`, and from each entry the one before.
  std::unordered_map<uint64_t, size_t> newest_;
  std::vector<size_t> older_;
  std::vector<size_t> blocks_;
};

}  // namespace glint::passes
