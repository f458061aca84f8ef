// Every id of the registry: a script that has that graph break, or that fallback, and runs right.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <set>

#include <fmt/format.h>

#include "core/support/diagnostic.h"
#include "run_capture.h"

namespace glint {
namespace {

struct Case {
  const char* code;
  const char* body;  ///< of `body(x)`, and of what it needs, up to `def body`
};

constexpr Case kBreaks[] = {
    {"GB001", "def body(x): return x + 1 if x.sum() > 0 else x - 1"},
    {"GB002", "def body(x): return x * (x + 1).sum().item()"},
    {"GB003", "def body(x):\n    text = f'{x * 2}'\n    return x + len(text)"},
    {"GB004",
     "def body(x):\n    n = x.argmax() + 2\n    for i in range(n): x = x + i\n    return x"},
    {"GB005", "import time\ndef body(x):\n    y = x + 1\n    time.time()\n    return y * 2"},
    {"GB006",
     "class Seen: pass\ndef body(x):\n    y = x + 1\n    Seen.last = len\n    return y * 2"},
    {"GB007", "it = iter([1.0] * 9)\ndef body(x):\n    y = x + 1\n    return y * next(it)"},
    {"GB008",
     "def body(x):\n    y = x + 1\n    try:\n        raise ValueError(3)\n"
     "    except ValueError as error:\n        return y * error.args[0]"},
    {"GB009",
     "inner = torch.compile(lambda x: x * 3)\ndef body(x):\n    y = x + 1\n    g = inner\n"
     "    return g(y) + y"},
    {"GB010",
     "@torch.compiler.disable\ndef apart(x): return x * 3\ndef body(x):\n    y = x + 1\n"
     "    return apart(y) + y"},
    {"GB011",
     "def body(x):\n    y, n = x + 1, 0\n    for i in range(60000): n = n + i\n    return y * n"},
    {"GB012", "def body(x): return (x + 1).nonzero() * 2"},
    {"GB013", "names = {(1, 2)}\ndef body(x):\n    y = x + 1\n    return y * len(list(names))"},
    {"GB014", "def body(x): return x * (2 if x.grad_fn is None else 3)"},
};

constexpr const char* kRun = R"py(
def plain(value): return value.tolist() if isinstance(value, torch.Tensor) else value
x = torch.tensor([1.0, 2.0], requires_grad=needs_grad)
expected = plain(body(x))
f = torch.compile(body)
for i in range(2): assert plain(f(x)) == expected, (f(x), expected)
)py";

std::string needs_grad(bool needed) {
  return needed ? "needs_grad = True\n" : "needs_grad = False\n";
}

TEST_CASE("breaks: every id ends a region, with its reason, and the result is right") {
  std::set<std::string> seen;
  for (const Case& each : kBreaks) {
    INFO(each.body);
    bool gradient = std::string(each.code) == "GB014";
    Recorded made = run_capture(needs_grad(gradient) + std::string(each.body) + "\n" + kRun);
    CHECK(made.exit_code == 0);
    INFO(made.all_breaks);
    CHECK(made.all_breaks.find(each.code) != std::string::npos);
    seen.insert(each.code);
  }
  for (const DiagnosticInfo& entry : diagnostic_table()) {
    if (!entry.code.starts_with("GB")) continue;
    INFO(entry.code);
    CHECK(seen.count(std::string(entry.code)) == 1);
  }
}

TEST_CASE("breaks: sizes that depend on values end the region, and that is said") {
  constexpr const char* kBodies[] = {
      "def body(x): return (x + 1).nonzero() * 2",
      "def body(x): return torch.argwhere(x + 1) * 2",
      "def body(x): return torch.masked_select(x + 1, x > 1) * 2",
      "def body(x): return (x + 1)[x > 1] * 2",
      "def body(x): return torch.nn.functional.one_hot(x.long() + 1) * 2",
      "def body(x): return torch.nn.functional.one_hot(x.long() + 1, -1) * 2",
  };
  for (const char* body : kBodies) {
    INFO(body);
    Recorded made = run_capture(needs_grad(false) + body + "\n" + kRun);
    CHECK(made.exit_code == 0);
    INFO(made.all_breaks);
    CHECK(made.all_breaks.find("GB012") != std::string::npos);
    CHECK(made.all_breaks.find("gives depend on values") != std::string::npos);
  }
}

TEST_CASE("breaks: a call that raises leaves the others as they are") {
  constexpr const char* kScripts[] = {
      // The operator refuses its sizes.
      R"py(
@torch.compile
def f(x, y): return torch.relu(x * y).sum(dim=1)
def wrong(): f(torch.ones(4, 8), torch.ones(5, 8))
def right(rows): assert f(torch.ones(rows, 8), torch.ones(rows, 8)).tolist() == [8.0] * rows
)py",
      // The function checks its arguments, before or behind an operator.
      R"py(
@torch.compile
def f(x, n):
    if n < 0: raise ValueError("negative")
    return torch.relu(x * 2).sum()
def wrong(): f(torch.ones(4), -1)
def right(rows): assert f(torch.ones(rows), 1).item() == 2.0 * rows
)py",
      R"py(
@torch.compile
def f(x, n):
    y = x * 2
    if n < 0: raise ValueError("negative")
    return torch.relu(y).sum()
def wrong(): f(torch.ones(4), -1)
def right(rows): assert f(torch.ones(rows), 1).item() == 2.0 * rows
)py"};
  for (std::string script : kScripts) {
    INFO(script);
    Recorded made = run_capture(script + R"py(
for i in range(20):
    try: wrong()
    except (ValueError, RuntimeError): pass
    else: assert False
before = graphs()
right(6)
right(7)
right(8)
assert graphs() == before + 2, graphs()
)py");
    CHECK(made.exit_code == 0);
    CHECK(made.graph.find("sum") != std::string::npos);
    CHECK(made.guards.find("before the region") == std::string::npos);
  }
}

