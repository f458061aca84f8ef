// What the pipeline says of a pass that fails, and what it keeps for the glass.
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

TEST_CASE("a long reduction that the processor's threads share is whole for a GPU", "[pipeline]") {
  const auto graph = parse_graph(R"(graph f(%x: f32[1000000]) -> f32[] {
  %s = sum %x : f32[]
  return %s
}
)");
  REQUIRE(graph.ok());
  PassLog log;
  CHECK(run_pipeline(*graph, {}, log).kernels.size() == 2);
  REQUIRE(log.on_gpu != nullptr);
  CHECK(log.on_gpu->kernels.size() == 1);
  CHECK(!verify_schedule(*log.on_gpu));
  PassLog on_gpu;
  CHECK(run_pipeline(*graph, {.on_device = true}, on_gpu).kernels.size() == 1);
  CHECK(on_gpu.on_gpu == nullptr);
}

}  // namespace
}  // namespace glint::passes
