// Composites that are taken apart before a joint graph is cut, and those that stay.
#include "passes/open_composites.h"

#include <algorithm>

#include <catch2/catch.hpp>

#include "joint_graph.h"

using namespace glint;
using namespace glint::passes;
using namespace glint::tests;

namespace {

/// The joint graph of a forward, with its phases.
Graph joint_with_phases(std::string_view text) {
  Graph forward = parse(text), joint = joint_of(forward);
  const size_t end = forward.nodes.size() + forward.outputs.size();
  for (size_t i = end; i < joint.nodes.size(); ++i) joint.nodes[i].phase = Phase::kBackward;
  return joint;
}

int64_t count_of(const Graph& graph, std::string_view target, Phase phase) {
  return std::ranges::count_if(graph.nodes, [&](const Node& node) {
    return node.kind == NodeKind::kCall && node.target == Name(target) && node.phase == phase;
  });
}

}  // namespace

TEST_CASE("the sums of a layer norm are done once", "[composites]") {
  Graph joint = joint_with_phases(R"(
graph f(%x: f32[4, 8], %w: f32[8]) -> f32[4, 8] {
  %y = layer_norm %x, [8], weight=%w : f32[4, 8]
  return %y
}
)");
  Graph opened = open_composites(joint);
  INFO(print(opened));
  CHECK(count_of(opened, "layer_norm", Phase::kForward) == 0);
  CHECK(count_of(opened, "sum", Phase::kForward) == 2);
  CHECK(count_of(opened, "rsqrt", Phase::kForward) == 1);
  CHECK(count_of(opened, "rsqrt", Phase::kBackward) == 0);
  CHECK(opened.text(opened.outputs[0]) == "%y");
}

TEST_CASE("a composite whose result is all that the backward reads stays whole", "[composites]") {
  for (std::string_view name : {"softmax", "log_softmax"}) {
    Graph joint = joint_with_phases(fmt::format(R"(
graph f(%x: f32[4, 8]) -> f32[4, 8] {{
  %y = {} %x, 1 : f32[4, 8]
  return %y
}}
)",
                                                name));
    Graph opened = open_composites(joint);
    INFO(print(opened));
    CHECK(count_of(opened, name, Phase::kForward) == 1);
  }
}
