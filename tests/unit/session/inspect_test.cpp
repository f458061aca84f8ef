// `:explain`, `:bench`, and names of compiled modules: what a session tells of a call.
#include <catch2/catch.hpp>

#include "runtime/session/session.h"

namespace glint {
namespace {

void run(Session& session, const std::vector<const char*>& entries) {
  int exit_code = 0;
  for (const char* entry : entries)
    REQUIRE(session.run_entry(entry, exit_code) == EntryOutcome::kDone);
}

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

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
  for (const char* text : {"", "f", "f(", "f(1) + 2", "(f)", "f)"}) {
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
  CHECK(session.logged_name("net") == "Net.forward");
  CHECK(session.logged_name("compiled") == "Net.forward");
  run(session, {"other = Net(); other.compile()"});
  CHECK(session.logged_name("other") == "Net.forward");
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

TEST_CASE("bench: keywords, compiled modules, and why nothing is compared") {
  Session session({});
  run(session, {"import torch as t", kNet, "net = Net(); compiled = t.compile(net)",
                "def f(x, k=1): return x * k\n", "def g(x): return x.data\n"});
  CHECK(contains(*session.bench("f(t.ones(3), k=2)"), "times as fast"));
  CHECK(contains(*session.bench("net.inner(t.ones(3, 2))"), "times as fast"));
  CHECK(contains(*session.bench("compiled(t.ones(3, 2))"), "times as fast"));
  std::string text = *session.bench("g(t.ones(3))");
  CHECK(contains(text, "nothing was compiled, so there is nothing to compare\n"));
  CHECK(contains(text,
                 "  GB014 the record of gradients is used in a way that a graph cannot hold: "));
  CHECK(contains(*session.bench("abs(3)"), "no operator in it has a result that anything needs"));
  CHECK(!session.bench("f"));
}

}  // namespace
}  // namespace glint
