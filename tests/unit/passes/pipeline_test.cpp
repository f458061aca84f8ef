// What the pipeline says of a pass that fails, and what it keeps for the glass.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

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

/// Lines of the schedule that launch something, and the lines of the script that they come from.
std::vector<std::string> launches_of(const Schedule& schedule) {
  std::vector<std::string> found;
  for (const StageLine& line : schedule_lines(schedule)) {
    const bool launches = line.text.starts_with("  launch ") || line.text.starts_with("     and ");
    if (!launches) continue;
    found.push_back(line.text.substr(0, line.text.find("   reads")));
    for (const Span& span : line.origins) found.back() += fmt::format(" at {}", span.line);
  }
  return found;
}

TEST_CASE("a launch for a GPU has one list of tensors, and its own place", "[pipeline]") {
  // Twice one line, as the rounds of a loop are, and a third one like them.
  const auto graph =
      parse_graph(R"(graph f(%x: f32[8], %y: f32[8], %z: f32[8]) -> (f32[8], f32[8], f32[8]) {
  %a = exp %x : f32[8]   2:4
  %b = exp %y : f32[8]   2:4
  %c = exp %z : f32[8]   3:4
  return %a, %b, %c
}
)");
  REQUIRE(graph.ok());
  const std::vector<std::string> expected = {"  launch exp_kernel(%x, %a) at 2",
                                             "  launch exp_kernel(%y, %b) at 2",
                                             "  launch exp_k3(%z, %c) at 3"};
  PassLog on_gpu;
  CHECK(launches_of(run_pipeline(*graph, {.on_device = true}, on_gpu)) == expected);
  CHECK(on_gpu.decisions.empty());
  PassLog log;
  CHECK(launches_of(run_pipeline(*graph, {}, log)).size() == 3);
  REQUIRE(log.on_gpu != nullptr);
  CHECK(launches_of(*log.on_gpu) == expected);
  CHECK(!verify_schedule(*log.on_gpu));
}

}  // namespace
}  // namespace glint::passes
