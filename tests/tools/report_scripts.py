"""What the tests of the report in a browser make reports of: a script for each thing to be seen."""

SCRIPT = '''import torch
import torch.nn.functional as F

hostile = "</script><script>document.title = 'taken'</script><img src=x onerror=alert(1)>"


@torch.compile
def f(x, y):
    z = torch.relu(x * y) @ y.T
    w = F.gelu(z)
    if w.sum() > 0:
        return torch.softmax(w, -1).sum(dim=1)
    return w


f(torch.ones(4, 8), torch.ones(4, 8))
f(torch.ones(6, 8), torch.ones(6, 8))
'''

FAILS = SCRIPT + "f(torch.ones(6, 8), torch.ones(5, 7))\n"

TRAINS = '''import torch


@torch.compile
def f(x):
    return torch.tanh(x).sum()


f(torch.ones(4, requires_grad=True)).backward()
'''

STRINGS = '''"""A string
of several lines.
"""
import torch


@torch.compile
def f(x, y):
    return x @ y


f(torch.ones(4, 4), torch.ones(4, 4))
'''

NETWORK = '''import torch
from torch import nn


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm(16)
        self.act = nn.GELU()
        self.mlp = nn.Sequential(nn.Linear(16, 32), nn.Tanh(), nn.Linear(32, 16))

    def forward(self, x):
        return x + self.act(self.mlp(self.act(self.norm(x))))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([Block() for _ in range(6)])
        self.head = nn.Linear(16, 4)

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return self.head(x)


with torch.no_grad():
    torch.compile(Net())(torch.ones(8, 16))
'''

# Edges that meet, each with a long shape.
MEETS = '''import torch


@torch.compile
def f(a, b, c, d):
    return torch.cat([a, b, c, d, a * 2, b * 3])


f(torch.ones(1000, 100), torch.ones(1000, 100), torch.ones(1000, 100), torch.ones(1000, 100))
'''

# Inputs of the first layer that stand far apart, above a row that is wider than a telephone.
WIDE = '''import torch


@torch.compile
def f(x, y):
    parts = [x.sin(), x.cos(), x.tanh(), x.exp(), y.sin(), y.cos(), y.tanh(), y.exp()]
    return torch.cat(parts), parts[0] @ parts[4]


f(torch.ones(100, 100), torch.ones(100, 100))
'''

# 2,000 operators: half of them in a chain, half beside it, so that the drawing is long and wide.
LARGE = '''import torch


@torch.compile
def f(x):
    sums = []
    for i in range(330):
        x = torch.sin(x) * 1.01
        x = x + 0.5
        sums.append((x * x).sum() + i)
    return x + torch.stack(sums).sum()


f(torch.ones(16, 16))
'''
