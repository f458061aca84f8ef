// A training step in capture: how many graphs it makes, from its first call on.
#include <catch2/catch.hpp>
#include <regex>

#include "run_capture.h"

namespace glint {
namespace {

/// An MLP's step with that optimiser; `step(x, y)` is compiled.
std::string mlp_step(const std::string& optimizer) {
  return R"py(
from torch import nn
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
optimizer = )py" +
         optimizer + R"py(
@torch.compile
def step(x, y):
    optimizer.zero_grad()
    loss = ((model(x) - y) ** 2).mean()
    loss.backward()
    optimizer.step()
    return loss
x, y = torch.ones(3, 4), torch.zeros(3, 2)
)py";
}

/// Where in the script the operation stands whose result has that name.
std::string place_of(const std::string& graph, const std::string& name) {
  std::smatch found;
  std::regex_search(graph, found, std::regex(name + " +=[^\n]* ([0-9]+:[0-9]+)\n"));
  return found[1];
}

}  // namespace

TEST_CASE("training step: one graph at the first call, which makes the state, and at the second") {
  for (const char* optimizer :
       {"torch.optim.Adam(model.parameters())", "torch.optim.AdamW(model.parameters())",
        "torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)"}) {
    INFO(optimizer);
    Recorded made = run_capture(mlp_step(optimizer) + R"py(
first = step(x, y).item()
assert graphs() == 1, graphs()
second = step(x, y).item()
assert graphs() == 2, graphs()
for _ in range(5): last = step(x, y).item()
assert graphs() == 2, graphs()
assert last < second < first
)py");
    INFO(made.errors);
    CHECK(made.exit_code == 0);
    CHECK(made.all_breaks.empty());
  }
}

TEST_CASE("training step: the state that the first call makes is the script's") {
  Recorded made = run_capture(mlp_step("torch.optim.Adam(model.parameters())") + R"py(
step(x, y)
kept = optimizer.state[model[0].weight]
assert kept["step"] == 1 and kept["exp_avg"].shape == (8, 4)
step(x, y)
assert optimizer.state[model[0].weight] is kept and kept["step"] == 2
optimizer.state.clear()
step(x, y)
assert optimizer.state[model[0].weight] is not kept and len(optimizer.state) == 4
)py");
  INFO(made.errors);
  CHECK(made.exit_code == 0);
}

TEST_CASE("training step: a loss whose own node keeps nothing went backward with the step") {
  Recorded made = run_capture(mlp_step("torch.optim.Adam(model.parameters())") + R"py(
loss = step(x, y)
for again in range(2):
    try:
        loss.backward()
        assert False
    except RuntimeError as error:
        assert "a second time" in str(error)
    loss = step(x, y)
# A stop behind the backward: what is left of the tape stays the script's.
def stopped(x, y):
    loss = (model(x) - y).mean()
    loss.backward()
    print(end="")
    return loss * 2
run = torch.compile(stopped)
assert run(x, y).item() == run(x, y).item() == stopped(x, y).item()
)py");
  INFO(made.errors);
  CHECK(made.exit_code == 0);
}

TEST_CASE("training step: a gradient stands at its operator's line, also where that was written") {
  Recorded made = run_capture(R"py(
w = torch.ones(3, 3, requires_grad=True)
@torch.compile
def step(x):
    w.grad = None
    h = x @ w
    h.mul_(2)
    h.relu_()
    h.sum().backward()
step(torch.ones(2, 3))
)py");
  INFO(made.errors << made.graph);
  CHECK(made.exit_code == 0);
  CHECK(!place_of(made.graph, "%mm").empty());
  CHECK(place_of(made.graph, "%mm_1") == place_of(made.graph, "%mm"));
  CHECK(place_of(made.graph, "%mul_1") == place_of(made.graph, "%mul"));
  CHECK(place_of(made.graph, "%threshold_backward") == place_of(made.graph, "%relu"));
}

}  // namespace glint
