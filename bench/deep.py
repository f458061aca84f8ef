"""The forward call of ten layers of width 8: next to no arithmetic, forty modules and parameters.

What a compiled call costs here is its guards, its products' set-up and its history.
"""

import torch
from timing import best, report
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
