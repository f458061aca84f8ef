// Which function's stages a name asks for, where several have one name or one definition.
#include <catch2/catch.hpp>

#include "../session/run_entries.h"
#include "repl/listing.h"
#include "runtime/session/session.h"

namespace glint {
namespace {

std::string shown(Session& session, const char* name, Stage stage = Stage::kGraph) {
  std::string text;
  for (const Listing& each :
       listings(session, {.stages = {stage}, .whose = session.whose(name), .newest_only = true}))
    text += each.text;
  return text;
}

TEST_CASE("of two lambdas each variable shows its own stages", "[repl]") {
  Session session({});
  session.keep_inputs();
  run(session, {"import torch as t", "k1 = t.compile(lambda x: x + 1)",
                "k2 = t.compile(lambda x: x * 2)", "k3 = t.compile(lambda x: x - 3)",
                "assert k1(t.ones(2)).sum() == k2(t.ones(2)).sum() == 4"});
  CHECK(contains(shown(session, "k1"), "add %x, 1"));
  CHECK_FALSE(contains(shown(session, "k1"), "multiply"));
  CHECK(contains(shown(session, "k2"), "multiply %x, 2"));
  CHECK(contains(shown(session, "k1", Stage::kProgram), "add"));
  CHECK_FALSE(contains(shown(session, "k1", Stage::kProgram), "multiply"));
  CHECK(shown(session, "k3").empty());
  CHECK_FALSE(session.was_captured(session.whose("k3")));
  CHECK(session.graph_walks(session.whose("k1"))->at(0).steps[0].line.starts_with("%add"));
  CHECK(session.graphs_as("table", session.whose("k1")).size() == 1);
  CHECK(contains(session.graphs_as("table", session.whose("k1"))[0].second, "add"));
  CHECK(session.diverge(session.whose("k1"))->size() == 1);
}

TEST_CASE("an item of a container is a function as a variable is", "[repl]") {
  Session session({});
  run(session,
      {"import torch as t", "fs = [t.compile(lambda x: x + 1), t.compile(lambda x: x * 2)]",
       "named = {'a.b': fs[0]}", "net = t.nn.Sequential(t.compile(t.nn.ReLU()))",
       "r = fs[0](t.ones(2)), fs[1](t.ones(2)), net(t.ones(2))"});
  CHECK(contains(shown(session, "fs[0]"), "add %x, 1"));
  CHECK_FALSE(contains(shown(session, "fs[0]"), "multiply"));
  CHECK(contains(shown(session, "fs[1]"), "multiply %x, 2"));
  CHECK(contains(shown(session, "named['a.b']"), "add %x, 1"));
  CHECK(contains(shown(session, "net[0]"), "relu"));
  run(session, {"class Held: pass\n", "held = Held(); held.go = fs[1]; all = [held]"});
  CHECK(contains(shown(session, "all[0].go"), "multiply %x, 2"));
  CHECK_FALSE(session.describe("fs[2]"));
  CHECK_FALSE(session.describe("named['c']"));
}

TEST_CASE("of two closures of one function each variable shows its own stages", "[repl]") {
  Session session({});
  session.keep_inputs();
  run(session, {"import torch as t",
                "def scaled(by):\n  @t.compile\n  def inner(x): return x * by\n  return inner\n",
                "a, b, c = scaled(3), scaled(5), scaled(7)",
                "assert a(t.ones(2)).sum() == 6 and b(t.ones(2)).sum() == 10"});
  CHECK(contains(shown(session, "a"), "multiply %x, 3"));
  CHECK_FALSE(contains(shown(session, "a"), "multiply %x, 5"));
  CHECK(contains(shown(session, "b"), "multiply %x, 5"));
  CHECK(shown(session, "c").empty());
  CHECK_FALSE(session.was_captured(session.whose("c")));
  CHECK(contains(session.graph_walks(session.whose("a"))->at(0).steps[0].line, "%x, 3"));
  CHECK(contains(session.kernel_walks(session.whose("a"), 0)->at(0).steps[2].line, "3"));
  CHECK_FALSE(session.graph_walks(session.whose("c")));
}

TEST_CASE("of many lambdas and closures each variable shows its own stages", "[repl]") {
  Session session({});
  run(session, {"import torch as t", "k0 = t.compile(lambda x: x * 99)", "r = k0(t.ones(2))"});
  for (int i = 0; i < 10; ++i)
    run(session, {"k = t.compile(lambda x: x.sin())", "r = k(t.ones(2))"});
  CHECK(contains(shown(session, "k0"), "multiply %x, 99"));
  run(session, {"def plus(k): return t.compile(lambda x: x + k)\n",
                "closures = [plus(100 + i) for i in range(12)]; first = closures[0]",
                "for k in closures: k(t.ones(2))\n"});
  CHECK(contains(shown(session, "first"), "add %x, 100"));
}

TEST_CASE("a method called joint is no joint graph", "[repl]") {
  Session session({});
  run(session,
      {"import torch as t", "class Net:\n  @t.compile\n  def joint(self, x): return x * 3\n",
       "net = Net(); r = net.joint(t.ones(2))"});
  auto joint_graphs = [&](const char* name) {
    return listings(session,
                    {.stages = {Stage::kGraph}, .whose = session.whose(name), .joint = true})
        .size();
  };
  CHECK(joint_graphs("net.joint") == 0);
  CHECK(joint_graphs("Net") == 0);
  CHECK(logged_functions(session, true) == std::vector<std::string>{"Net.joint"});
}

TEST_CASE("a region without a graph has a compile's number of its own", "[repl]") {
  Session session({});
  run(session, {"import torch as t", "@t.compile\ndef f(x): return x + 1\n",
                "@t.compile\ndef g(x): return len(x)\n", "r = f(t.ones(2)), g(t.ones(2))"});
  const Artifact* graph = session.log().latest(Stage::kGraph, "f");
  const Artifact* guards = session.log().latest(Stage::kGuards, "g");
  REQUIRE((graph && guards));
  CHECK(guards->compile > graph->compile);
}

TEST_CASE("of two modules of one class each variable shows its own stages", "[repl]") {
  Session session({});
  session.keep_inputs();
  run(session, {"import torch as t",
                "class M(t.nn.Module):\n  def __init__(self, by):\n    super().__init__()\n"
                "    self.by = by\n  def forward(self, x): return x * self.by\n",
                "n1 = M(3); m1, m2 = t.compile(n1), t.compile(M(5)); m3 = M(7); m3.compile()",
                "assert m1(t.ones(2)).sum() + m2(t.ones(2)).sum() + m3(t.ones(2)).sum() == 30"});
  CHECK(contains(shown(session, "m1"), "multiply %x, 3"));
  CHECK(contains(shown(session, "n1"), "multiply %x, 3"));
  CHECK_FALSE(contains(shown(session, "n1"), "multiply %x, 5"));
  CHECK(contains(shown(session, "m2"), "multiply %x, 5"));
  CHECK(contains(shown(session, "m3"), "multiply %x, 7"));
  CHECK_FALSE(contains(shown(session, "m3"), "multiply %x, 3"));
  CHECK(contains(session.graph_walks(session.whose("m1"))->at(0).steps[0].line, "%x, 3"));
}

TEST_CASE("a variable that holds a function whose name was defined anew shows the function",
          "[repl]") {
  Session session({});
  run(session, {"import torch as t", "@t.compile\ndef f(x): return x + 1\n", "r = f(t.ones(2))",
                "g = f", "@t.compile\ndef f(x): return x * 2\n", "r = f(t.ones(2))"});
  CHECK(contains(shown(session, "g"), "add %x, 1"));
  CHECK(contains(shown(session, "f"), "multiply %x, 2"));
  CHECK_FALSE(contains(shown(session, "f"), "add"));
}

TEST_CASE("a backward is that of the function that is named", "[repl]") {
  Session session({});
  run(session, {"import torch as t", "k1 = t.compile(lambda x: x.sin())",
                "k2 = t.compile(lambda x: x.exp() * 2)",
                "for k in (k1, k2): k(t.ones(2, requires_grad=True)).sum().backward()\n"});
  CHECK(contains(shown(session, "k1.backward"), "cos"));
  CHECK_FALSE(contains(shown(session, "k2.backward"), "cos"));
  CHECK_FALSE(shown(session, "k2.backward").empty());
}

TEST_CASE("what :explain compiles does not stand in for what the calls run", "[repl]") {
  Session session({});
  session.keep_inputs();
  run(session, {"import torch as t", "@t.compile\ndef f(x): return x + 1\n",
                "def g(x): return x * 2\n", "r = f(t.ones(6)), f(t.ones(5))"});
  REQUIRE(session.explain("f(t.ones(3))"));
  CHECK(contains(shown(session, "f", Stage::kGuards), "float32[6]"));
  CHECK_FALSE(contains(shown(session, "f", Stage::kGuards), "float32[3]"));
  CHECK(contains(latest(session.log(), Stage::kGraph, session.whose(""))->lines()[0].text, "s0"));
  CHECK(session.graphs_as("table", session.whose("f")).size() == 2);
  // Of a function that the script compiles nowhere it is all that there is.
  REQUIRE(session.explain("g(t.ones(3))"));
  CHECK(contains(shown(session, "g"), "multiply %x, 2"));
}

}  // namespace
}  // namespace glint
