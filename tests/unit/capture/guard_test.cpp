// Each kind of guard: it passes while its object is as it was, and names what changed when it is
// not.
#include <catch2/catch.hpp>

#include "run_capture.h"

namespace glint {
namespace {

struct Case {
  const char* kind;    ///< the guard's word, which the list of guards must show
  const char* script;  ///< defines `f` and `call()`
  const char* change;  ///< makes the guard fail
  const char* reason;  ///< part of what `:why` then says
};

constexpr Case kCases[] = {
    {"tensor", R"py(
x = torch.ones(4)
f = torch.compile(lambda x: x + 1, dynamic=False)
call = lambda: f(x)
)py",
     "x = torch.ones(5)", "x was float32[4] cpu, contiguous, is float32[5]"},
    {"tensor", R"py(
x = torch.ones(4, 3)
f = torch.compile(lambda x: x + 1)
call = lambda: f(x)
)py",
     "x = torch.ones(3, 4).t()", "is float32[4, 3] cpu, strides 1, 4"},
    {"tensor", R"py(
x = torch.ones(4)
f = torch.compile(lambda x: x + 1)
call = lambda: f(x)
)py",
     "x = torch.ones(4, dtype=torch.float64)", "is float64[4]"},
    {"identity", R"py(
x = torch.ones(4)
def act(x): return x.relu()
f = torch.compile(lambda x: act(x) + 1)
call = lambda: f(x)
)py",
     "def act(x): return x.sin()", "act was function act, is another function of that name"},
    {"equals", R"py(
x = torch.ones(4)
scale = 2.5
f = torch.compile(lambda x: x * len(str(scale)))
call = lambda: f(x)
)py",
     "scale = 0.5", "scale was 2.5, is 0.5"},
    {"outcome", R"py(
x = torch.ones(4)
scale = 2.5
f = torch.compile(lambda x: x * int(scale))
call = lambda: f(x)
)py",
     "scale = 0.5", "int(scale) == 2 was True, is False"},
    {"outcome", R"py(
x = torch.ones(4)
scale = 2.5
f = torch.compile(lambda x: x * scale if 1 - scale * 2 < 0 else x + 1)
call = lambda: f(x)
)py",
     "scale = 0.25", "1 - (scale * 2) < 0 was True, is False"},
    {"grad mode", R"py(
x = torch.ones(4, requires_grad=True)
f = torch.compile(lambda x: x * 2)
call = lambda: f(x)
)py",
     "call = torch.inference_mode()(call)", "grad mode was on, is off, in inference mode"},
    {"tensor", R"py(
x = torch.ones(4)
f = torch.compile(lambda x: x * 2)
call = lambda: f(x)
)py",
     "with torch.inference_mode(): x = torch.ones(4)", "contiguous, inference"},
    {"equals", R"py(
x = torch.ones(4)
scale = 2.5
f = torch.compile(lambda x: x ** scale)
call = lambda: f(x)
)py",
     "scale = 1.5", "scale was 2.5, a constant of `pow`'s `exponent`, is 1.5"},
    {"integer", R"py(
x, n = torch.ones(4), 3
f = torch.compile(lambda x, n: x + n * n, dynamic=True)
call = lambda: f(x, n)
)py",
     "n = 2**31 + 1", "n was int s0, at most 2147483648, is 2147483649"},
    {"fits", R"py(
x, n, m = torch.ones(4), 2**40, 3
def add(x, n, m):
    try: return x + n * m
    except OverflowError: return x - 1
f = torch.compile(add, dynamic=True)
call = lambda: f(x, n, m)
)py",
     "m = 2**24", "s0*s1 needs more than 64 bits now"},
    {"float", R"py(
x = torch.ones(4)
scale = 2.5
f = torch.compile(lambda x: x * scale)
call = lambda: f(x)
)py",
     "scale = 2", "scale was any float, is 2"},
    {"equals", R"py(
x = torch.ones(4)
mode = "up"
f = torch.compile(lambda x: x + 1 if mode == "up" else x - 1)
call = lambda: f(x)
)py",
     "mode = 'down'", "mode was 'up', is 'down'"},
    {"equals", R"py(
x = torch.ones(4)
def make(n):
    def change(value):
        nonlocal n
        n = value
    return change, lambda x: x * n
change, inner = make(3)
f = torch.compile(lambda x: inner(x))
call = lambda: f(x)
)py",
     "change(4)", "n was 3, is 4"},
    {"type", R"py(
x = torch.ones(4)
pair = [x, x]
f = torch.compile(lambda pair: pair[0] + pair[1])
call = lambda: f(pair)
)py",
     "pair = (x, x)", "pair was list, is a tuple"},
    {"same", R"py(
x = torch.ones(4)
y = x
f = torch.compile(lambda x, y: x + y)
call = lambda: f(x, y)
)py",
     "y = torch.ones(4)", "y was `x` itself, is another object"},
    {"same", R"py(
x = torch.ones(4)
y = torch.ones(4)
f = torch.compile(lambda x, y: x + 1 if x is y else x - 1)
call = lambda: f(x, y)
)py",
     "y = x", "x was not `y`, is `y` itself"},
    {"key", R"py(
x, seen = torch.ones(4), {1, 2}
f = torch.compile(lambda x: x + 1 if 2 in seen else x - 1)
call = lambda: f(x)
)py",
     "seen.remove(2)", "seen had `2`, now has not"},
    {"key", R"py(
x, p, state = torch.ones(4), torch.ones(1), {}
f = torch.compile(lambda x: x + 1 if p in state else x - 1)
call = lambda: f(x)
)py",
     "state[p] = 1", "state had no `p`, now has it"},
    {"names", R"py(
class Thing: pass
x, thing = torch.ones(4), Thing()
f = torch.compile(lambda x: x + len([n for n in dir(thing) if n[0] != "_"]))
call = lambda: f(x)
)py",
     "Thing.more = 1", "has other names now"},
    {"names", R"py(
class Thing: pass
x, thing = torch.ones(4), Thing()
f = torch.compile(lambda x: x + 1 if "more" in dir(thing) else x - 1)
call = lambda: f(x)
)py",
     "thing.more = 1", "has other names now"},
    {"equals", R"py(
x = torch.ones(4)
def scaled(t, by=2): return t * by
f = torch.compile(lambda x, g: g(x) + g.__defaults__[0])
call = lambda: f(x, scaled)
)py",
     "scaled.__defaults__ = (5,)", "function scaled"},
    {"distinct", R"py(
class Thing: pass
x, a, b = torch.ones(4), Thing(), Thing()
f = torch.compile(lambda x, a, b: x + 1 if a in [b] else x - 1)
call = lambda: f(x, a, b)
)py",
     "a = b", "a was `a`, `b`"},
    {"length", R"py(
x = torch.ones(4)
parts = [x, x]
f = torch.compile(lambda parts: sum(parts))
call = lambda: f(parts)
)py",
     "parts.append(x)", "parts was 2 items, is"},
    {"keys", R"py(
x = torch.ones(4)
options = {"a": 1, "b": 2}
f = torch.compile(lambda x: x * list(options)[0].find("b"))
call = lambda: f(x)
)py",
     "options['a'] = options.pop('a')", "options was keys 'a', 'b', is keys 'b', 'a'"},
    {"keys", R"py(
x = torch.ones(4)
names = {2, 1}
f = torch.compile(lambda x: x * len(list(names)))
call = lambda: f(x)
)py",
     "names.discard(1)", "names was keys 1, 2, is keys 2"},
    {"type", R"py(
x = torch.ones(4)
class Loose:
    def __getattr__(self, name): return 5
loose = Loose()
f = torch.compile(lambda x: x * loose.scale)
call = lambda: f(x)
)py",
     "Loose.scale = 3", "loose was a Loose, whose class has changed"},
    {"absent", R"py(
x = torch.ones(4)
class Layer:
    scale = 2.0
    def __call__(self, x): return x * self.scale
layer = Layer()
f = torch.compile(lambda x: layer(x))
call = lambda: f(x)
)py",
     "layer.scale = 3.0", "layer had no `scale`, now has one"},
    {"absent", R"py(
x = torch.ones(4)
options = {"a": 1}
f = torch.compile(lambda x: x + 1 if "b" not in options else x - 1)
call = lambda: f(x)
)py",
     "options['b'] = 2", "options had no `b`, now has one"},
    {"absent", R"py(
x = torch.ones(4)
f = torch.compile(lambda x: x * len([1, 2, 3]))
call = lambda: f(x)
)py",
     "len = lambda items: 7", "globals() had no `len`, now has one"},
    {"distinct", R"py(
class State:
    def __init__(self): self.n = 1.0
a, b, x = State(), State(), torch.ones(4)
def body(a, b, x):
    a.last = x
    return x * b.n
f = torch.compile(body)
call = lambda: f(a, b, x)
)py",
     "b = a", "was `a`, `b`, is a State"},
    {"variable", R"py(
def make():
    n = 1.0
    def set():
        nonlocal n
        n = 2.0
    def get(): return n
    return set, get
(one, own), (two, another), x = make(), make(), torch.ones(4)
def body(set, get, x):
    set()
    return x * get()
f = torch.compile(body)
call = lambda: f(one, another, x)
)py",
     "another = own", "was not `n`, is 2.0"},
    {"relation", R"py(
x = torch.ones(9, 2)
f = torch.compile(lambda x: x + 1 if x.shape[0] > 4 else x - 1, dynamic=True)
call = lambda: f(x)
)py",
     "x = torch.ones(3, 2)", "4 < s0: x.shape[0] was 9, is 3"},
    {"integer", R"py(
x, n = torch.ones(4), 5
f = torch.compile(lambda x, n: x * n, dynamic=True)
call = lambda: f(x, n)
)py",
     "n = 2.5", "n was int s1, is 2.5"},
};

