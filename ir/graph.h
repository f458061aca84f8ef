// Graph IR: what is computed. A list of operator calls on tensors, in an order that runs.
//
//     graph f(%x: f32[s0, 8], %y: f32[s0, 8]) -> f32[s0] {
//       %mul  = multiply %x, %y   : f32[s0, 8]      5:22
//       %relu = relu %mul         : f32[s0, 8]      5:11
//       %sum  = sum %relu, dim=1  : f32[s0]         5:11
//       return %sum
//     }
//
// Semantics
//   Nodes       Parameters first, then constants and calls, each after what it uses; a node's id is
//               its place in the list. A call's target is the name of an entry in ops/; ir itself
//               knows no operators.
//   Values      A node has one or more outputs; `Value` names one of them: `%max` is output 0,
//               `%max.1` the next.
//   Arguments   In the order of the operator's signature: parameters without a default by position
//               (their name is empty), the others by name, left out where they equal the default.
//               So every call has one spelling: `sum %relu, dim=1`, `multiply %x, 2.5`.
//   Types       Each output has a TensorType. Strides are part of it: a view's type says how it
//               lies over its base, an operator's output is laid out as eager lays it out.
//   Purity      Calls have no effect but their outputs, except those whose entry declares one
//               (random numbers); such nodes keep their order.
//   Origins     Each node has the source spans that it came from, innermost first; a node made of
//               several has all of theirs. They print as `line:column` and are kept by every pass.
//   Sizes       `where s0 = 4, s1 == 8*s0` below the header: what the region found out about its
//               symbols and guards; see size_facts.h. Nothing is assumed where it is left out.
//   Constants   A small tensor known at compile time: `%c = constant [1.0, 2.0] : f32[2]`; the
//               list is flat, in row-major order.
//
// A graph is plain data; passes take one and return another. `verify_graph` lists its invariants.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/support/result.h"
#include "core/support/span.h"
#include "core/support/stage_log.h"
#include "ir/argument.h"
#include "ir/name.h"
#include "ir/size_facts.h"
#include "ir/tensor_type.h"

namespace glint {

enum class NodeId : uint32_t {};
constexpr size_t index(NodeId id) {
  return static_cast<size_t>(id);
}

/// One output of one node.
struct Value {
  NodeId node = NodeId(~0u);
  uint32_t output = 0;
  bool operator==(const Value&) const = default;
};

using Argument = BasicArgument<Value>;
using NamedArgument = BasicNamedArgument<Value>;

enum class NodeKind : uint8_t { kParameter, kConstant, kCall };

/// Which part of a training step a call belongs to. What follows a backward pass is the update.
enum class Phase : uint8_t { kForward, kBackward, kUpdate };
std::string_view phase_name(Phase phase);

struct Node {
  NodeKind kind = NodeKind::kCall;
  std::string name = {};  ///< without the `%`; unique in the graph
  Name target = {};       ///< the operator; empty for parameters and constants
  std::vector<NamedArgument> arguments = {};
  std::vector<TensorType> outputs = {};  ///< one for parameters and constants
  std::vector<std::byte> data = {};      ///< a constant's elements, contiguous
  std::vector<Span> origins = {};        ///< of the script first, then of the library
  /// Of a node that a decomposition made: the composite call that it is part of, `softmax`, and
  /// that call's name. For names of kernels; not part of the text.
  Name composite = {};
  std::string composite_node = {};
  /// In which module of a network it was called, or which module owns the parameter:
  /// `Net.layers.0.linear`; empty outside of modules. Not part of the text.
  std::string module = {};
  Phase phase = Phase::kForward;  ///< of a call
  /// Of a call that a gradient rule made: the operator of the forward that the rule is of. For
  /// names of kernels; not part of the text.
  Name gradient_of = {};

  /// It does what that node did, or a part of it, and belongs where that one belonged.
  void belong_with(const Node& other);
  /// The argument given by that name; null when it was left out or is positional.
  const Argument* find(std::string_view parameter) const;
};

struct Graph {
  std::string name;
  std::vector<Node> nodes;
  uint32_t parameter_count = 0;  ///< the first nodes
  std::vector<Value> outputs;    ///< may repeat a value, and may be parameters
  SizeFacts sizes = {};          ///< of the symbols; a line `where ...` below the header

  const Node& operator[](NodeId id) const { return nodes[index(id)]; }
  Node& operator[](NodeId id) { return nodes[index(id)]; }
  const TensorType& type(Value value) const { return (*this)[value.node].outputs[value.output]; }
  size_t call_count() const;

  /// Appends a parameter; before any other node.
  Value add_parameter(std::string_view name, TensorType type, std::vector<Span> origins = {});
  /// Appends a constant; `data` holds `type.numel()` elements.
  Value add_constant(std::string_view name, TensorType type, std::vector<std::byte> data,
                     std::vector<Span> origins);
  /// Appends a call; the name is made unique by a number (`mul`, `mul_1`) if it is taken.
  NodeId add_call(std::string_view name, Name target, std::vector<NamedArgument> arguments,
                  std::vector<TensorType> outputs, std::vector<Span> origins);

  /// Keeps a name from nodes that are added from now on.
  void reserve_name(std::string_view name);

  /// `%mul`, `%max.1`.
  std::string text(Value value) const;

 private:
  std::string unique_name(std::string_view wanted);
  /// For each name in use, the number to try next.
  std::unordered_map<std::string, uint32_t> taken_;
};

/// Which nodes use each node, in id order, one entry per using node; `uses[n]` for node n. A graph
/// output is no use.
std::vector<std::vector<NodeId>> find_uses(const Graph& graph);

/// Equal but for what text does not hold: the source file and the end of each span.
bool same_graph(const Graph& a, const Graph& b);

/// `%x`, `[0, 1]`, `2.5`, `f32`: an argument as it stands in the text.
std::string argument_text(const Graph& graph, const Argument& argument);

/// The text form, one StageLine a line, and joined.
std::vector<StageLine> graph_lines(const Graph& graph);
std::string print(const Graph& graph);
/// Reads the text form; the error's span has the line and column of the text. Spans get
/// `origin_source` as their file.
Result<Graph> parse_graph(std::string_view text, SourceId origin_source = SourceId(1));

/// Checks, and names the first violation (nothing when all hold):
///   1. parameters are exactly the first `parameter_count` nodes, and have one output;
///   2. every name is a word ([A-Za-z_][A-Za-z0-9_]*) and unique;
///   3. every value that a node or the graph's outputs use exists, and stands before its use;
///   4. calls have a target; others have neither target nor arguments, and one output;
///   5. no argument is named twice, and positional ones come first;
///   6. a constant has numel elements of data, and its type is contiguous with constant sizes;
///   7. some sizes fulfil what stands behind `where`;
///   8. strides are absent or one a dimension; scalars have no sizes; no size is negative.
/// That each call fits its operator (arguments, types) is checked in passes/, which sees ops/.
std::optional<Error> verify_graph(const Graph& graph);

}  // namespace glint
