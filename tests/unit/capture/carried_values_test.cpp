// What cannot be carried across a region's end is a graph break, and told as one.
#include <catch2/catch.hpp>

#include "run_capture.h"

namespace glint {
namespace {

TEST_CASE("what no later call could make again is an error under fullgraph, and a graph break") {
  const Recorded made = run_capture(R"(
def pairs(x):
    return zip([x + 1], [2])

try:
    torch.compile(pairs, fullgraph=True)(torch.ones(3))
except RuntimeError as error:
    message = str(error)
assert "GB013" in message and "a zip is alive" in message, message
about = torch._dynamo.explain(pairs)(torch.ones(3))
assert len(about.break_reasons) == 1, about
)");
  CHECK(made.errors == "");
  CHECK(made.exit_code == 0);
}

TEST_CASE("a set of objects that hash themselves is not made again") {
  const Recorded made = run_capture(R"(
class Hashed:
    def __init__(self, n): self.n = n
    def __hash__(self): return self.n
    def __eq__(self, other): return self.n == other.n

one = Hashed(1)
f = torch.compile(lambda x: {one})
assert f(torch.ones(3)) == {one} and f(torch.ones(3)) == {one}
)");
  CHECK(made.errors == "");
  CHECK(made.exit_code == 0);
  CHECK(made.breaks.find("a set of what hashes itself") != std::string::npos);
}

}  // namespace
}  // namespace glint
