"""The ladder: n light operators on a small tensor, eager, compiled, compiled for changing shapes.

Compiling a small function can make it slower: checking guards and launching costs more than the few
operators save. This benchmark looks for that zone. Each function of n operators ends in a sum and
runs on an (8, 16) tensor (static), and over the shapes ((i % 10) + 4, 16) with dynamic=True.
"""

import torch
from ladder_functions import LADDER
from timing import best, first, report

torch.set_num_threads(1)
torch.manual_seed(0)
fixed = torch.randn(8, 16)
changing = [torch.randn((i % 10) + 4, 16) for i in range(10)]


def over_shapes(f):
    def run(tensors):
        for x in tensors:
            f(x)

    return run


def warm(x):
    return torch.sin(x) + torch.cos(x)


report("process", "first_compile", first(torch.compile(warm), torch.randn(64)), "ms")

for n, f in LADDER.items():
    report(f"static/{n}", "eager", best(f, fixed))
    report(f"dynamic/{n}", "eager", best(over_shapes(f), changing, calls=10))

    torch._dynamo.reset()
    compiled = torch.compile(f)
    report(f"static/{n}", "first_compile", first(compiled, fixed), "ms")
    report(f"static/{n}", "compiled", best(compiled, fixed))

    torch._dynamo.reset()
    dynamic = torch.compile(f, dynamic=True)
    report(f"dynamic/{n}", "first_compile", first(dynamic, changing[0]), "ms")
    report(f"dynamic/{n}", "compiled", best(over_shapes(dynamic), changing, calls=10))
