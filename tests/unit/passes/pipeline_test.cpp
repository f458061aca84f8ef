// What the pipeline says of a pass that fails.
#include <algorithm>

#include <catch2/catch.hpp>

#include "core/support/check.h"
#include "passes/pipeline.h"

namespace glint::passes {
namespace {

TEST_CASE("a pass that fails is named, and the place where it did, once", "[pipeline]") {
  Graph graph;
  TensorType type = TensorType::tensor(DType::kFloat32, {4});
  Value x = graph.add_parameter("x", type);
  NodeId call = graph.add_call("y", "nonsense", {{"", Argument(x)}}, {type}, {});
  graph.outputs = {{call, 0}};
  PassLog log;
  try {
    run_pipeline(graph, {}, log);
    FAIL("nothing was thrown");
  } catch (const InternalError& error) {
    std::string message(error.message()), text = error.what();
    CHECK_THAT(message, Catch::StartsWith("pass "));
    CHECK_THAT(message, Catch::EndsWith(": there is no operator `nonsense`"));
    CHECK(path_in_project(error.where().file_name()) == "passes/operators.cpp");
    CHECK_THAT(text, Catch::StartsWith(message + " (passes/operators.cpp:"));
    CHECK(std::ranges::count(text, '(') == 1);
  }
}

}  // namespace
}  // namespace glint::passes
