// Tensors from outside that a region writes: their new values are written into their memory by the
// kernel that computes them where that is safe, and never where an element of the old value is
// still to be read.
#include <catch2/catch.hpp>

#include "run_capture.h"

namespace glint {
namespace {

/// `body(w, x)` writes; compiled, it leaves and gives what eager execution does.
constexpr const char* kCompare = R"py(
def compare(body, make):
    compiled = torch.compile(body)
    ours, theirs = make(), make()
    for i in range(4):
        places = [each.data_ptr() for each in ours]
        versions = [each._version for each in ours]
        with torch.no_grad():
            a, b = compiled(*ours), body(*theirs)
        assert [each.data_ptr() for each in ours] == places, body
        for one, other in zip(ours, theirs):
            assert torch.equal(one, other), (body, i, one, other)
            assert one._version == other._version, (body, i, one._version, other._version)
        if b is not None: assert torch.equal(a, b), (body, i, a, b)
)py";

Recorded run(const std::string& script) {
  Recorded made = run_capture(kCompare + script);
  INFO(made.errors);
  INFO(made.memory);
  CHECK(made.exit_code == 0);
  return made;
}
bool in_place(const Recorded& made, const char* name) {
  INFO(made.memory);
  return made.memory.find(std::string("in the memory of %") + name) != std::string::npos;
}

TEST_CASE("updates: a value that is computed element by element is written where it belongs") {
  Recorded made = run(R"py(
def step(w, m, g):
    m.mul_(0.9).add_(g)
    w.sub_(m, alpha=0.1)
compare(step, lambda: [torch.arange(12.).reshape(3, 4), torch.ones(3, 4), torch.full((3, 4), 0.5)])
)py");
  CHECK(in_place(made, "w from"));
  CHECK(in_place(made, "m from"));
  CHECK(made.memory.find("outputs 0 bytes, written into inputs 96 bytes") != std::string::npos);
  made = run(R"py(
def filled(w, g): w.fill_(2.0)
compare(filled, lambda: [torch.arange(12.), torch.ones(12)])
)py");
  CHECK(in_place(made, "w from"));
  made = run(R"py(
def turned(w, g): w.mul_(g).add_(1)
compare(turned, lambda: [torch.arange(12.).reshape(3, 4).t(), torch.arange(12.).reshape(4, 3)])
)py");
  CHECK(in_place(made, "w from"));
}

TEST_CASE("updates: what is copied into a tensor is computed there") {
  for (const char* body : {"w.copy_(g * 2 + 1)", "w.copy_(w.cumsum(0))", "w[:] = g.exp() - w",
                           "w.copy_(torch.roll(w, 1, 1) - w)"}) {
    INFO(body);
    Recorded made = run(std::string("def body(w, g): ") + body + R"py(
compare(body, lambda: [torch.arange(16.).reshape(4, 4) / 8 + 1, torch.ones(4, 4)])
)py");
    CHECK(in_place(made, "w from"));
  }
}

TEST_CASE("updates: elements that are read again, elsewhere or later, keep the old value") {
  for (const char* body :
       {"w.copy_(w.flip(0))", "w.copy_(w.t() + 1)", "w.div_(w.sum(1, keepdim=True))",
        "w.copy_(w[0].expand(4, 4) + w)", "w.copy_(torch.softmax(w, 1))",
        "w.copy_(torch.cat([w[1:], w[:1]]))", "w.copy_(w @ w)"}) {
    INFO(body);
    Recorded made = run(std::string("def body(w): ") + body +
                        "\ncompare(body, lambda: [torch.arange(16.).reshape(4, 4) / 8 + 1])\n");
    CHECK_FALSE(in_place(made, "w from"));
  }
  run(R"py(
def kept(w, g):
    old = w.clone()
    w.sub_(g)
    return old
compare(kept, lambda: [torch.arange(12.), torch.ones(12)])
def later(w, g):
    old = w * 2
    w.sub_(g)
    return (old @ old.t()).sum(1)
compare(later, lambda: [torch.arange(12.).reshape(3, 4), torch.ones(3, 4)])
def swapped(a, b):
    old = a.clone()
    a.copy_(b)
    b.copy_(old)
compare(swapped, lambda: [torch.arange(12.), torch.ones(12)])
def crossed(a, b):
    old = a + 0.5
    a.copy_(b * 2)
    b.copy_(old.flip(0))
compare(crossed, lambda: [torch.arange(12.), torch.ones(12)])
)py");
}

TEST_CASE("updates: a new value that leaves is a tensor of its own") {
  Recorded made = run(R"py(
def given(w, g):
    new = w - g
    w.copy_(new)
    return new
compare(given, lambda: [torch.arange(12.), torch.ones(12)])
w = torch.arange(12.)
new = torch.compile(given)(w, torch.ones(12))
assert new.data_ptr() != w.data_ptr()
)py");
}

TEST_CASE("updates: where a region can still fail, nothing was written") {
  Recorded made = run(R"py(
def step(w, index):
    w.mul_(2)
    return w[index]
w = torch.arange(6.)
f = torch.compile(step)
f(w, torch.tensor([1, 2]))
f(w, torch.tensor([0, 5]))
for _ in range(2):
    before = w.clone()
    try:
        f(w, torch.tensor([1, 9]))
        assert False
    except IndexError:
        pass
    # Eager execution has written before it fails, once.
    assert torch.equal(w, before * 2), (w, before)
)py");
}

TEST_CASE("updates: sizes that vary, shared memory, and many threads") {
  run(R"py(
def step(w, g): w.sub_(g, alpha=0.5)
f = torch.compile(step)
for n in (3, 7, 8, 33, 1000):
    w, g = torch.arange(float(n)), torch.ones(n)
    f(w, g)
    assert torch.equal(w, torch.arange(float(n)) - 0.5)
whole = torch.arange(10.)
f(whole[:5], whole[5:])
assert torch.equal(whole[:5], torch.arange(5.) - torch.arange(5., 10.) / 2)
f(whole, whole)
expected = torch.arange(10.)
step(expected[:5], expected[5:]); step(expected, expected)
assert torch.equal(whole, expected), (whole, expected)
torch.set_num_threads(4)
w = torch.arange(3e6)
f(w, torch.ones(3000000))
assert torch.equal(w, torch.arange(3e6) - 0.5)
)py");
}

TEST_CASE("updates: those of all parameters run in one launch, and each where it belongs") {
  std::string script = R"py(
def make():
    torch.manual_seed(0)
    return [torch.randn(n) for n in SIZES for _ in range(3)]
def step(*tensors):
    for i in range(0, len(tensors), 3):
        w, m, g = tensors[i:i + 3]
        m.mul_(0.9).add_(g)
        w.sub_(m * 0.1)
for SIZES in ([40] * 6, [5000, 40, 7, 40], [7, 40, 5000], [1, 2, 3]):
    compare(step, make)
def tied(*tensors):
    step(*tensors)
    tensors[1].add_(tensors[0])
SIZES = [40, 40, 30]
compare(tied, make)
def chained(a, b, c):
    a.add_(1)
    b.add_(1)
    c.copy_(a + b)
    a.mul_(2)
    b.mul_(2)
    c.mul_(2)
compare(chained, lambda: [torch.arange(8.), torch.arange(8., 16.), torch.zeros(8)])
def swapped(a, b):
    old = a + 0
    a.copy_(b + 1)
    b.copy_(old + 1)
compare(swapped, lambda: [torch.arange(8.), torch.arange(8., 16.)])
def of_any_size(*tensors):
    step(*tensors)
compiled = torch.compile(of_any_size, dynamic=True)
for n in (3, 40, 70, 3):
    SIZES = [n, 2 * n, n]
    ours, theirs = make(), make()
    compiled(*ours)
    step(*theirs)
    assert all(torch.equal(one, other) for one, other in zip(ours, theirs))
)py";
  Recorded made = run(script);
  made = run(script + "SIZES = [64, 8, 64]\ncompare(step, make)\n");
  for (const char* name : {"tensors_0", "tensors_1", "tensors_3", "tensors_6"})
    CHECK(in_place(made, name));
}

}  // namespace
}  // namespace glint
