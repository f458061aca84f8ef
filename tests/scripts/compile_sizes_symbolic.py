# tolerance: 1e-5
# Sizes that are read: arithmetic on them, comparisons, arguments of operators, and one compilation for all.
import torch
from torch._dynamo.utils import counters


def graphs():
    return counters["stats"]["unique_graphs"]


def average(x):
    b, n = x.shape
    rows = torch.arange(b) + b // 2
    return (x.view(b * n).sum() / x.numel() + x.size(-1)), rows.sum(), x.reshape(n, -1).shape, b % 3


dynamic = torch.compile(average, dynamic=True)
for b, n in ((5, 6), (8, 3), (7, 9), (12, 4)):
    print(dynamic(torch.ones(b, n)))


def branch(x):
    if x.shape[0] > 4 and len(x) != 7:
        return x * 2
    return x + 1


counters.clear()
torch._dynamo.reset()
dynamic = torch.compile(branch, dynamic=True)
for n in (5, 6, 9, 3, 2, 7, 8):
    print(n, dynamic(torch.ones(n))[0].item(), end=" ")
print()


def scaled(x, n):
    return x * n + n


counters.clear()
torch._dynamo.reset()
automatic = torch.compile(scaled)
for n in range(2, 9):
    print(automatic(torch.ones(2), n)[0].item(), end=" ")
print(graphs())

counters.clear()
torch._dynamo.reset()
marked = torch.compile(lambda x: x.sum(1) + x.shape[0])
for n in (4, 5, 9):
    x = torch.ones(n, 3)
    torch._dynamo.mark_dynamic(x, 0)
    print(marked(x)[0].item(), end=" ")
print(graphs())

counters.clear()
torch._dynamo.reset()
for n in (4, 5, 9):
    x = torch.ones(n, 3)
    torch._dynamo.mark_static(x, 0)
    marked(x)
print(graphs())
