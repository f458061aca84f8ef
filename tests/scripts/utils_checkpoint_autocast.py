# tolerance: 1e-4
"""A checkpoint's second run is under the autocast and the contexts of its first, wherever the backward is."""
import contextlib

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint, checkpoint_sequential

torch.manual_seed(0)
block = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 4))
seen = []


def part(x):
    seen.append((torch.is_autocast_enabled("cpu"), torch.get_autocast_dtype("cpu")))
    return block(x)


def gradients():
    found = [p.grad.flatten()[:2].tolist() for p in block.parameters()]
    block.zero_grad()
    return [[round(v, 3) for v in row] for row in found]


for use_reentrant in (False, True):
    x = torch.ones(3, 4, requires_grad=True)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        out = checkpoint(part, x, use_reentrant=use_reentrant)
        loss = out.float().square().mean()
    loss.backward()
    print(out.dtype, x.grad.dtype, gradients())

# Off in the first run, on around the backward.
x = torch.ones(3, 4, requires_grad=True)
out = checkpoint(part, x, use_reentrant=False)
with torch.autocast("cpu", dtype=torch.bfloat16):
    out.sum().backward()
print(out.dtype, x.grad.dtype, seen)
block.zero_grad()

with torch.autocast("cpu"):
    out = checkpoint_sequential(block, 2, torch.ones(1, 4, requires_grad=True), use_reentrant=False)
out.float().sum().backward()
print(out.dtype, gradients())


@contextlib.contextmanager
def told(name):
    print("enter", name)
    try:
        yield
    finally:
        print("leave", name)


out = checkpoint(block, x, use_reentrant=False, context_fn=lambda: (told("first"), told("again")))
out.sum().backward()
with torch.no_grad():
    checkpoint(block, x, use_reentrant=False, context_fn=lambda: (told("only"), told("never")))
try:
    checkpoint(block, x, use_reentrant=True, context_fn=lambda: (told("first"), told("again")))
except ValueError as error:
    print(error)
