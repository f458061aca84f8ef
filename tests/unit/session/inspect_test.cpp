// `:explain`, `:bench`, and names of compiled modules: what a session tells of a call.
#include <catch2/catch.hpp>

#include <set>

#include "core/support/interruption.h"
#include "run_entries.h"
#include "runtime/session/session.h"

namespace glint {
namespace {

constexpr const char* kNet = R"(class Net(t.nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = t.nn.Linear(2, 2)
    def forward(self, entered):
        return t.tanh(self.inner(entered))
)";

TEST_CASE("explain: neither needs nor changes the script's names") {
  Session session({});
  run(session, {"import torch as t", "torch = print = len = 5",
                "def f(x, k=1):\n  if x.sum() > k: return x + 1\n  return x\n"});
  std::string told = *session.explain("f(t.ones(3), k=(2))");
  CHECK(contains(told, "Graph Count: 2\nGraph Break Count: 1"));
  CHECK(contains(told, "GB001 a branch depends on a tensor's value"));
  run(session, {"assert torch == print == len == 5"});
  CHECK(session.explain("[f][0](t.ones(3), k=2)")->size() == told.size());
}

TEST_CASE("explain: what is no call is refused") {
  Session session({});
  for (const char* text : {"", "f", "f(", "f(1) + 2", "(f)", "f)", "f(1), f(2)", "f(1) + f(2)",
                           "not f(1)", "lambda: f(1)", "f(1) if f else f(2)", " (f(1))"}) {
    INFO(text);
    auto told = session.explain(text);
    REQUIRE(!told);
    CHECK(told.error().message == "usage: :explain CALL, as in `:explain f(x)`");
  }
}

TEST_CASE("a compiled module is known by its forward") {
  Session session({});
  run(session, {"import torch as t", kNet, "net = Net(); compiled = t.compile(net)",
                "with t.no_grad(): r = compiled(t.ones(3, 2))\n"});
  CHECK(session.whose("net").name == "Net.forward");
  CHECK(session.whose("compiled").name == "Net.forward");
  run(session, {"other = Net(); other.compile()"});
  CHECK(session.whose("other").name == "Net.forward");
  const Artifact* graph = session.log().latest(Stage::kGraph, "Net.forward");
  REQUIRE(graph);
  CHECK(contains(graph->lines()[0].text, "graph forward(%entered: f32[3, 2], "));
  run(session, {"net.register_forward_hook(lambda m, i, o: o + 1); assert True",
                "with t.no_grad(): assert (compiled(t.ones(3, 2)) == r + 1).all()\n"});
}

TEST_CASE("compiling every call begins regions in the script's functions and statements only") {
  Session session({.arguments = {}, .compile_everything = true});
  run(session, {"import torch as t", kNet, "net = Net(); compiled = t.compile(net)",
                "with t.no_grad(): r = net(t.ones(3, 2)); r = compiled(t.ones(3, 2))\n"});
  for (const Artifact& artifact : session.log().artifacts()) {
    INFO(artifact.function);
    CHECK((artifact.compile == 0 || artifact.function == "Net.forward" ||
           artifact.function == "<module>"));
  }
  CHECK(session.log().latest(Stage::kGraph, "Net.forward"));
}

/// What `:bench` prints.
std::string bench(Session& session, const std::string& call) {
  auto forms = session.bench(call);
  return forms && !forms->empty() ? forms->at("text/plain") : std::string();
}

TEST_CASE("bench: keywords, compiled modules, and why nothing is compared", "[timed]") {
  Session session({});
  run(session, {"import torch as t", kNet, "net = Net(); compiled = t.compile(net)",
                "def f(x, k=1): return x * k\n", "def g(x): return x.grad_fn\n"});
  CHECK(contains(bench(session, "f(t.ones(3), k=2)"), "times as fast"));
  CHECK(contains(bench(session, "net.inner(t.ones(3, 2))"), "times as fast"));
  CHECK(contains(bench(session, "compiled(t.ones(3, 2))"), "times as fast"));
  std::string text = bench(session, "g(t.ones(3))");
  CHECK(contains(text, "nothing was compiled, so there is nothing to compare\n"));
  CHECK(contains(text,
                 "  GB014 the record of gradients is used in a way that a graph cannot hold: "));
  CHECK(contains(bench(session, "(lambda: 3)()"),
                 "no operator in it has a result that anything needs"));
  auto builtin = session.bench("abs(3)");
  REQUIRE(!builtin);
  CHECK(contains(builtin.error().message, "put the call into one of the script's"));
  CHECK(!session.bench("f"));
}

/// Milliseconds of the step `llvm` in a comparison's first line.
double compile_time(const std::string& report) {
  size_t at = report.find("llvm ");
  REQUIRE(at != std::string::npos);
  return std::stod(report.substr(at + 5));
}

/// The texts of the newest artifact of a stage.
std::string latest(Session& session, Stage stage, std::string_view function) {
  const Artifact* artifact = session.log().latest(stage, function);
  REQUIRE(artifact);
  std::string text;
  for (const StageLine& line : artifact->lines()) text += line.text + "\n";
  return text;
}

TEST_CASE("bench: the first call is what the script paid, and what a compile in full costs") {
  Session session({});
  session.keep_calls();
  run(session, {"import torch as t", "@t.compile\ndef f(x, y): return t.relu(x * y).sum(dim=1)\n",
                "_ = f(t.ones(4, 8), t.ones(4, 8))", "def g(x): return (x * 3 - 1).exp()\n"});
  std::string report = session.bench_report("f");
  auto first_line = [](const std::string& text) {
    return text.substr(text.find("first call"), text.find("eager") - text.find("first call"));
  };
  // LLVM alone takes longer than a look into the cache of machine code ever does.
  CHECK(compile_time(report) > 0.5);
  CHECK(first_line(session.bench_report("f")) == first_line(report));
  CHECK(compile_time(bench(session, "g(t.ones(3))")) > 0.5);
  CHECK(compile_time(bench(session, "g(t.ones(3))")) > 0.5);
}

TEST_CASE("bench: what was compared is what ran last") {
  Session session({});
  session.keep_inputs();
  run(session, {"import torch as t", "@t.compile\ndef f(x): return x + 1\n", "_ = f(t.ones(3))",
                "def g(x): return x * 2\n"});
  CHECK(contains(bench(session, "g(t.ones(3))"), "times as fast"));
  auto texts = session.diverge("");
  REQUIRE(texts);
  CHECK(texts->at(0).first == "diverge g");
}

TEST_CASE("a line that a script leaves open is told, once") {
  Session session({});
  run(session, {"print('whole')"});
  CHECK(!session.line_is_open());
  run(session, {"print('open ', end='')"});
  CHECK(session.line_is_open());
  CHECK(!session.line_is_open());
  run(session, {"import sys; _ = sys.stderr.write('open ')"});
  CHECK(session.line_is_open());
  run(session, {"print('open ', end=''); print()"});
  CHECK(!session.line_is_open());
}

TEST_CASE("breaks and recompiles are told in the user's words") {
  Session session({});
  run(session, {"import torch as t",
                "@t.compile\ndef f(x):\n  for i in range(2):\n    print(i)\n    x = x + i\n"
                "  return x\n",
                "_ = f(t.ones(3))"});
  std::string breaks;
  for (const Artifact& artifact : session.log().artifacts())
    if (artifact.stage == Stage::kBreaks)
      for (const StageLine& line : artifact.lines()) breaks += line.text + "\n";
  CHECK(contains(breaks, "an iterator that began before a break is advanced behind it"));
  std::string guards;
  for (const Artifact& artifact : session.log().artifacts())
    if (artifact.stage == Stage::kGuards)
      for (const StageLine& line : artifact.lines()) guards += line.text + "\n";
  CHECK(contains(guards, "<value 0 from before the region>  range_iterator"));

  run(session, {"def make():\n  class Loc:\n    k = 3\n  return Loc\n",
                "@t.compile\ndef g(x, c): return x * c.k\n",
                "for i in range(2): _ = g(t.ones(3), make())\n"});
  CHECK(contains(session.why_recompiled(), "was class Loc, is another class of that name"));

  run(session, {"def h(x, o): return x * o.k\n", "h = t.compile(h)",
                "for i in range(2): _ = h(t.ones(3), make()())\n"});
  CHECK(contains(session.why_recompiled(), "was a Loc, is of another class of that name"));
}

TEST_CASE("a recompile tells of every entry why it would not do") {
  Session session({});
  run(session, {"import torch as t", "parts = [1]",
                "@t.compile\ndef f(x, flag, n): return x * len(parts) + n if flag else x\n",
                "_ = f(t.ones(3), True, 3)", "_ = f(t.ones(3).double(), True, 3)"});
  CHECK(session.why_recompiled() ==
        "entry 1 of f failed: g0 x was float32[3] cpu, contiguous, is float64[3] cpu, "
        "contiguous\n");
  run(session, {"parts.append(2)", "_ = f(t.ones(3), True, 3)"});
  const std::string why = session.why_recompiled();
  CHECK(contains(why, "entry 2 of f failed: g0 x was float64[3] cpu, contiguous, is float32[3]"));
  CHECK(contains(why, "\nentry 1 of f failed: g"));
  CHECK(contains(why, " parts was 1 item, is 2 items\n"));
  std::string guards;
  for (const Artifact& artifact : session.log().artifacts())
    if (artifact.stage == Stage::kGuards && artifact.region == 3)
      for (const StageLine& line : artifact.lines()) guards += line.text + "\n";
  CHECK(contains(guards, why));

  run(session, {"t._dynamo.reset()"});
  CHECK(session.why_recompiled() == "nothing was compiled a second time\n");
}

TEST_CASE("the journal has a float as the script computes it") {
  Session session({});
  run(session, {"import torch as t", "class S: rate, power = 0.5, 2.0\n",
                "@t.compile\n"
                "def f(x):\n"
                "  S.rate = S.rate * 0.9 + 1\n"
                "  for i in range(4): S.power = S.power * S.power\n"
                "  return x * S.rate + S.power\n",
                "_ = f(t.ones(3))"});
  std::string guards;
  for (const Artifact& artifact : session.log().artifacts())
    if (artifact.stage == Stage::kGuards)
      for (const StageLine& line : artifact.lines()) guards += line.text + "\n";
  CHECK(contains(guards, "journal: S.rate = (S.rate * 0.9) + 1\n"));
  CHECK(contains(guards, "journal: S.power = a float\n"));  // of 31 terms
}

TEST_CASE("the journal says what is written") {
  Session session({});
  run(session, {"import torch as t", "x = t.ones(3)", "class A: pass\n",
                "@t.compile\ndef f():\n  global x\n  x += 1\n", "f()",
                "@t.compile\ndef g():\n  global a\n  a = A()\n  a.v = x.sum()\n", "g()"});
  CHECK(
      contains(latest(session, Stage::kGraph, "f"), "journal: x = x (its memory now holds %add)"));
  CHECK(contains(latest(session, Stage::kGraph, "g"), "journal: a = A(v=%sum)"));
}

TEST_CASE("95 of 100 instructions carry a line of the script, and the right one") {
  Session session({});
  // Each operator has an instruction that no other needs, and stands on its own line.
  run(session, {"import torch\n",
                "@torch.compile\ndef f(x, y):\n    c = x / y\n    d = c.sqrt()\n    e = d - 0.5\n"
                "    return e * d\n",
                "out = f(torch.rand(1000), torch.rand(1000))\n"});
  const Artifact* artifact = session.log().latest(Stage::kAssembly, "f");
  REQUIRE(artifact);
  const std::pair<std::string_view, uint32_t> expected[] = {
      {"vdivps", 3}, {"vsqrtps", 4}, {"vsubps", 5}, {"vaddps", 5}, {"vmulps", 6}};
  std::set<uint32_t> seen;
  size_t count = 0, placed = 0;
  for (const StageLine& line : artifact->lines()) {
    if (!line.text.starts_with("    ")) continue;  // a label
    INFO(line.text);
    ++count;
    placed += line.origins.size() == 1 && line.origins[0].line >= 3 && line.origins[0].line <= 6;
    for (const auto& [instruction, of_line] : expected) {
      if (line.text.find(instruction) == std::string::npos) continue;
      REQUIRE(line.origins.size() == 1);
      CHECK(line.origins[0].line == of_line);
      seen.insert(of_line);
    }
  }
  CHECK(count > 20);
  CHECK(static_cast<double>(placed) >= 0.95 * static_cast<double>(count));
  CHECK(seen == std::set<uint32_t>{3, 4, 5, 6});
}

TEST_CASE("bench: its calls are no hits, and a Ctrl-C in it ends the command", "[timed]") {
  Session session({});
  run(session, {"import torch as t", "@t.compile\ndef f(x): return x + 1\n",
                "x = t.ones(3); r = f(x), f(x), f(x)"});
  CHECK(contains(latest(session, Stage::kGuards, "f"), "   2 hits"));
  bench(session, "f(x)");
  CHECK(contains(latest(session, Stage::kGuards, "f"), "   2 hits"));
  bench(session, "f(t.ones(3, 3))");
  CHECK_FALSE(contains(latest(session, Stage::kGuards, "f"), "hit"));
  run(session, {"def g(x): raise KeyboardInterrupt\n"});
  CHECK_THROWS_AS(session.bench("g(x)"), interruption::Interrupted);
  CHECK_THROWS_AS(session.explain("g(x)"), interruption::Interrupted);
  CHECK_THROWS_AS(session.bench("f(g(x))"), interruption::Interrupted);
}

}  // namespace
}  // namespace glint
