// `?name`: how a value is called, what it is, and its documentation.
#include <catch2/catch.hpp>

#include "runtime/session/session.h"

namespace glint {
namespace {

TEST_CASE("describe: functions, classes, tensors, operators") {
  Session session({});
  int exit_code = 0;
  for (const char* entry : {"import torch, math",
                            "def f(x, /, y=2, *args, flag=True, **more):\n  'Adds.'\n  return x\n",
                            "g = torch.compile(f)", "def h(a, *, b): pass\n",
                            "class A(Exception):\n  'An A.'\n  def __init__(self, n): pass\n",
                            "x = torch.ones(2, 3).t(); n = 'a' * 100"})
    REQUIRE(session.run_entry(entry, exit_code) == EntryOutcome::kDone);
  CHECK(session.describe("f") ==
        "f(x, /, y=2, *args, flag=True, **more)\n<repl 2>, line 1\n\nAdds.\n");
  CHECK(session.describe("g")->find("\ncompiled by torch.compile\n\nAdds.\n") != std::string::npos);
  CHECK(session.describe("h") == "h(a, *, b)\n<repl 4>, line 1\n");
  CHECK(session.describe("A") ==
        "class A(Exception)\nA.__init__(self, n)\n<repl 5>, line 3\n\nAn A.\n");
  CHECK(session.describe("x") == "Tensor: float32[3, 2] cpu, strides 1, 3\n");
  CHECK(session.describe("x.sum") == session.describe("torch.sum"));
  CHECK(session.describe("torch.sum")->starts_with("sum(input: Tensor, dim: Size | None = None"));
  CHECK(session.describe("len") == "len(obj, /)\n\nthe number of items\n");
  CHECK(session.describe("torch.float32")->starts_with("dtype: torch.float32\n"));
  CHECK(session.describe("n")->size() < 300);
  CHECK(!session.describe("nosuch"));
}

}  // namespace
}  // namespace glint
