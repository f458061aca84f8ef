// Long reductions go in blocks over the threads; no bit depends on how many there are.
#include <catch2/catch.hpp>

#include "run_capture.h"

namespace glint {
namespace {

TEST_CASE("a long reduction gives eager's bits with any number of threads") {
  const Recorded made = run_capture(R"(
torch.manual_seed(0)
x = torch.randn(300001)
whole = torch.randn(16384 * 16)

def check(f, x):
    expected = f(x)
    for threads in (1, 2, 5):
        torch.set_num_threads(threads)
        assert torch.equal(torch.compile(f)(x), expected), (threads, f(x))

check(lambda x: x.sum(), x)
check(lambda x: x.sum(), whole)
check(lambda x: (x * 2 + 1).sum(), x)
check(lambda x: x.mean(), x)
check(lambda x: x.sum(), x.double())
check(lambda x: x.bfloat16().sum(), x)
check(lambda x: x.amax(), x)
check(lambda x: (x > 0).sum(), x)
)");
  CHECK(made.errors.empty());
  CHECK(made.exit_code == 0);
}

TEST_CASE("sums over rows and columns give the same bits with any number of threads") {
  const Recorded made = run_capture(R"(
torch.manual_seed(0)
rows = torch.randn(500, 1003)
bias = torch.randn(1003)

def check(f):
    results = []
    for threads in (1, 2, 5):
        torch.set_num_threads(threads)
        results.append(torch.compile(f)())
    assert all(torch.equal(results[0], each) for each in results)
    assert torch.allclose(f(), results[0])

check(lambda: (rows + bias).sum())
check(lambda: rows.t().sum())
check(lambda: rows[:, 1:1000].sum())
check(lambda: rows.sum(0))
check(lambda: rows[:, :600].amax(0))
check(lambda: rows.flatten()[:501000].view(-1, 100).sum(0))
)");
  CHECK(made.errors.empty());
  CHECK(made.exit_code == 0);
}

}  // namespace
}  // namespace glint
