// Writes through views of what the region made: how much of a function stays one graph.
#include <catch2/catch.hpp>

#include "run_capture.h"

namespace glint {
namespace {

TEST_CASE("view writes: indices, slices, chains and views in use are one graph") {
  CHECK(run_capture(R"py(
def body(x):
    y = torch.zeros(3, 4)
    row = y[0]
    y[1, 2] = 5
    y[:, 0] = x[:3]
    y[2] += 1
    y.t()[3] = 8
    for i in range(3): y[i, 1] = i
    return row * 2, y
f = torch.compile(body, fullgraph=True)
start()
for scale in (1, 2):
    x = torch.arange(4.0) * scale
    for ours, theirs in zip(f(x), body(x)): assert torch.equal(ours, theirs), ours
assert graphs() == 1, graphs()
)py")
            .exit_code == 0);
}

TEST_CASE("view writes: while gradients are recorded the region ends, and the numbers are right") {
  Recorded made = run_capture(R"py(
def body(w):
    y = torch.zeros(3)
    y[0] = w[0] * 2
    return (y * w).sum()
w, v = torch.ones(3, requires_grad=True), torch.ones(3, requires_grad=True)
torch.compile(body)(w).backward()
body(v).backward()
assert torch.equal(w.grad, v.grad), w.grad
)py");
  CHECK(made.exit_code == 0);
}

TEST_CASE("view writes: many small parts of a large tensor are written in place") {
  CHECK(run_capture(R"py(
def body(x, rows):
    y = torch.zeros(rows, x.shape[0])
    for i in range(rows): y[i] = x + i
    return y
for rows, size, whole in ((3, 20000, True), (12, 16, True), (12, 20000, False)):
    torch._dynamo.reset()
    f, x = torch.compile(body), torch.ones(size)
    assert torch.equal(f(x, rows), body(x, rows))
    explained = torch._dynamo.explain(body)(x, rows)
    assert (explained.graph_break_count == 0) == whole, (rows, size, explained)
)py")
            .exit_code == 0);
}

}  // namespace
}  // namespace glint
