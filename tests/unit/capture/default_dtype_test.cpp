// The default dtype is a guard of what depends on it, and of nothing else.
#include <catch2/catch.hpp>

#include "run_capture.h"

namespace glint {
namespace {

TEST_CASE("a region is guarded on the default dtype where something took it") {
  const Recorded made = run_capture(R"(
f = torch.compile(lambda x: x + torch.zeros(2))
f(torch.ones(2))
torch.set_default_dtype(torch.float64)
f(torch.ones(2, dtype=torch.float32))
torch.set_default_dtype(torch.float32)
)");
  CHECK(made.errors == "");
  CHECK(made.why.find("was float32, is float64") != std::string::npos);
  CHECK(made.guards.find("default dtype") != std::string::npos);
}

TEST_CASE("what no default dtype decides is compiled once") {
  const Recorded made = run_capture(R"(
f = torch.compile(lambda x, y: (x * 2 + 1).sum() / y.mean() - 0.5)
start()
for dtype in (torch.float32, torch.float64):
    torch.set_default_dtype(dtype)
    f(torch.ones(2, dtype=torch.float32), torch.ones(3, dtype=torch.float32))
assert graphs() == 1, graphs()
torch.set_default_dtype(torch.float32)
)");
  CHECK(made.errors == "");
  CHECK(made.exit_code == 0);
}

}  // namespace
}  // namespace glint
