// What kernels are called.
#include "scheduled.h"

using namespace glint;
using namespace glint::passes;

namespace {

std::vector<std::string> names_in(const Schedule& schedule) {
  std::vector<std::string> names;
  for (const Kernel& kernel : schedule.kernels) names.push_back(kernel.name);
  return names;
}

std::vector<std::string> names_of(std::string_view text) {
  return names_in(scheduled(text, false));
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("a kernel is called by what was decomposed", "[names]") {
  CHECK(names_of(R"(
graph f(%x: f32[4, 8]) -> f32[4, 8] {
  %mul = multiply %x, 2.0 : f32[4, 8]
  %y = softmax %mul, 1 : f32[4, 8]
  return %y
}
)") == Names{"multiply_softmax"});
}

TEST_CASE("of many operators those stand in a name that tell most, each once", "[names]") {
  CHECK(names_of(R"(
graph f(%x: f32[4, 8]) -> f32[4] {
  %a = multiply %x, 2.0 : f32[4, 8]
  %b = add %a, 1.0 : f32[4, 8]
  %c = sin %b : f32[4, 8]
  %d = multiply %c, %b : f32[4, 8]
  %e = cos %d : f32[4, 8]
  %f = tanh %e : f32[4, 8]
  %y = sum %f, dim=1 : f32[4]
  return %y
}
)") == Names{"sin_cos_sum_and_3_more"});
  CHECK(names_of(R"(
graph f(%x: f32[8]) -> f32[8] {
  %a = add %x, 1.0 : f32[8]
  %b = multiply %a, %x : f32[8]
  %c = add %b, %a : f32[8]
  return %c
}
)") == Names{"add_multiply"});
}

TEST_CASE("a name is no function of C, and no other kernel's", "[names]") {
  CHECK(names_of(R"(
graph f(%x: f32[8], %w: f32[8, 8]) -> (f32[8], f32[8]) {
  %a = exp %x : f32[8]
  %b = mv %w, %a : f32[8]
  %c = exp %b : f32[8]
  return %a, %c
}
)") == Names{"exp_kernel", "exp_k2"});
}

TEST_CASE("a gradient's kernel is called by the operator of the forward", "[names]") {
  auto graph = parse_graph(R"(
graph f(%x: f32[4, 8], %g: f32[4, 8]) -> f32[4, 8] {
  %a = multiply %g, %x : f32[4, 8]
  %b = sum %a, dim=[1], keepdim=True : f32[4, 1]
  %c = multiply %x, %b : f32[4, 8]
  %y = subtract %a, %c : f32[4, 8]
  return %y
}
)");
  REQUIRE(graph.ok());
  for (Node& node : graph->nodes) {
    if (node.kind != NodeKind::kCall) continue;
    node.phase = Phase::kBackward;
    node.gradient_of = Name("softmax");
  }
  PassLog log;
  CHECK(names_in(run_pipeline(*graph, {.verify_calls = true}, log)) == Names{"softmax_backward"});
}
