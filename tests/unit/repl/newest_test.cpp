// What a command without a name shows, and where what it shows stands in the script.
#include <catch2/catch.hpp>

#include "../session/run_entries.h"
#include "repl/commands.h"
#include "repl/entry.h"
#include "runtime/session/session.h"

namespace glint {
namespace {

std::string told(Session& session, const char* command) {
  std::string printed;
  int exit_code = 0;
  run_command(command, {session, {}, [&](std::string_view text) { printed += text; }}, exit_code);
  return printed;
}

/// A function of three pieces, with a break behind the first and the second.
constexpr const char* kNoisy =
    "@torch.compile\n"
    "def noisy(x):\n"
    "    y = x * 2\n"
    "    print(y.sum())\n"
    "    n = y.max().item()\n"
    "    return y / n\n";

TEST_CASE("breaks of no name are all of the function that was compiled last", "[repl]") {
  Session session({.arguments = {""}});
  run(session, {"import torch", kNoisy, "r = noisy(torch.ones(2))"});
  const std::string breaks = told(session, ":breaks");
  CHECK(breaks == told(session, ":breaks noisy"));
  CHECK(contains(breaks, "GB003"));
  CHECK(contains(breaks, "GB002"));

  run(session, {"r = torch.compile(lambda x: x + 1)(torch.ones(2))"});
  CHECK(told(session, ":breaks") == "no breaks of `<lambda>`: no region ended early\n");
}

TEST_CASE("a break in a called function says where the rest of it is", "[repl]") {
  Session session({.arguments = {""}});
  run(session,
      {"import torch", "def helper(z):\n    n = z.max().item()\n    return z / n\n",
       "@torch.compile\ndef outer(x): return helper(x.sin()) + 1\n", "r = outer(torch.ones(2))"});
  CHECK(contains(told(session, ":breaks outer"),
                 "what follows in `helper` is compiled in pieces of its own: `:breaks helper`, "
                 "`:graph helper`\n"));
  CHECK(contains(told(session, ":graph helper"), "graph helper(%z: f32[2], %n: f64)"));
  CHECK(!contains(told(session, ":breaks outer"), "in pieces of its own: `:breaks outer`"));
}

TEST_CASE("of a function in pieces the newest one is told as one of several", "[repl]") {
  Session session({.arguments = {""}});
  run(session, {"import torch", kNoisy, "r = noisy(torch.ones(2))"});
  const std::string graph = told(session, ":graph");
  CHECK(graph.starts_with("== graph noisy from 6:11\ngraph noisy(%y: f32[2]"));
  CHECK(graph.ends_with("the newest of 3 pieces; `:graph noisy` shows all\n"));

  run(session, {"f = torch.compile(lambda x: x + 1)", "r = f(torch.ones(2))"});
  CHECK(told(session, ":graph").starts_with("graph region("));
}

TEST_CASE("what the library does stands at the line of the script that asks for it", "[repl]") {
  Session session({.arguments = {""}});
  run(session, {"import torch",
                "class Net(torch.nn.Module):\n"
                "    def __init__(self):\n"
                "        super().__init__()\n"
                "        self.layers = torch.nn.ModuleList([torch.nn.Linear(2, 2)])\n"
                "    def forward(self, x):\n"
                "        return self.layers[0](x).relu() + 1\n",
                "net = torch.compile(Net())", "with torch.no_grad(): r = net(torch.ones(3, 2))\n"});
  const std::string graph = told(session, ":graph net");
  CHECK(contains(graph, "linear %x, %self_layers_0_weight, bias=%self_layers_0_bias"));
  CHECK(contains(graph, "6:15   self.layers[0](x)   by linear.py "));
  CHECK(contains(graph, "6:15   self.layers[0](x).relu() + 1\n"));
  // Places of two texts do not stand side by side.
  CHECK(contains(told(session, ":kernels net"), "from %relu 6:15   self.layers[0](x).relu()"));
}

TEST_CASE("a break in the library is told at the script's line", "[repl]") {
  Session session({.arguments = {""}});
  run(session, {"import torch",
                "class Cube(torch.autograd.Function):\n"
                "    @staticmethod\n"
                "    def forward(ctx, x): return x ** 3\n"
                "    @staticmethod\n"
                "    def backward(ctx, g): return g\n",
                "@torch.compile\n"
                "def f(x):\n"
                "    return Cube.apply(x * 2) + 1\n",
                "r = f(torch.ones(2, requires_grad=True))"});
  CHECK(contains(told(session, ":breaks f"), "3:11   Cube.apply(x * 2)\n"));
  CHECK(contains(told(session, ":explain f(torch.ones(2, requires_grad=True))"), "line 3 in f"));
}

TEST_CASE("code that library calls alone do is told to have no kernel", "[repl]") {
  Session session({.arguments = {""}});
  run(session, {"import torch", "f = torch.compile(lambda x: x @ x)", "r = f(torch.ones(2, 2))"});
  for (const char* command : {":llvm f", ":asm f"})
    CHECK(told(session, command) == "no kernel: library calls and views do all of it\n");
}

TEST_CASE("variables that hold a function are completed", "[repl]") {
  Session session({.arguments = {""}});
  run(session, {"import torch", "net = torch.compile(torch.nn.Linear(2, 2))",
                "r = net(torch.ones(1, 2))", "near = 3", "def never(x): return [i for i in x]\n"});
  auto offered = [&](const std::string& line) {
    return complete(session, line, line.size()).candidates;
  };
  CHECK(offered(":graph ne") == std::vector<std::string>{"net"});
  CHECK(offered(":program ne") == std::vector<std::string>{"never", "net"});
  CHECK(offered(":graph net.we") == std::vector<std::string>{"weight"});
}

}  // namespace
}  // namespace glint
