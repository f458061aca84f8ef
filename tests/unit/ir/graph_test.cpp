#include "ir/graph.h"

#include <catch2/catch.hpp>

using namespace glint;

namespace {

constexpr std::string_view kGraph =
    "graph f(%x: f32[s0, 8], %y: f32[s0, 8]) -> f32[s0] {\n"
    "  %mul  = multiply %x, %y   : f32[s0, 8]   5:22\n"
    "  %relu = relu %mul         : f32[s0, 8]   5:11\n"
    "  %sum  = sum %relu, dim=1  : f32[s0]      5:11\n"
    "  return %sum\n"
    "}\n";

std::string error_of(std::string_view text) {
  auto graph = parse_graph(text);
  return graph.ok() ? "no error" : graph.error().message;
}

}  // namespace

TEST_CASE("a graph reads back from its text") {
  auto graph = parse_graph(kGraph);
  REQUIRE(graph.ok());
  CHECK(print(*graph) == kGraph);
  CHECK_FALSE(verify_graph(*graph));
  CHECK(graph->parameter_count == 2);
  CHECK(graph->nodes[4].find("dim")->get_if<SymInt>()->is(1));
}

TEST_CASE("a listing's lines on what a region writes are read over") {
  auto graph = parse_graph(std::string(kGraph) + "journal: y = %add   1:0   y\njournal: i = 2\n");
  REQUIRE(graph.ok());
  CHECK(print(*graph) == kGraph);
}

TEST_CASE("every kind of argument reads back") {
  constexpr std::string_view kText =
      "graph f(%x: f32[4], %n: i64) -> (f32[4], i64[2]) {\n"
      "  %c   = constant [1, -2] : i64[2]\n"
      "  %a   = many %x, [%x, %c], None, True, 3, -2.5, 1e-05, inf, \"a \\\"b\\\"\", f32, cpu, "
      "dims=[0, s0 + 1], empty=[]  : f32[4], i64[2]   1:2 3:4\n"
      "  %b_1 = use %a.1 : i64[2]\n"
      "  return %a, %a.1\n"
      "}\n";
  auto graph = parse_graph(kText);
  REQUIRE(graph.ok());
  CHECK_FALSE(verify_graph(*graph));
  auto again = parse_graph(print(*graph));
  REQUIRE(again.ok());
  CHECK(same_graph(*graph, *again));
  CHECK(print(*graph) == print(*again));
  CHECK(graph->nodes[3].origins.size() == 2);
}

TEST_CASE("phases of a training step are part of the text") {
  constexpr std::string_view kStep =
      "graph step(%w: f32[4], %x: f32[4]) -> (f32[], f32[4]) {\n"
      "forward:\n"
      "  %mul     = multiply %w, %x          : f32[4]   3:9\n"
      "  %sum     = sum %mul                 : f32[]    3:16\n"
      "backward:\n"
      "  %ones    = ones_like %sum           : f32[]    4:5\n"
      "  %mul_1   = multiply %x, %ones       : f32[4]   3:9\n"
      "update:\n"
      "  %sub     = sub %w, %mul_1, alpha=2  : f32[4]   5:5\n"
      "  return %sum, %sub\n"
      "}\n";
  auto graph = parse_graph(kStep);
  REQUIRE(graph.ok());
  CHECK(graph->nodes[3].phase == Phase::kForward);
  CHECK(graph->nodes[4].phase == Phase::kBackward);
  CHECK(graph->nodes[6].phase == Phase::kUpdate);
  auto again = parse_graph(print(*graph));
  REQUIRE(again.ok());
  CHECK(same_graph(*graph, *again));
  CHECK(print(*again) == print(*graph));
  CHECK(print(*graph).find("{\nforward:\n  %mul") != std::string::npos);
  CHECK(print(*graph).find("\nbackward:\n") != std::string::npos);
  for (Node& node : graph->nodes) node.phase = Phase::kForward;
  CHECK(print(*graph).find("forward:") == std::string::npos);
  again->nodes[6].phase = Phase::kBackward;
  CHECK_FALSE(same_graph(*graph, *again));
}

TEST_CASE("errors in a graph's text are located") {
  CHECK(error_of("graph f() -> f32[] {\n  %a = relu %x : f32[]\n  return %a\n}") ==
        "line 2, column 14: `%x` is not defined before this line");
  CHECK(error_of("graph f(%x: f33[2]) -> f32[2] {\n  return %x\n}") ==
        "line 1, column 12: expected a dtype, such as `f32`");
  CHECK(error_of("graph f(%x: f32[2]) -> f32[2] {\n  %x = relu %x : f32[2]\n  return %x\n}") ==
        "line 2, column 4: `%x` is defined twice");
  CHECK(error_of("graph f(%x: f32[2]) -> f64[2] {\n  return %x\n}") ==
        "line 2, column 11: this is f32[2], the head says f64[2]");
  CHECK(error_of("graph f(%x: f32[2]) -> f32[2] {\n  return %x, %x\n}") ==
        "line 2, column 15: 2 returned, the head says 1");
  CHECK(error_of("graph f(%x: f32[2]) -> f32[2] {\n  %a = relu %x\n  return %a\n}") ==
        "line 3, column 11: `%a` gives nothing: its line ends without a type");
}

TEST_CASE("the verifier names what is wrong") {
  Graph graph = *parse_graph(kGraph);
  graph.nodes[2].arguments[0].value = Argument(Value{NodeId(4), 0});
  REQUIRE(verify_graph(graph));
  CHECK(verify_graph(graph)->message == "%mul: it uses a value that does not stand before it");
  graph = *parse_graph(kGraph);
  graph.nodes[3].name = "mul";
  CHECK(verify_graph(graph)->message == "%mul: the name is taken");
  graph = *parse_graph(kGraph);
  graph.outputs = {Value{NodeId(4), 1}};
  CHECK(verify_graph(graph)->message == "the graph returns a value that does not exist");
  graph = *parse_graph(kGraph);
  graph.nodes[2].outputs[0].sizes[0] = -1;
  REQUIRE(verify_graph(graph));
  CHECK(verify_graph(graph)->message == "%mul: a size is not negative");
}

TEST_CASE("names are made unique") {
  Graph graph;
  graph.add_parameter("x", TensorType::tensor(DType::kFloat32, {2}));
  for (int i = 0; i < 3; ++i)
    graph.add_call("x", Name("relu"), {{Name(), Value{NodeId(0), 0}}},
                   {TensorType::tensor(DType::kFloat32, {2})}, {});
  CHECK(graph.nodes[1].name == "x_1");
  CHECK(graph.nodes[3].name == "x_3");
  CHECK_FALSE(verify_graph(graph));
}
