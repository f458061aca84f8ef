// What a command says that finds nothing of a stage.
#include <catch2/catch.hpp>

#include "../session/run_entries.h"
#include "repl/commands.h"
#include "runtime/session/session.h"

namespace glint {
namespace {

std::string told(Session& session, const char* command) {
  std::string printed;
  int exit_code = 0;
  run_command(command, {session, {}, [&](std::string_view text) { printed += text; }}, exit_code);
  return printed;
}

TEST_CASE("a function whose namesake was compiled is told from it", "[repl]") {
  Session session({.arguments = {""}});
  run(session, {"import torch", "def f(x): return x + 1\n", "r = torch.compile(f)(torch.ones(2))",
                "def f(x): return x * 2\n"});
  CHECK(told(session, ":graph f") ==
        "no graph of `f` yet; call it under torch.compile first; another `f` was compiled\n");
}

TEST_CASE("of a function that ended before its first operator the break is named", "[repl]") {
  Session session({.arguments = {""}});
  run(session, {"import torch", "@torch.compile\ndef f(x, y): return x @ y\n",
                "try: f(torch.ones(2, 3), torch.ones(2, 3))\nexcept RuntimeError: pass\n"});
  CHECK(told(session, ":graph f") ==
        "no graph of `f`: nothing of it was compiled, `:breaks` says why\n");
  CHECK(contains(told(session, ":breaks f"), "GB008"));
}

TEST_CASE("what is no function is not asked to be called", "[repl]") {
  Session session({.arguments = {""}});
  run(session, {"import torch", "x = torch.ones(2)", "r = torch.compile(lambda x: x + 1)(x)",
                "layer = torch.nn.Linear(2, 2)"});
  CHECK(told(session, ":graph x") ==
        "no graph of `x`: it is no function of the script; compiled so far: `<lambda>`\n");
  CHECK(contains(told(session, ":graph layer"), "no graph of `Linear.forward` yet; call it"));
}

TEST_CASE("a call of what has no name shows no other function's stages", "[repl]") {
  Session session({.arguments = {""}});
  run(session, {"import torch", "f = torch.compile(lambda x: x + 1)", "r = f(torch.ones(2))"});
  CHECK(contains(told(session, ":graph (lambda x: x * 2)(torch.ones(2))"), "usage: :graph"));
}

}  // namespace
}  // namespace glint
