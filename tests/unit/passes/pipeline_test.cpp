// What the pipeline says of a pass that fails.
#include <algorithm>

#include <catch2/catch.hpp>

#include "core/support/check.h"
#include "passes/pipeline.h"

namespace glint::passes {
namespace {

TEST_CASE("a pass that fails is named, and the place where it did, once", "[pipeline]") {
  Graph graph;
  graph.outputs = {graph.add_parameter("x", TensorType::tensor(DType::kFloat32, {4}))};
  PassLog log;
  try {
    run_pipeline(graph, {.fail_stage = "simplify"}, log);
    FAIL("nothing was thrown");
  } catch (const InternalError& error) {
    std::string message(error.message()), text = error.what();
    CHECK(message == "pass simplify: simplify: made to fail by GLINT_FAIL");
    CHECK(path_in_project(error.where().file_name()) == "passes/pipeline.cpp");
    CHECK_THAT(text, Catch::StartsWith(message + " (passes/pipeline.cpp:"));
    CHECK(std::ranges::count(text, '(') == 1);
  }
}

}  // namespace
}  // namespace glint::passes
