// Backward graphs for some of their tangents: what is left, and that it fits.
#include "passes/drop_tangents.h"

#include <catch2/catch.hpp>

#include "passes/operators.h"

using namespace glint;
using namespace glint::passes;

namespace {

constexpr std::string_view kWhole = R"(
graph f(%w: f32[4], %v: f32[4], %t0: f32[4], %t1: f32[4]) -> (f32[4], f32[4], f32[4]) {
  %div = divide %t0, %w : f32[4]
  %mul = multiply %t1, %v : f32[4]
  %add = add %div, %mul : f32[4]
  %cond = greater %w, 0 : bool[4]
  %where = where %cond, %div, %mul : f32[4]
  %neg = negative %t0 : f32[4]
  return %add, %where, %neg
}
)";

ReducedBackward reduced(const std::vector<bool>& arrived) {
  auto whole = parse_graph(kWhole);
  REQUIRE(whole.ok());
  ReducedBackward made = drop_tangents(*whole, arrived);
  CHECK_FALSE(verify_graph(made.graph));
  CHECK_FALSE(verify_calls(made.graph));
  return made;
}

std::string body(const Graph& graph) {
  std::string text;
  for (const StageLine& line : graph_lines(graph)) text += line.text + "\n";
  return text;
}

}  // namespace

TEST_CASE("what depends on no tangent that arrives is nothing", "[backward]") {
  ReducedBackward made = reduced({false, true});
  INFO(body(made.graph));
  CHECK(made.parameters == std::vector<uint32_t>{0, 1, 3});
  CHECK(made.gradients == std::vector<uint32_t>{0, 1});
  auto expected = parse_graph(R"(
graph f(%w: f32[4], %v: f32[4], %t1: f32[4]) -> (f32[4], f32[4]) {
  %mul = multiply %t1, %v : f32[4]
  %cond = greater %w, 0 : bool[4]
  %full = full [4], 0, dtype=f32 : f32[4]
  %where = where %cond, %full, %mul : f32[4]
  return %mul, %where
}
)");
  REQUIRE(expected.ok());
  CHECK(same_graph(made.graph, *expected));
}

TEST_CASE("what only the missing gradients read is not asked for", "[backward]") {
  ReducedBackward made = reduced({true, false});
  INFO(body(made.graph));
  CHECK(made.parameters == std::vector<uint32_t>{0, 2});
  CHECK(made.gradients == std::vector<uint32_t>{0, 1, 2});
  CHECK(made.graph.text(made.graph.outputs[0]) == "%div");
}

TEST_CASE("with all tangents nothing is lost, with none nothing is left", "[backward]") {
  CHECK(body(reduced({true, true}).graph) == body(*parse_graph(kWhole)));
  ReducedBackward none = reduced({false, false});
  CHECK(none.parameters.empty());
  CHECK(none.gradients.empty());
  CHECK(none.graph.nodes.empty());
}
