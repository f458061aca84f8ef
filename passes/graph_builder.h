// The OpBuilder that appends nodes to a graph. Capture writes its graphs through it, decompositions
// run on it.
//
//     GraphBuilder b(graph, origins);
//     OpValue y = b.call("multiply", {b.value(x), 2.0});      // %mul = multiply %x, 2.0 : f32[8]
#pragma once

#include <string>
#include <vector>

#include "ir/graph.h"
#include "ir/op_builder.h"
#include "ops/op.h"

namespace glint::passes {

class GraphBuilder : public OpBuilder {
 public:
  /// New nodes get these origins.
  GraphBuilder(Graph& graph, std::vector<Span> origins)
      : graph_(graph), origins_(std::move(origins)) {}

  std::vector<OpValue> call_all(std::string_view target, std::vector<OpArgument> positional,
                                std::vector<OpNamedArgument> named) override;
  TensorType type(const OpValue& value) override { return graph_.type(value.value); }

  /// Appends a call from one argument a parameter; types are inferred (throws ops::OpError for
  /// arguments that eager execution refuses). The name is Python's unless one is given.
  NodeId append(const ops::OpEntry& entry, std::vector<Argument> bound, std::string_view name = {});

  void set_origins(std::vector<Span> origins) { origins_ = std::move(origins); }
  /// New nodes belong to this module.
  void set_module(std::string module) { module_ = std::move(module); }
  static OpValue value(Value v) { return {{}, v}; }

 private:
  Graph& graph_;
  std::vector<Span> origins_;
  std::string module_;
};

}  // namespace glint::passes