TEST_CASE("breaks: a stretch without operators is one only where the call takes its way") {
  Recorded made = run_capture(R"py(
@torch.compile
def f(x, n):
    if n < 0: print("negative")
    return torch.relu(x * 2).sum()
for i in range(3): f(torch.ones(4), -1)
f(torch.ones(4), 1)  # takes the other way for the first time
before = graphs()
f(torch.ones(4), 1)
assert graphs() == before + 1, graphs()
for n in (-1, 2, -1, 3): assert f(torch.ones(4), n).item() == 8.0
before = graphs()
for n in (-1, 4, -1, 5): assert f(torch.ones(4), n).item() == 8.0
assert graphs() == before, graphs()
)py");
  CHECK(made.exit_code == 0);
  CHECK(made.errors == "");
}

TEST_CASE("breaks: a break under a native that takes items loses none") {
  CHECK(run_capture(R"py(
def body(x):
    y = x * 2
    return [v for v in map(float, y)], list(map(float, [y[0], y[1]])), sorted(y, key=float)[0].item()
f = torch.compile(body)
for i in range(3): assert f(torch.tensor([2.0, 1.0])) == ([4.0, 2.0], [4.0, 2.0], 2.0)
)py")
            .exit_code == 0);
}

/// Natives that stop a trace and say nothing of why: one as it should, one that goes on all the
/// same.
runtime::Value stop_silently(runtime::NativeCall& call) {
  if (!call.interpreter.is_tracing()) return runtime::Value(int64_t{3});
  call.interpreter.stop_trace();
  return runtime::Value();
}
runtime::Value miss_a_stop(runtime::NativeCall& call) {
  stop_silently(call);
  return runtime::Value(int64_t{call.interpreter.is_tracing() ? 99 : 3});
}

TEST_CASE("breaks: a native that stops without a reason is left to eager execution") {
  for (const char* name : {"stop_silently", "miss_a_stop"}) {
    const std::string script = fmt::format(
        "@torch.compile\ndef f(x):\n    y = x + 1\n    n = {0}()\n    return y * n\n"
        "@torch.compile\ndef g(x): return {0}()\n"
        "for i in range(3):\n    assert f(torch.ones(1)).item() == 6\n"
        "    assert g(torch.ones(1)) == 3\n",
        name);
    const Recorded made = run_capture(script, [](runtime::Interpreter& in) {
      in.add_builtin({"stop_silently()", stop_silently, runtime::kPure});
      in.add_builtin({"miss_a_stop()", miss_a_stop, runtime::kPure});
    });
    CHECK(made.exit_code == 0);
    CHECK(made.all_breaks.find("GB013") != std::string::npos);
  }
}

