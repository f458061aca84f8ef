"""The forward call of ten layers of width 8: next to no arithmetic, forty modules and parameters.

What a compiled call costs here is its guards, its products' set-up and its history. `step` is a
training step with Adam, all of it one region: twenty small updates.
"""

import torch
from timing import best, first, report
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(0)
network = nn.Sequential(*[layer for _ in range(10) for layer in (nn.Linear(8, 8), nn.ReLU())])
batch = torch.randn(4, 8)
compiled = torch.compile(network)

report("recorded", "eager", best(network, batch, 1.0))
report("recorded", "compiled", best(compiled, batch, 1.0))
with torch.no_grad():
    report("no_grad", "eager", best(network, batch, 1.0))
    report("no_grad", "compiled", best(compiled, batch, 1.0))

optimizer = torch.optim.Adam(network.parameters())
target = torch.randn(4, 8)


def step(x):
    optimizer.zero_grad()
    nn.functional.mse_loss(network(x), target).backward()
    optimizer.step()


report("step", "eager", best(step, batch, 1.0))
compiled_step = torch.compile(step)
# The second call finds the state that the first has made, and is compiled once more.
report("step", "first_compile", first(compiled_step, batch) + first(compiled_step, batch), "ms")
report("step", "compiled", best(compiled_step, batch, 1.0))
