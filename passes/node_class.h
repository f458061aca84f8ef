// What a node is to fusion and lowering, and where a value comes from when views are looked
// through.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ir/graph.h"
#include "ir/view_map.h"
#include "ops/op.h"

namespace glint::passes {

enum class NodeClass : uint8_t {
  kGiven,        ///< a parameter or a constant
  kView,         ///< no work: its elements are another value's
  kCreate,       ///< fill, arange: from nothing, so always made where it is needed
  kPointwise,    ///< one element from one element of each operand, conversions and copies too
  kGather,       ///< one element from a computed place of its source
  kReduce,       ///< combines along dimensions
  kScan,         ///< combines along a dimension and keeps every step
  kConcatenate,  ///< several tensors behind one another
  kLibrary,      ///< a step of the schedule of its own
};

/// A node with all that fusion asks of it, worked out once.
struct NodeFacts {
  NodeClass node_class = NodeClass::kGiven;
  const ops::OpEntry* entry = nullptr;
  std::vector<Argument> arguments;  ///< one a parameter; calls only
  std::vector<Value> operands;      ///< the tensors that it reads
  std::vector<int64_t> dims;        ///< of kReduce, kScan: along which; kGather: the one
  std::optional<ViewMap> view;      ///< of kView, and of a kGather that copies a view
};
std::vector<NodeFacts> find_facts(const Graph& graph);

/// A value with the views before it taken off.
struct Traced {
  Value root;
  /// For each dimension of the value, the root's dimension that it runs along; -1 where the value
  /// is broadcast or of size 1.
  std::vector<int> dims;
  /// A view between them shifts, splits or strides, so that dims says nothing.
  bool shifted = false;
};
Traced trace(const Graph& graph, const std::vector<NodeFacts>& facts, Value value);

/// Which base dimension each dimension of a view runs along, if the view only reorders, adds and
/// removes dimensions.
std::optional<std::vector<int>> plain_dims(const ViewMap& map, const TensorType& base);

/// How dear it is to compute an element again: 1 for arithmetic, more for division and functions.
int cost_of(const NodeFacts& facts);

/// Whether computing it may end in an error. A reader may look at some of the elements, and an
/// error is for all of them. A divisor that is a number is not zero: that is refused where the call
/// is checked.
bool may_fail(const Graph& graph, const std::vector<NodeFacts>& facts, NodeId id);

}  // namespace glint::passes