TEST_CASE("breaks: fullgraph=True raises Unsupported with the id, the advice and the place") {
  CHECK(run_capture(R"py(
@torch.compile(fullgraph=True)
def f(x):
    y = x + 1
    if y.sum() > 0: return y
    return x
try:
    f(torch.ones(2))
    assert False
except torch._dynamo.exc.Unsupported as error:
    text = str(error)
    assert "GB001" in text and "torch.where" in text and "if y.sum() > 0: return y" in text, text
    assert isinstance(error, RuntimeError)
)py")
            .exit_code == 0);
}

constexpr const char* kPlainCall = R"py(
f = torch.compile(lambda x: (x * 2).relu())
assert f(torch.ones(3)).tolist() == [2.0, 2.0, 2.0]
assert f(torch.ones(3)).tolist() == [2.0, 2.0, 2.0]
)py";

/// The script runs with exit code 0 and one warning, which has the id.
void falls_back(const char* code, const char* stage, const std::string& script) {
  INFO(code << " " << stage);
  if (*stage) setenv("GLINT_FAIL", stage, 1);
  Recorded made = run_capture(script);
  unsetenv("GLINT_FAIL");
  CHECK(made.exit_code == 0);
  INFO(made.errors);
  CHECK(made.errors.find(std::string("glint: ") + code) == 0);
  CHECK(made.errors.find("\nglint:") == std::string::npos);
}

TEST_CASE("fallbacks: every id warns once and computes the same") {
  falls_back("FB001", "simplify", kPlainCall);
  falls_back("FB001", "capture", kPlainCall);
  falls_back("FB002", "llvm", kPlainCall);
  falls_back("FB003", "verify", kPlainCall);
  falls_back("FB004", "", R"py(
import torch._dynamo.config
torch._dynamo.config.suppress_errors = True
def broken(gm, inputs): raise ValueError("not today")
f = torch.compile(lambda x: x * 2, backend=broken)
assert f(torch.ones(2)).tolist() == [2.0, 2.0]
)py");
  falls_back("FB005", "", R"py(
import torch._dynamo.config
torch._dynamo.config.recompile_limit = 2
f = torch.compile(lambda x: x * 2, dynamic=False)
for n in range(2, 9): assert f(torch.ones(n)).shape[0] == n
assert graphs() == 2
)py");
}

TEST_CASE("fallbacks: where breaks cost more than regions save, small tensors run eagerly") {
  const std::string function =
      "class Seen: pass\n"
      "def body(x):\n    y = x + 1\n    Seen.last = len\n    return y * 2\n"
      "f = torch.compile(body)\n"
      "for i in range(40): assert f(torch.ones(3)).tolist() == [4.0] * 3\n";
  Recorded made = run_capture(function + R"py(
assert Seen.last is len and graphs() == 2
f(torch.ones(5))
assert graphs() == 2, "eagerly: nothing is compiled for another size"
assert f(torch.ones(100_000)).sum().item() == 400_000.0
assert graphs() > 2, "a large tensor is worth it"
)py");
  INFO(made.errors);
  CHECK(made.exit_code == 0);
  CHECK(made.errors.empty());
  CHECK(made.all_breaks.find("FB006") != std::string::npos);
  CHECK(made.all_breaks.find("operators: 2, regions: 2, breaks: 1, writes: 0;") !=
        std::string::npos);
  // More operators between the breaks: it pays, and nothing changes.
  made = run_capture(
      "class Seen: pass\n"
      "def body(x):\n    y = torch.relu(x * 2 + 1) - x\n    Seen.last = len\n"
      "    return (y * 2).sum()\n"
      "f = torch.compile(body)\n"
      "for i in range(40): f(torch.ones(3))\n"
      "f(torch.ones(5))\nassert graphs() == 4\n");
  INFO(made.errors);
  CHECK(made.exit_code == 0);
  CHECK(made.all_breaks.find("FB006") == std::string::npos);
}

