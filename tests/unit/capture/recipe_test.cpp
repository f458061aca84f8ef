// What lives across a region's end is made again on a later hit, as eager execution makes it.
#include <catch2/catch.hpp>

#include "run_capture.h"

namespace glint {
namespace {

/// `body(x)` compiled and called three times gives what it gives eagerly; a region ends at
/// `pause()`, so that what is alive there is rebuilt.
void same_as_eager(const std::string& body) {
  INFO(body);
  std::string script = R"py(
def pause(): return None
pause._torchdynamo_disable = True
class Pair:
    def __init__(self, first, second): self.first, self.second = first, second
    def total(self): return self.first + self.second
def plain(value):
    if isinstance(value, torch.Tensor): return value.tolist()
    if isinstance(value, (list, tuple)): return [type(value).__name__] + [plain(v) for v in value]
    if isinstance(value, dict): return {k: plain(v) for k, v in value.items()}
    return value
def body(x):
)py" + body + R"py(
compiled = torch.compile(body)
for i in range(3):
    x = torch.tensor([1.0, 2.0 + i])
    ours, theirs = plain(compiled(x)), plain(body(x))
    assert ours == theirs, (ours, theirs)
assert graphs() >= 1
)py";
  CHECK(run_capture(script).exit_code == 0);
}

TEST_CASE("recipes: containers") {
  same_as_eager("    a = [x + 1, x]\n    pause()\n    a.append(a[0] * 2)\n    return a");
  same_as_eager("    a = (x + 1, (x, 3, 'text', None, 2.5))\n    pause()\n    return a, x * 2");
  same_as_eager("    a = {'y': x * 2, 3: [x]}\n    pause()\n    a['z'] = a['y'] + 1\n    return a");
  same_as_eager("    a = [[x + 1], {'k': (x * 3,)}]\n    pause()\n    return a, a[1]['k'][0] + 1");
  same_as_eager("    s = slice(0, 1)\n    y = x + 1\n    pause()\n    return y[s]");
}

TEST_CASE("recipes: shared parts stay shared") {
  same_as_eager(
      "    y = x + 1\n    a = [y]\n    b = {'a': a, 'y': y}\n    pause()\n"
      "    a.append(y)\n    return b, b['a'] is a, b['y'] is a[0]");
  same_as_eager("    y = x * 2\n    z = y\n    pause()\n    y += 1\n    return z, y is z");
}

TEST_CASE("recipes: cells and closures") {
  same_as_eager(
      "    n = x + 1\n    def bump():\n        nonlocal n\n        n = n * 2\n        return n\n"
      "    y = bump()\n    pause()\n    return y, bump(), n");
}

TEST_CASE("recipes: functions that the region made") {
  same_as_eager(
      "    n = 3\n    def scale(v, k=x + 1):\n        return v * k + n\n    y = scale(x)\n    "
      "pause()\n"
      "    n = 4\n    return scale(y), scale(y, 2), scale.__name__");
  Recorded made = run_capture(R"py(
@torch.compile
def f(x):
    add = lambda v: v + x
    def low(v):
        w = add(v)
        if w.sum() > 0: return w * 2
        return add(w)
    return low(x + 1) + low(x - 3)
for i in range(2):
    assert f(torch.ones(2)).tolist() == [6.0, 6.0]
count = graphs()
assert f(torch.ones(2)).tolist() == [6.0, 6.0] and graphs() == count
)py");
  CHECK(made.exit_code == 0);
  CHECK(made.all_breaks.find("GB013") == std::string::npos);
}

TEST_CASE("regions: random numbers are drawn in order, wanted or not") {
  Recorded made = run_capture(R"py(
def body(x):
    torch.rand(3)
    noise = torch.randn(2) + torch.rand(2)
    return torch.nn.functional.dropout(x, 0.5) + noise, torch.rand(1)
def only(x):
    torch.rand(3)
    return x
for function in (body, only):
    f = torch.compile(function)
    for i in range(3):
        torch.manual_seed(i)
        ours, next_ours = f(torch.ones(2)), torch.rand(2)
        torch.manual_seed(i)
        theirs, next_theirs = function(torch.ones(2)), torch.rand(2)
        assert torch.equal(next_ours, next_theirs)
        if function is body: assert all(torch.allclose(a, b) for a, b in zip(ours, theirs))
assert graphs() == 2
)py");
  CHECK(made.exit_code == 0);
  CHECK(made.all_breaks.empty());
}

TEST_CASE("exits: inside a with block") {
  Recorded made = run_capture(R"py(
@torch.compile
def f(x):
    with torch.no_grad():
        y = x + 1
        if y.sum() > 0: y = y * 3
        mode = torch.is_grad_enabled()
    return y, mode, torch.is_grad_enabled()
for i in range(3):
    y, inner, outer = f(torch.ones(2))
    assert y.tolist() == [6.0, 6.0] and not inner and outer and torch.is_grad_enabled()
count = graphs()
f(torch.ones(2))
assert graphs() == count == 2
)py");
  CHECK(made.exit_code == 0);
  CHECK(made.all_breaks.find("GB013") == std::string::npos);
}

TEST_CASE("recipes: instances and bound methods") {
  same_as_eager(
      "    p = Pair(x + 1, x * 3)\n    pause()\n    p.first = p.first + 1\n    return p.total()");
  same_as_eager("    m = Pair(x + 1, x).total\n    y = x * 2\n    pause()\n    return m() + y");
  same_as_eager(
      "    items = []\n    add = items.append\n    y = x + 1\n    pause()\n    add(y)\n"
      "    return items");
}

TEST_CASE("recipes: iterators go on where they were") {
  same_as_eager(
      "    out = []\n    for i in range(4):\n        y = x * i\n        pause()\n"
      "        out.append(y + i)\n    return out");
  same_as_eager(
      "    out = []\n    for v in [x, x + 1, x * 2]:\n        y = v + 1\n        pause()\n"
      "        out.append(y)\n    return out");
  same_as_eager(
      "    out = []\n    for v in (x, x + 1, 3):\n        y = x + v\n        pause()\n"
      "        out.append(y)\n    return out");
  same_as_eager(
      "    it = iter([x, x + 1, x + 2])\n    y = next(it) * 2\n    pause()\n    return y, "
      "list(it)");
}

TEST_CASE("recipes: comprehensions go on where they were") {
  same_as_eager(
      "    return [(pause(), x * i)[1] for i in range(4)], {i: (pause(), x + i)[1] for i in (1, "
      "2)}");
}

TEST_CASE("recipes: what cannot be described still runs right") {
  same_as_eager(
      "    g = (x * i for i in range(3))\n    y = next(g)\n    pause()\n    return y, list(g)");
  same_as_eager("    y = x + 1\n    s = {1, 2}\n    pause()\n    return y, sorted(s)");
}

TEST_CASE("exits: inside a callee, several frames deep") {
  same_as_eager(
      "    def low(v, k):\n        w = v * k\n        pause()\n        return w + 1\n"
      "    def middle(v):\n        a = v + 1\n        b = low(a, 3)\n        return a * b\n"
      "    y = x * 2\n    z = middle(y)\n    return [y, z, low(z, 2)]");
  Recorded made = run_capture(R"py(
def low(v, k):
    w = v * k
    if w.sum() > 10: return w + 1
    return w - 1
def middle(v): return low(v + 1, 3) * v
@torch.compile
def f(x): return middle(x * 2) + x
eager = lambda x: middle(x * 2) + x
for value in (1.0, 0.0, 3.0, -1.0, 1.0):
    x = torch.full((3,), value)
    assert torch.equal(f(x), eager(x))
count = graphs()
for value in (1.0, 0.0): f(torch.full((3,), value))
assert graphs() == count
)py");
  CHECK(made.exit_code == 0);
  CHECK(made.breaks.find("GB001") != std::string::npos);
}

TEST_CASE("exits: an exception finds its handler in a frame around the region") {
  same_as_eager(
      "    def low(v):\n        pause()\n        w = v + 1\n        return w, {}['missing']\n"
      "    y = x * 2\n    try:\n        low(y)\n    except KeyError as error:\n"
      "        return y + 1, str(error)");
  same_as_eager(
      "    try:\n        y = x + 1\n        z = y[5]\n    except IndexError:\n"
      "        return x * 3");
}

}  // namespace
}  // namespace glint
