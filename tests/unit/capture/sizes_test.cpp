// Changing sizes and ints: how often they compile, what stays symbolic, what is guarded.
#include <catch2/catch.hpp>

#include "run_capture.h"

namespace glint {
namespace {

int run(const std::string& script) {
  return run_capture(script).exit_code;
}
bool holds(const std::string& text, const char* part) {
  INFO(text);
  return text.find(part) != std::string::npos;
}

constexpr const char* kSweep = R"py(
def body(x): return (x * 2 + x.shape[0]).sum(0) / x.size(0)
def sweep(f):
    start()
    for n in range(2, 71):
        x = torch.arange(n * 3, dtype=torch.float32).reshape(n, 3)
        assert torch.allclose(f(x), body(x)), n
    return graphs()
)py";

TEST_CASE("sizes: dynamic=True compiles once for all of 2 to 70") {
  CHECK(run(std::string(kSweep) + "assert sweep(torch.compile(body, dynamic=True)) == 1") == 0);
}

TEST_CASE("sizes: left unset, the second size compiles once more and for good") {
  CHECK(run(std::string(kSweep) + "assert sweep(torch.compile(body)) == 2") == 0);
}

TEST_CASE("sizes: dynamic=False compiles each size, up to the limit") {
  CHECK(run(std::string(kSweep) + R"py(
f = torch.compile(body, dynamic=False)
start()
for n in range(2, 10):
    f(torch.ones(n, 3))
    assert graphs() == n - 1
assert sweep(f) == 8
)py") == 0);
}

TEST_CASE("sizes: 0 and 1 have entries of their own") {
  CHECK(run(R"py(
def body(x): return x.sum(0) + x.shape[0]
f = torch.compile(body, dynamic=True)
for n, expected in ((5, 1), (1, 2), (0, 3), (7, 3), (1, 3), (0, 3)):
    assert torch.equal(f(torch.ones(n, 3)), body(torch.ones(n, 3)))
    assert graphs() == expected, (n, graphs())
)py") == 0);
}

TEST_CASE("sizes: arithmetic, comparison and arguments of operators stay symbolic") {
  Recorded made = run_capture(R"py(
def body(x):
    b, n = x.shape
    m = max(b * n // 2 + n % 3 - 1, -b)
    y = x.view(b * n) + torch.arange(b * n) * m + len(x) + x.numel()
    return y.reshape(-1, n).expand(b, n), (m, [b, {"n": n}]), x.shape, torch.zeros(n)
f = torch.compile(body, dynamic=True)
for b, n in ((2, 3), (5, 7), (4, 9), (11, 2)):
    ours, theirs = f(torch.ones(b, n)), body(torch.ones(b, n))
    assert torch.equal(ours[0], theirs[0]) and ours[1:3] == theirs[1:3], (ours[1], theirs[1])
    assert ours[3].shape == theirs[3].shape and type(ours[1][0]) is int
assert graphs() == 1, graphs()
)py");
  CHECK(made.exit_code == 0);
  CHECK(holds(made.graph, "s0*s1"));
}

TEST_CASE("sizes: lists of numbers with a size among them stay symbolic") {
  CHECK(run(R"py(
def body(x):
    n = x.shape[0]
    return x[[0, n - 1]], x[[0, 1], [n - 1, 0]], torch.tensor([[n, 2], [0, n * n]])
f = torch.compile(body, dynamic=True)
for n in (5, 2, 9):
    x = torch.arange(n * n * 1.0).reshape(n, n)
    for ours, theirs in zip(f(x), body(x)): assert torch.equal(ours, theirs)
assert graphs() == 1, graphs()
)py") == 0);
}

TEST_CASE("sizes: a comparison is a relation, any other use an equality") {
  Recorded branch = run_capture(R"py(
f = torch.compile(lambda x: x * 2 if 3 < x.shape[0] <= 8 else x + 1, dynamic=True)
for n, expected in ((5, 1), (6, 1), (8, 1), (3, 2), (2, 2), (9, 3), (30, 3)):
    f(torch.ones(n))
    assert graphs() == expected, (n, graphs())
)py");
  CHECK(branch.exit_code == 0);
  Recorded made = run_capture(R"py(
table = [10, 20, 30, 40, 50]
f = torch.compile(lambda x: x + table[x.shape[0]], dynamic=True)
for n in (2, 3, 4, 2): assert f(torch.ones(n))[0] == 1 + table[n]
assert graphs() == 3
)py");
  CHECK(made.exit_code == 0);
  CHECK(holds(made.guards, "s0 == 4"));
  CHECK(run(R"py(
@torch.compile(dynamic=True)
def f(x):
    total = torch.zeros(3)
    for i in range(x.shape[0]): total = total + x[i]
    return total, f"{x.shape[0]} rows"
for n in (2, 4, 2):
    total, text = f(torch.ones(n, 3))
    assert total[0] == n and text == f"{n} rows"
assert graphs() == 2
)py") == 0);
}

TEST_CASE("sizes: an int that changes becomes symbolic") {
  Recorded made = run_capture(R"py(
def body(x, n): return x[n:] * n + torch.ones(20 - n)
f = torch.compile(body)
for n in (3, 4, 5, 9, 12):
    assert torch.equal(f(torch.ones(20), n), body(torch.ones(20), n))
assert graphs() == 2, graphs()
for n in (0, 1, True): f(torch.ones(20), n)
)py");
  CHECK(made.exit_code == 0);
  CHECK(run(R"py(
class Counter:
    step = 2
    def __init__(self): self.count, self.items = 2, [2, 3]
state = Counter()
@torch.compile
def f(x): return x * state.count + state.items[0]
for n in range(2, 30):
    state.count = n
    assert f(torch.ones(2))[0] == n + 2
assert graphs() == 2, graphs()
)py") == 0);
}

TEST_CASE("sizes: mark_dynamic makes a size symbolic at once, mark_static keeps it") {
  CHECK(run(R"py(
f = torch.compile(lambda x: x.sum(1) + x.shape[0])
for n in (4, 5, 9):
    x = torch.ones(n, 3)
    torch._dynamo.mark_dynamic(x, 0)
    assert f(x)[0] == 3 + n
assert graphs() == 1, graphs()
start()
for n in (4, 5, 9):
    x = torch.ones(n, 3)
    torch._dynamo.mark_static(x, 0)
    f(x)
assert graphs() == 3, graphs()
)py") == 0);
}

TEST_CASE("sizes: a backend of the script gets symbolic ints as inputs") {
  CHECK(run(R"py(
seen = []
def backend(gm, inputs):
    seen.append([node.name for node in gm.graph.nodes if node.op == "placeholder"])
    return gm.forward
body = lambda x: x.view(x.shape[0] * 2) * x.shape[0] + torch.tensor([1.0, 2.0]).sum()
f = torch.compile(body, backend=backend, dynamic=True)
for n in (3, 5, 8):
    assert torch.equal(f(torch.ones(n, 2)), body(torch.ones(n, 2)))
assert len(seen) == 1 and len(seen[0]) == 3 and "x" in seen[0], seen
)py") == 0);
}

TEST_CASE("sizes: symbolic ints never leave the region") {
  CHECK(run(R"py(
import time
class Box: pass
@torch.compile(dynamic=True)
def f(x):
    n = x.shape[0]
    box = Box()
    box.n, box.pair = n, (n, [n + 1])
    inner = lambda: n * 2
    y = x + n
    time.time()
    return box.n, box.pair, inner(), y.sum().item(), {"n": n}, isinstance(n, int), str(n)
for n in (3, 5, 3):
    assert f(torch.ones(n)) == (n, (n, [n + 1]), n * 2, n * (n + 1.0), {"n": n}, True, str(n))
)py") == 0);
}

TEST_CASE("sizes: the bounds of a slice from outside vary from the second compile on") {
  CHECK(run(R"py(
x = torch.arange(100.0)
start()
f = torch.compile(lambda x, s: x[s] * 2 + s.start)
for n in range(2, 30):
    s = slice(n, n * 2 + 1)
    assert f(x, s).tolist() == (x[s] * 2 + n).tolist(), n
assert graphs() <= 4, graphs()
start()
f = torch.compile(lambda x, ss, names: x[ss[1]].sum() + len(names[ss[0]]))
for n in range(2, 12):
    ss, names = [slice(0, n), slice(n, n + 3)], list(range(n + 1))
    assert f(x, ss, names).item() == x[n:n + 3].sum().item() + n, n
)py") == 0);
}

TEST_CASE("sizes: an int default of a function made anew varies, unless an argument is given") {
  CHECK(run(R"py(
x = torch.arange(100.0)
start()
f = torch.compile(lambda x, g: g(x) + 1)
def made(n):
    return lambda t, n=n, k=3: t[:n] * k
for n in range(2, 30):
    assert f(x, made(n)).tolist() == (x[:n] * 3 + 1).tolist(), n
assert graphs() == 2, graphs()
start()
f = torch.compile(lambda x, g: g(x, 5) + g(x, n=4).sum() + g(x, 5, k=5))
for n in range(2, 12):
    g = made(n)
    assert f(x, g).tolist() == (g(x, 5) + g(x, n=4).sum() + g(x, 5, k=5)).tolist(), n
assert graphs() == 1, graphs()
f = torch.compile(lambda x, g: x + sum(map(g, [1, 2])) + g(*[x]).sum() + len(g.__defaults__))
for n in range(2, 12):
    g = lambda t, n=n: t * n
    assert f(x, g).tolist() == (x + 3 * n + (x * n).sum() + 1).tolist(), n
)py") == 0);
}

}  // namespace
}  // namespace glint
