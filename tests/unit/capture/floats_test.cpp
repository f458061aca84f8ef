// Floats from outside: how often they compile, what stays symbolic, what is guarded.
#include <catch2/catch.hpp>

#include "run_capture.h"

namespace glint {
namespace {

int run(const std::string& script) {
  Recorded made = run_capture(script);
  INFO(made.errors);
  INFO(made.why);
  CHECK(made.exit_code == 0);
  return made.exit_code;
}
bool holds(const std::string& text, const char* part) {
  INFO(text);
  return text.find(part) != std::string::npos;
}

TEST_CASE("floats: twenty learning rates compile once, whatever they are read from") {
  Recorded made = run_capture(R"py(
x = torch.arange(8, dtype=torch.float32)
rate = 0.0
group = {"lr": 0.0, "betas": (0.0, 0.5)}
class Holder:
    def __init__(self): self.lr = 0.0
holder = Holder()
table = [0.0]
def closure():
    lr = 0.0
    def inner(x): return x * lr
    def change(value):
        nonlocal lr
        lr = value
    return inner, change
inner, change = closure()
def argument(x, lr): return x * lr
def global_(x, lr): return x * rate
def entry(x, lr): return x * group["lr"]
def attribute(x, lr): return x * holder.lr
def item(x, lr): return x * table[0]
def unpacked(x, lr):
    first, second = group["betas"]
    return x * first + second
def deep(x, lr): return argument(x, holder.lr) - 1
for body in (argument, global_, entry, attribute, item, unpacked, deep, lambda x, lr: inner(x)):
    f = torch.compile(body)
    start()
    for i in range(20):
        lr = 0.1 / (i + 1)
        rate = group["lr"] = holder.lr = table[0] = lr
        group["betas"] = (lr, 0.5 + lr)
        change(lr)
        assert torch.equal(f(x, lr), body(x, lr)), (body, lr)
    assert graphs() == 1, (body, graphs())
)py");
  INFO(made.errors);
  INFO(made.why);
  CHECK(made.exit_code == 0);
  Recorded one = run_capture(R"py(
f = torch.compile(lambda x, lr: x * lr)
f(torch.ones(8), 0.5)
)py");
  CHECK(holds(one.graph, "%lr: f64"));
  CHECK(holds(one.guards, "any float"));
  CHECK_FALSE(holds(one.guards, "0.5"));
}

TEST_CASE("floats: every dtype gives eager's bits") {
  run(R"py(
values = (0.1, -0.3, 1.0, 0.0, -0.0, 1e-40, 3.4e38, 1e300, -1e300, float("inf"), float("nan"),
          1.0039062501, 1 / 3, 65504.7)
def same(a, b):
    assert a.dtype == b.dtype and a.shape == b.shape, (a, b)
    if not a.dtype.is_floating_point: return torch.equal(a, b)
    agree = ((a == b) & (1 / a == 1 / b)) | ((a != a) & (b != b))  # 1 / -0.0 is -inf
    return bool(agree.all())
bodies = (lambda x, s: x * s, lambda x, s: s - x, lambda x, s: x / s, lambda x, s: s / x,
          lambda x, s: x + s, lambda x, s: x > s, lambda x, s: torch.where(x > 0, x, s),
          lambda x, s: x % s, lambda x, s: x // s, lambda x, s: s * x + x * (s + 1))
for dtype in (torch.float32, torch.float64, torch.bfloat16, torch.int64, torch.int32, torch.bool):
    for shape in ((), (5,), (3, 40)):
        x = (torch.arange(120) % 7 - 3)[:5].to(dtype) if shape == (5,) else (torch.arange(120) % 11 - 4).reshape(3, 40).to(dtype)
        if shape == (): x = x[0, 0] if x.dim() == 2 else x[0]
        for number, body in enumerate(bodies):
            f = torch.compile(body)
            start()
            compiled = 0
            for s in values:
                try:
                    expected = body(x, s)
                except Exception as error:
                    expected = type(error)
                try:
                    got = f(x, s)
                except Exception as error:
                    got = type(error)
                if isinstance(expected, type):
                    assert got is expected, (dtype, shape, number, s, got, expected)
                else:
                    assert same(got, expected), (dtype, shape, number, s, got, expected)
                    compiled += 1
            assert graphs() <= 1, (dtype, shape, number, graphs())
)py");
}

TEST_CASE("floats: a blend's weight is a number, on either side of a half") {
  run(R"py(
values = (0.1, 0.3, -0.49, 0.5, -0.5, 0.9, 1.0, 7.0, 0.0, float("nan"))
def body(x, y, w): return x.lerp(y, w) * 2
x, y = torch.arange(9.0) / 7, torch.arange(9.0).flip(0) / 3
f = torch.compile(body)
start()
for w in values: assert torch.equal(f(x, y, w).isnan(), body(x, y, w).isnan())
for w in values[:-1]: assert torch.equal(f(x, y, w), body(x, y, w)), w
assert graphs() == 1, graphs()
for x, y in ((torch.tensor(0.25), torch.tensor(3.0)), (torch.ones(2, 3), torch.ones(3))):
    start()
    for w in values[:-1]:
        ours, theirs = f(x, y, w), body(x, y, w)
        assert torch.equal(ours, theirs) and ours.dtype == theirs.dtype, w
    assert graphs() == 1, graphs()
)py");
}

TEST_CASE("floats: a schedule that changes Adam's betas does not compile the step again") {
  run(R"py(
import torch.nn as nn
model = nn.Linear(4, 2)
optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=0.1, total_steps=40)
x, y = torch.randn(8, 4), torch.randn(8, 2)
@torch.compile
def step():
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(x), y)
    loss.backward()
    optimizer.step()
    return loss
for i in range(40):
    step()
    schedule.step()
    if i == 3: start()  # by now there are gradients
assert graphs() == 1, graphs()
)py");
}

TEST_CASE("floats: arithmetic runs on the host as the interpreter runs it") {
  run(R"py(
import math
def body(x, a, b):
    c = (a + b) * 2 - a / b + a // b - a % b + abs(-a) ** b
    d = math.sqrt(abs(a)) + math.exp(b) * math.log(abs(a) + 1) + math.log(3.0, abs(b) + 2) + math.pow(abs(a), 2)
    e = float(a) + round(a, 3) + (+b)
    c += 1
    c /= 3
    return x * c + d, e, [c, (d,)], {"e": e}
f = torch.compile(body)
x = torch.ones(4)
start()
for i in range(20):
    a, b = 0.37 * (i + 1) - 3.1, 1.1 + i * 0.7
    ours, theirs = f(x, a, b), body(x, a, b)
    assert torch.equal(ours[0], theirs[0]) and ours[1:] == theirs[1:], (a, b, ours, theirs)
    assert type(ours[1]) is float and type(ours[2][0]) is float
assert graphs() == 1, graphs()
)py");
}

TEST_CASE("floats: a step count that changes compiles no more than an int does") {
  run(R"py(
class Moments:
    def __init__(self):
        self.step = 0
        self.beta = 0.9
        self.lr = 0.1
    def update(self, x):
        correction = 1 - self.beta ** self.step
        return x * (self.lr / correction) + (1 - self.beta ** self.step) ** 0.5
    __call__ = update
moments = Moments()
f = torch.compile(moments.update)
x = torch.arange(5, dtype=torch.float32)
start()
for i in range(1, 30):
    moments.step = i
    moments.lr = 0.1 / i
    assert torch.equal(f(x), moments.update(x)), i
assert graphs() == 2, graphs()
moments.step = 0
try:
    f(x)
    assert False
except ZeroDivisionError:
    pass
moments.step = 7
assert torch.equal(f(x), moments.update(x))
)py");
}

TEST_CASE("floats: a number inside a recorded operation is an input of the backward too") {
  run(R"py(
def times(w, r): return w * r
def quotient(w, r): return r / w
def shifted(w, r): return torch.add(w, w, alpha=r) - r
def clamped(w, r): return w.clamp(min=r)
def weighted(w, r): return torch.addcmul(w, w, w, value=r)
def divided(w, r): return torch.addcdiv(w, w, w + 5, value=r / 2)
def filled(w, r): return w.masked_fill(w > 0, r) * w
def written(w, r): return (w * 1).mul_(r)
def made(w, r): return w * torch.full((4,), r)
def both(w, r): return w.double() * r + (w * (r + 1)).bfloat16()
for body in (times, quotient, shifted, clamped, weighted, divided, filled, written, made, both):
    for inside in (False, True):
        w = torch.tensor([0.3, -1.2, 2.5, 0.7], requires_grad=True)
        def loss_of(r):
            loss = body(w, r).sum()
            if inside: loss.backward()
            return loss
        def gradient(run, r):
            w.grad = None
            loss = run(r)
            if not inside: loss.backward()
            return loss.detach(), w.grad.clone()
        compiled = torch.compile(loss_of)
        start()
        for i in range(6):
            ours, theirs = gradient(compiled, 0.1 + 0.3 * i), gradient(loss_of, 0.1 + 0.3 * i)
            assert torch.equal(ours[0], theirs[0]) and torch.equal(ours[1], theirs[1]), (body, i)
        # The backward outside is a graph of its own, compiled at its first call.
        assert graphs() == 1, (body, inside, graphs())
)py");
}

TEST_CASE("floats: a region that ends with numbers on the tape goes on with them") {
  run(R"py(
w = torch.tensor([0.3, -1.2], requires_grad=True)
def f(r):
    y = torch.add(w * r, w, alpha=r)
    if y.sum() > 0: y = y * 2
    y = y + time.time() * 0
    y.sum().backward(retain_graph=True)
    first = w.grad.clone()
    y.sum().backward()
    return first, w.grad
import time
compiled = torch.compile(f)
for i in range(4):
    w.grad = None
    ours = [each.clone() for each in compiled(0.5 + i)]
    w.grad = None
    theirs = f(0.5 + i)
    assert all(torch.equal(a, b) for a, b in zip(ours, theirs)), (i, ours, theirs)
)py");
}

TEST_CASE("floats: learning rates that change do not compile a training step again") {
  run(R"py(
from torch import nn
O, L = torch.optim, torch.optim.lr_scheduler
def network():
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
def by_hand(optimizer):
    class Hand:
        def step(self):
            for g in optimizer.param_groups: g["lr"] *= 0.9
    return Hand()
optimizers = [
    lambda p: O.SGD(p, lr=0.1), lambda p: O.SGD(p, lr=0.1, momentum=0.9, weight_decay=0.01),
    lambda p: O.SGD(p, lr=0.1, momentum=0.9, nesterov=True), lambda p: O.Adam(p, lr=0.1),
    lambda p: O.AdamW(p, lr=0.1)]
schedules = [
    by_hand, lambda o: L.StepLR(o, 2, 0.5), lambda o: L.ExponentialLR(o, 0.9),
    lambda o: L.CosineAnnealingLR(o, 10), lambda o: L.LambdaLR(o, lambda epoch: 0.9 ** epoch)]
x, y = torch.randn(6, 4), torch.randn(6, 2)
def losses(make, schedule, compiled):
    model = network()
    optimizer = make(model.parameters())
    rates = schedule(optimizer)
    def step(x, y):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        return loss
    if compiled: step = torch.compile(step)
    start()
    found, counts = [], []
    for i in range(8):
        found.append(step(x, y).item())
        rates.step()
        counts.append(graphs())
    # The first call makes the optimiser's state, the second is compiled with it.
    assert counts[1] == counts[-1] and (counts[-1] > 0) == compiled, (optimizer, counts)
    return found
for number, make in enumerate(optimizers):
    for schedule in schedules if number in (0, 3, 4) else schedules[:1]:
        ours, theirs = losses(make, schedule, True), losses(make, schedule, False)
        assert all(abs(a - b) < 1e-5 for a, b in zip(ours, theirs)), (number, ours, theirs)
)py");
}

TEST_CASE("floats: a loop over groups does not look into them") {
  run(R"py(
groups = [{"lr": 0.1, "params": [1.0, [2.0]]}, {"lr": 0.2, "params": [3.0, [4.0]]}]
named = {"a": {"lr": 0.1}, "b": {"lr": 0.2}}
rates = {"a": 0.5, "b": 0.25}
def loop(x):
    for group in groups: x = x * group["lr"]
    return x
def numbered(x):
    for i, group in enumerate(groups): x = x * group["lr"] + i
    return x
def pairs(x):
    for group, name in zip(groups, named): x = x * group["lr"] + named[name]["lr"]
    return x
def items(x):
    for name, group in named.items(): x = x * group["lr"]
    return x
def unpacked(x):
    first, second = groups
    return x * first["lr"] - second["lr"]
def got(x): return x * rates.get("a", 1.0) + rates.get("c", 2.0) + (rates.get("d") is None)
def keys(x):
    for name in rates: x = x * rates[name]
    return x
x = torch.ones(4)
for body in (loop, numbered, pairs, items, unpacked, keys, got):
    f = torch.compile(body)
    start()
    for i in range(10):
        groups[0]["lr"] = named["b"]["lr"] = rates["a"] = 0.1 * i
        groups[1]["lr"] = named["a"]["lr"] = rates["b"] = 0.3 - 0.1 * i
        assert torch.equal(f(x), body(x)), (body, i)
    assert graphs() == 1, (body, graphs())
rates["c"] = 3.0
assert torch.equal(f(x), got(x))
)py");
}

TEST_CASE("floats: any other use guards the value") {
  Recorded made = run_capture(R"py(
def formatted(x, s):
    text = f"{s:.2f}"
    return x + s, text
def key(x, s): return x + {0.5: 1.0, 0.25: 2.0, 0.125: 3.0}[s]
def whole(x, s): return x + int(s * 8)
def found(x, s): return x + hash(s) % 7
def exponent(x, s): return x ** s
for body in (formatted, key, whole, found, exponent):
    f = torch.compile(body)
    start()
    for s in (0.5, 0.25, 0.125, 0.5, 0.25):
        ours, theirs = f(torch.ones(3) * 2, s), body(torch.ones(3) * 2, s)
        if isinstance(ours, tuple):
            assert ours[1] == theirs[1]
            ours, theirs = ours[0], theirs[0]
        assert torch.equal(ours, theirs), (body, s)
    assert graphs() == 3, (body, graphs())
f = torch.compile(lambda x, s: torch.nn.functional.elu(x, s))
f(torch.ones(3), 0.5)
f(torch.ones(3), 0.25)
)py");
  INFO(made.errors);
  CHECK(made.exit_code == 0);
  CHECK(holds(made.guards, "0.25, a constant of `elu`'s `alpha`"));
}

TEST_CASE("floats: ints, bools and None where a float was are other entries") {
  run(R"py(
f = torch.compile(lambda x, s: x * s)
x = torch.arange(3)
start()
for s, expected in ((0.5, 1), (2, 2), (True, 3), (0.25, 3), (2.0, 3), (True, 3), (2, 3)):
    got = f(x, s)
    assert torch.equal(got, x * s) and got.dtype == (x * s).dtype
    assert graphs() == expected, (s, graphs())
)py");
}

TEST_CASE("floats: what is only carried along, or dies, costs no entry") {
  run(R"py(
def body(x, s, t):
    pair = (s, [t])
    return x + 1, pair
f = torch.compile(body)
start()
for s in (0.1, 0.2, float("nan")):
    assert str(f(torch.ones(2), s, -s)[1]) == str((s, [-s]))
assert graphs() == 1
)py");
}

TEST_CASE("floats: a region goes on behind a break, a callee ends one") {
  run(R"py(
log = []
def inner(x, s):
    t = s * 2
    y = x * t
    log.append(t)
    return y + t
def body(x, s):
    y = inner(x, s + 1)
    return y * s
f = torch.compile(body)
start()
for i in range(10):
    s = 0.3 * i
    assert torch.equal(f(torch.ones(3), s), body(torch.ones(3), s))
    assert log[-1] == log[-2] and type(log[-1]) is float
first = graphs()
for i in range(10):
    f(torch.ones(3), 0.7 * i)
assert graphs() == first <= 3, (first, graphs())
)py");
}

TEST_CASE("floats: an error at a later value is eager's, in its place") {
  run(R"py(
import math
def quotient(x, s):
    try:
        return x * (1.0 / s)
    except ZeroDivisionError:
        return x - 1
def root(x, s):
    try:
        return x * math.sqrt(s)
    except ValueError:
        return x - 2
def power(x, s):
    try:
        return x * 10.0 ** s
    except OverflowError:
        return x - 3
for body, values in ((quotient, (2.0, 0.0, -0.0, 4.0)), (root, (2.0, -1.0, 0.0, float("inf"))),
                     (power, (2.0, 1e6, -1e6, 3.0))):
    f = torch.compile(body)
    for s in values:
        assert torch.equal(f(torch.ones(3), s), body(torch.ones(3), s)), (body, s)
    # The error in the first call.
    f = torch.compile(body)
    for s in (values[1], values[0], values[1]):
        assert torch.equal(f(torch.ones(3), s), body(torch.ones(3), s)), (body, s)
)py");
}

TEST_CASE("floats: numbers that operators multiply by") {
  run(R"py(
def added(x, y, s): return torch.add(x, y, alpha=s), torch.sub(x, y, alpha=s), x.add(y, alpha=-s)
def fused(x, y, s): return torch.addcmul(x, y, y, value=s), torch.addcdiv(x, y, y + 3, value=-s)
def clamped(x, y, s): return x.clamp(-s, s), torch.clamp(x, min=s), torch.clamp(x, max=s)
def filled(x, y, s): return torch.full((2, 3), s), x.masked_fill(y > 1, s), torch.full_like(x, s)
def in_place(x, y, s):
    z = x.clone()
    z.mul_(s).add_(y, alpha=s).addcdiv_(y, y + 2, value=s)
    z += s
    z *= s
    return z
for dtype in (torch.float32, torch.float64, torch.bfloat16):
    x = torch.arange(-6, 6).to(dtype) / 3
    y = torch.arange(12).to(dtype) / 7
    for body in (added, fused, clamped, filled, in_place):
        f = torch.compile(body)
        start()
        for s in (0.1, 1.0, -0.7, 1e-9, 3e38):
            ours, theirs = f(x, y, s), body(x, y, s)
            if not isinstance(ours, tuple): ours, theirs = (ours,), (theirs,)
            for a, b in zip(ours, theirs):
                assert a.dtype == b.dtype and torch.equal(a, b), (body, dtype, s, a, b)
        assert graphs() == 1, (body, dtype, graphs())
f = torch.compile(added)
start()
x = torch.arange(4)
for _ in range(2):
    try:
        f(x, x, 0.5)
        assert False
    except RuntimeError as error:
        assert "alpha must not be" in str(error), error
)py");
}

TEST_CASE("floats: dynamic=False keeps them constants, True makes sizes' quotients symbolic") {
  Recorded made = run_capture(R"py(
f = torch.compile(lambda x, s: x * s, dynamic=False)
start()
for i in range(4):
    assert torch.equal(f(torch.ones(3), 0.5 + i), torch.ones(3) * (0.5 + i))
    assert graphs() == i + 1
body = lambda x: x / x.shape[0] ** 0.5 + 1 / x.shape[0]
g = torch.compile(body, dynamic=True)
start()
for n in range(2, 12):
    assert torch.equal(g(torch.ones(n)), body(torch.ones(n)))
assert graphs() == 1, graphs()
)py");
  INFO(made.errors);
  CHECK(made.exit_code == 0);
}

TEST_CASE("floats: backends get them as numbers") {
  run(R"py(
seen = []
def backend(gm, examples):
    seen.append([type(each).__name__ for each in examples])
    return gm.forward
body = lambda x, s: (x * s + s / 2, torch.add(x, x, alpha=s))
for name in ("eager", "aot_eager", "interp", backend):
    f = torch.compile(body, backend=name)
    start()
    for s in (0.1, 0.7, -3.0):
        for ours, theirs in zip(f(torch.ones(3), s), body(torch.ones(3), s)):
            assert torch.equal(ours, theirs), (name, s, ours, theirs)
    assert graphs() == 1, (name, graphs())
assert seen[0][0] == "Tensor" and set(seen[0][1:]) == {"float"}, seen
)py");
}

TEST_CASE("floats: matrix products and their epilogues") {
  run(R"py(
def body(a, b, s): return torch.relu(a @ b * s + s), (a @ b + s) / s, torch.relu(a @ b + s)
f = torch.compile(body)
a, b = torch.arange(12.0).reshape(3, 4) - 5, torch.arange(20.0).reshape(4, 5) / 7
start()
for s in (0.1, -2.5, 7.0):
    for ours, theirs in zip(f(a, b, s), body(a, b, s)):
        assert torch.equal(ours, theirs), (s, ours, theirs)
assert graphs() == 1
)py");
}

}  // namespace
}  // namespace glint
