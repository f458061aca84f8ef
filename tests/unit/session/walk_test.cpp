// `:step`: a graph, its passes and its kernels, step by step with values.

#include <algorithm>
#include <catch2/catch.hpp>

#include "runtime/session/session.h"

namespace glint {
namespace {

struct Compiled {
  Session session{{.arguments = {""}}};

  explicit Compiled(const std::string& text) {
    session.keep_inputs();
    REQUIRE(session.run_text("<string>", "import torch\n" + text) == 0);
  }
};

bool has(const std::vector<std::string>& lines, const std::string& text) {
  return std::ranges::any_of(
      lines, [&](const auto& line) { return line.find(text) != std::string::npos; });
}

constexpr const char* kScaled =
    "@torch.compile\n"
    "def f(x, k):\n"
    "    return torch.relu(x * k - 1).sum(dim=1)\n"
    "y = f(torch.tensor([[1., 2., 3.], [-1., 0., 2.]]), 2.0)\n";

TEST_CASE("a graph's walk has what each node reads and gives", "[session]") {
  Compiled compiled(kScaled);
  auto walks = compiled.session.graph_walks("f");
  REQUIRE(walks);
  REQUIRE(walks->size() == 1);
  const Walk& walk = walks->front();
  CHECK(walk.title == "graph f");
  REQUIRE(walk.steps.size() == 5);
  CHECK(walk.steps[0].line.starts_with("%mul  = multiply %x, "));
  CHECK(has(walk.steps[0].details, "reads  %x  float32[2, 3]  1, 2, 3, -1, 0, 2"));
  CHECK(has(walk.steps[0].details, "gives  float32[2, 3]  2, 4, 6, -2, 0, 4"));
  CHECK(has(walk.steps[3].details, "gives  float32[2]  9, 3"));
  CHECK(walk.steps[4].line == "return %sum");
  CHECK(walk.end.empty());
  CHECK(compiled.session.graph_walks("g").error().message == "no compiled region of `g` has run");
}

TEST_CASE("a kernel's walk is one index of its outermost loop", "[session]") {
  Compiled compiled(kScaled);
  auto walks = compiled.session.kernel_walks("f", 1);
  REQUIRE(walks);
  REQUIRE(walks->size() == 1);
  const Walk& walk = walks->front();
  CHECK(walk.title.ends_with(", i = 1"));
  std::vector<std::string> lines;
  for (const WalkStep& step : walk.steps) lines.push_back(step.line);
  CHECK(has(lines, "i = 1, j = 2"));
  CHECK_FALSE(has(lines, "i = 0"));
  CHECK(lines.back().find("store %sum[i] = acc") != std::string::npos);
  CHECK(lines.back().ends_with("3                i = 1"));
  auto named = compiled.session.kernel_walks("multiply", 5);
  REQUIRE(named);
  CHECK(named->front().end == "its outermost loop does not come to 5");
  CHECK_FALSE(compiled.session.kernel_walks("nosuch", 0));
}

TEST_CASE("a walk writes nothing that the region writes", "[session]") {
  Compiled compiled(
      "@torch.compile\n"
      "def f(x):\n"
      "    x += torch.rand(2)\n"
      "    return x * 2\n"
      "x = torch.zeros(2)\n"
      "torch.manual_seed(1)\n"
      "y = f(x)\n"
      "kept, drawn = x.tolist(), torch.rand(1).item()\n"
      "torch.manual_seed(1)\n"
      "z = f(x.zero_())\n");
  auto walks = compiled.session.graph_walks("f");
  REQUIRE(walks);
  CHECK(walks->front().end.empty());
  REQUIRE(compiled.session.kernel_walks("f", 0));
  CHECK(compiled.session.run_text("<string>",
                                  "assert x.tolist() == kept and torch.equal(y, z)\n"
                                  "assert torch.rand(1).item() == drawn\n") == 0);
}

TEST_CASE("the passes' walk shows what each changed", "[session]") {
  Compiled compiled(kScaled);
  auto walks = compiled.session.pass_walks("f");
  REQUIRE(walks);
  const std::vector<WalkStep>& steps = walks->front().steps;
  CHECK(steps.front().line.starts_with("capture "));
  CHECK(has(steps.front().details, "%mul"));
  auto decompose = std::ranges::find_if(
      steps, [](const WalkStep& step) { return step.line.starts_with("decompose "); });
  REQUIRE(decompose != steps.end());
  CHECK(has(decompose->details, "+   %relu = clamp_min"));
  auto lower = std::ranges::find_if(
      steps, [](const WalkStep& step) { return step.line.starts_with("lower "); });
  REQUIRE(lower != steps.end());
  CHECK(has(lower->details, "parallel i in 0..2"));
}

TEST_CASE("integers, bools and nan stand in a walk as Python writes them", "[session]") {
  Compiled compiled(
      "@torch.compile\n"
      "def f(x, y): return x * 2, x > 0, y - y\n"
      "r = f(torch.tensor([1234567, 2 ** 61]), torch.tensor([float('inf')]))\n");
  auto walks = compiled.session.graph_walks("f");
  REQUIRE(walks);
  const std::vector<WalkStep>& steps = walks->front().steps;
  CHECK(has(steps[0].details, "reads  %x  int64[2]  1234567, 2305843009213693952"));
  CHECK(has(steps[0].details, "gives  int64[2]  2469134, 4611686018427387904"));
  CHECK(has(steps[1].details, "gives  bool[2]  True, True"));
  CHECK(has(steps[2].details, "gives  float32[1]  nan"));
}

TEST_CASE("a backward is walked, compared and timed as its forward is", "[session]") {
  Compiled compiled(
      "@torch.compile\n"
      "def f(x): return x.sin() * 2\n"
      "x = torch.zeros(3, requires_grad=True)\n"
      "f(x).sum().backward()\n");
  Session& session = compiled.session;
  auto walks = session.graph_walks("f.backward");
  REQUIRE(walks);
  CHECK(walks->front().title == "graph f.backward");
  CHECK(walks->front().end.empty());
  CHECK(has(walks->front().steps.back().details, "2, 2, 2"));
  CHECK(session.pass_walks("f.backward"));
  CHECK(session.kernel_walks("f.backward", 1));
  auto compared = session.diverge("f.backward");
  REQUIRE(compared);
  CHECK(compared->front().second.find("agree") != std::string::npos);
  const Artifact* time = session.log().latest(Stage::kTime, "f.backward");
  REQUIRE(time);
  CHECK(time->lines()[0].text.starts_with("f.backward: "));
  // What is not named is still the forward.
  CHECK(session.graph_walks("")->front().title == "graph f");
}

}  // namespace
}  // namespace glint
