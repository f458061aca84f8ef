// Copies a graph node by node while changing it: what every graph pass is built on.
//
//     Rewriter rewriter(graph);                     parameters are copied at once
//     for each node: rewriter.copy(id)              as it is, with its operands mapped
//                    rewriter.replace(id, value)    its readers read `value` instead
//                    neither                        dropped
//     return rewriter.finish();
//
// A name means the same node in both graphs: what is copied keeps its own, what is new gets one
// that neither has, and what stands for a node that is not copied may inherit its name.
#pragma once

#include <vector>

#include "ir/graph.h"

namespace glint::passes {

class Rewriter {
 public:
  explicit Rewriter(const Graph& graph);

  /// The new graph, to which builders append.
  Graph& result() { return result_; }
  const Graph& source() const { return source_; }

  /// Copies a node; its operands must have been copied or replaced.
  NodeId copy(NodeId node);
  /// Readers of the node's output 0 (or the given one) read a value of the new graph instead.
  void replace(Value old_value, Value new_value);
  /// The new graph's value for one of the old.
  Value map(Value old_value) const;
  Argument map(const Argument& argument) const;
  bool has(NodeId node) const { return !mapped_[index(node)].empty(); }

  /// A node of the new graph is called what one of the old was, which is not copied.
  void inherit_name(NodeId made, NodeId old_node);

  /// The new graph, with its outputs.
  Graph finish();

 private:
  const Graph& source_;
  Graph result_;
  std::vector<std::vector<Value>> mapped_;
};

}  // namespace glint::passes
