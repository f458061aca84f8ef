// What stays whole in a decomposition: calls that a library does, also inside of others.
#include "passes/decompose.h"

#include <catch2/catch.hpp>

#include "joint_graph.h"

using namespace glint;
using namespace glint::passes;

namespace {

std::vector<std::string> targets(const Graph& graph) {
  std::vector<std::string> names;
  for (const Node& node : graph.nodes)
    if (node.kind == NodeKind::kCall) names.emplace_back(node.target.text());
  return names;
}

TEST_CASE("a call that stays whole does so where another is written with it") {
  const Graph graph = tests::parse(
      R"(graph f(%x: f32[2, 4, 5], %w: f32[4, 3, 3], %b: f32[3]) -> f32[2, 3, 11] {
  %y = transposed_convolution %x, %w, %b, [2], [0], [0], 1, [1] : f32[2, 3, 11]
  return %y
}
)");
  const auto is_convolution = [](const Node& node) {
    return node.target.text() == "convolution_of_input" &&
           node.outputs[0].sizes == std::vector<SymInt>{2, 3, 11};
  };
  CHECK(targets(decompose_others(graph, is_convolution)) ==
        std::vector<std::string>{"convolution_of_input", "reshape", "add"});
  CHECK(targets(decompose_others(graph, {})) == targets(decompose(graph)));
  CHECK(targets(decompose(graph)).size() > 3);
}

}  // namespace
