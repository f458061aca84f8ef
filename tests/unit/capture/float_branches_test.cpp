// Branches on floats from outside, and the least and greatest of them: each way is compiled once.
#include <catch2/catch.hpp>

#include "run_capture.h"

namespace glint {
namespace {

void run(const std::string& script) {
  Recorded made = run_capture(script);
  INFO(made.errors);
  INFO(made.why);
  CHECK(made.exit_code == 0);
}

TEST_CASE("floats: each way of a branch is compiled once, and found again") {
  Recorded made = run_capture(R"py(
import math
def compared(x, s): return x * s if s > 0.5 else x + s
def between(x, s): return x * s if 0.2 <= s < 0.6 else x + s
def truth(x, s): return x + s if s else x
def negated(x, s): return x - 1 if not s else x * s
def equal(x, s): return x - s if s == 0.25 else x + s
def computed(x, s): return x - s if math.sqrt(s * 2) / 3 < 0.3 else x + s
def both(x, s): return x - s if s > 0.3 and s < 0.6 else x + s
for body, ways in ((compared, 2), (between, 3), (truth, 1), (negated, 2), (equal, 2), (computed, 2), (both, 3)):
    f = torch.compile(body)
    start()
    for i in range(60):
        s = (i * 7 % 12) / 16
        assert torch.equal(f(torch.ones(3) * 2, s), body(torch.ones(3) * 2, s)), (body, s)
    assert graphs() == ways, (body, graphs())
f = torch.compile(compared)
f(torch.ones(3), 0.75)
)py");
  INFO(made.errors);
  CHECK(made.exit_code == 0);
  INFO(made.guards);
  CHECK(made.guards.find("s > 0.5") != std::string::npos);
}

TEST_CASE("floats: the least and the greatest of several are computed, not chosen") {
  run(R"py(
def least(x, s): return x + min(s, 0.3) + max(s, 0.3)
def share(x, s): return x * (0.1 * min(1, s * 2))
def bounded(x, s): return x * max(0.125, min(s, 0.5, 2.0)), min(1, s), max([0, s])
def step(x, s): return x * min(1.0, s * 16 / 5)
for body in (least, share, step):
    f = torch.compile(body)
    start()
    for i in range(40):
        s = (i * 7 % 12) / 8 - 0.25
        assert torch.equal(f(torch.ones(3) * 2, s), body(torch.ones(3) * 2, s)), (body, s)
    assert graphs() == 1, (body, graphs())
f = torch.compile(bounded)
start()
for i in range(40):
    s = (i * 7 % 12) / 4 - 0.25
    ours, theirs = f(torch.ones(3), s), bounded(torch.ones(3), s)
    assert torch.equal(ours[0], theirs[0]) and repr(ours[1:]) == repr(theirs[1:]), (ours, theirs)
assert graphs() == 1, graphs()
# Beside a tensor of ints it matters whether the number is one.
f = torch.compile(lambda x, s: x * min(1, s))
start()
for i in range(40):
    s = (i * 7 % 12) / 4 - 0.25
    ours = f(torch.arange(3), s)
    assert torch.equal(ours, torch.arange(3) * min(1, s)) and ours.dtype == (torch.arange(3) * min(1, s)).dtype
assert graphs() == 2, graphs()
)py");
}

TEST_CASE("floats: warm-up and decay by hand compile once a way") {
  run(R"py(
import math
w = torch.ones(3, requires_grad=True)
def train(rate):
    w.grad = None
    ((w - 3) ** 2).sum().backward()
    with torch.no_grad(): w.sub_(rate * w.grad)
def warm(step): train(0.1 * min(1.0, step / 5))
def whole(step): train(0.1 * min(1, step / 5))
def falling(step): train(max(1e-3, 0.1 - 0.01 * step))
def cosine(step):
    if step < 5: train(0.1 * step / 5)
    else: train(0.05 * (1 + math.cos(math.pi * (step - 5) / max(1, 40 - 5))))
def halves(step):
    if step / 5 < 1: train(0.1 * step / 5)
    else: train(0.1)
# An int is itself in the first call.
for body, compiles in ((warm, 2), (whole, 2), (falling, 2), (cosine, 3), (halves, 3)):
    f = torch.compile(body)
    for turn in range(2):
        with torch.no_grad(): w.fill_(1)
        for i in range(1, 30): body(i)
        expected = w.detach().clone()
        with torch.no_grad(): w.fill_(1)
        if turn == 0: start()
        for i in range(1, 30): f(i)
        assert torch.allclose(w, expected), (body, w, expected)
    assert graphs() == compiles, (body, graphs())
)py");
}

}  // namespace
}  // namespace glint