TEST_CASE(
    "fallbacks: one operator with a write, a changing float or changing sizes gains nothing") {
  for (const char* body :
       {"Seen.last = len\n    return x * 2", "return x * rate", "return x.mul_(2)"}) {
    Recorded made = run_capture(std::string("class Seen: pass\nrate = 0.0\n"
                                            "@torch.compile\ndef f(x):\n    ") +
                                body + R"py(
for i in range(40):
    rate = 0.5 / (i + 1)
    f(torch.ones(3))
before = graphs()
f(torch.ones(5)), f(torch.ones(65_536))
assert graphs() == before, "eagerly"
f(torch.ones(100_000))
assert graphs() > before
)py");
    INFO(made.errors);
    CHECK(made.exit_code == 0);
    CHECK(made.all_breaks.find("FB006") != std::string::npos);
  }
  // Nothing to compile at all: no call is looked at any more. One that stays as it is compiled.
  Recorded made = run_capture(R"py(
@torch.compile
def same(x): return x.grad_fn
x = torch.ones(3)
for i in range(40): same(x)
assert graphs() == 0
@torch.compile
def f(x): return x * 2
for i in range(40): f(x)
f(torch.ones(5))
assert graphs() == 2
)py");
  INFO(made.errors);
  CHECK(made.exit_code == 0);
  CHECK(made.all_breaks.find("FB006") == std::string::npos);
}

TEST_CASE("breaks: an object with a `__del__` is made at each call, and dies") {
  Recorded made = run_capture(R"py(
class Watched:
    def __init__(self, name): self.name = name
    def __del__(self): gone.append(self.name)
gone = []
@torch.compile
def f(x, name):
    y = x * 2
    return y + len(Watched(name).name)
for name in ("a", "b", "b", "a"): f(torch.ones(2), name)
assert gone == ["a", "b", "b", "a"], gone
)py");
  CHECK(made.exit_code == 0);
  CHECK(made.all_breaks.find("a `Watched` is made, which has a `__del__`") != std::string::npos);
}

TEST_CASE("fallbacks: a backend that raises is the script's own mistake") {
  CHECK(run_capture(R"py(
def broken(gm, inputs): raise ValueError("not today")
f = torch.compile(lambda x: x * 2, backend=broken)
try:
    f(torch.ones(2))
    assert False
except torch._dynamo.exc.BackendCompilerFailed as error:
    assert str(error) == "backend='broken' raised:\nValueError: not today", str(error)
)py")
            .exit_code == 0);
}

TEST_CASE("anomaly mode runs compiled functions eagerly, says so, and names the operator") {
  Recorded made = run_capture(R"py(
import warnings
warnings.simplefilter("ignore")
w = torch.zeros(2, requires_grad=True)
@torch.compile
def loss_of(w): return (w.sqrt() * 0).sum()
def fails(loss_of):
    try:
        loss_of(w).backward()
        return "nothing"
    except RuntimeError as error:
        return str(error)
assert fails(loss_of) == "nothing" and graphs() > 0
with torch.autograd.detect_anomaly():
    assert fails(loss_of) == "Function 'SqrtBackward0' returned nan values in its 0th output."
    assert fails(loss_of) == fails(lambda w: (w.sqrt() * 0).sum())
before = graphs()
assert fails(loss_of) == "nothing" and graphs() == before
@torch.compile
def switches(x):
    y = x + 1
    torch.autograd.set_detect_anomaly(True)
    return (y.sqrt() * 0).sum()
assert fails(lambda w: switches(w - 1)) == (
    "Function 'SqrtBackward0' returned nan values in its 0th output.")
torch.autograd.set_detect_anomaly(False)
)py");
  INFO(made.errors);
  CHECK(made.exit_code == 0);
  CHECK(made.all_breaks.find("FB007") != std::string::npos);
  CHECK(made.all_breaks.find("`loss_of` runs eagerly: anomaly mode") != std::string::npos);
  CHECK(made.why.starts_with("FB007 `loss_of` runs eagerly: anomaly mode"));
  CHECK(made.errors.find("glint: FB007 `loss_of` runs eagerly") != std::string::npos);
}

}  // namespace
}  // namespace glint