TEST_CASE("capture: each kind of guard passes, and names what changed") {
  for (const Case& each : kCases) {
    INFO(each.kind << ": " << each.change);
    std::string check = std::string(each.script) + R"py(
start()
first = call()
assert graphs() == 1
assert torch.equal(call(), first)
assert graphs() == 1
)py";
    Recorded before = run_capture(check);
    CHECK(before.exit_code == 0);
    CHECK(before.guards.find(each.kind) != std::string::npos);
    CHECK(before.why == "nothing was compiled a second time\n");
    Recorded after = run_capture(check + each.change + "\ncall()\nassert graphs() == 2\n");
    CHECK(after.exit_code == 0);
    INFO(after.why);
    CHECK(after.why.find(each.reason) != std::string::npos);
  }
}

TEST_CASE("capture: what does not matter is not guarded") {
  CHECK(run_capture(R"py(
unused = 1
class Layer:
    def __init__(self): self.scale, self.name = 2.0, "a"
layer = Layer()
@torch.compile
def f(x): return x * layer.scale
start()
f(torch.ones(3))
unused, layer.name, layer.more = 2, "b", 3
f(torch.ones(3))
assert graphs() == 1
)py")
            .exit_code == 0);
}

TEST_CASE("capture: two names of one tensor stay one") {
  CHECK(run_capture(R"py(
@torch.compile
def f(x, y):
    z = x + y
    return z, z, x, y, [x, y]
a, b = torch.ones(3), torch.ones(3)
for one, two in ((a, b), (a, a), (a, b)):
    z, again, x, y, both = f(one, two)
    assert z is again and x is one and y is two
    assert both[0] is one and both[1] is two
)py")
            .exit_code == 0);
}

}  // namespace
}  // namespace glint
