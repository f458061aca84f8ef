# The lowest integers that a tensor holds, as arguments of operators.
import sys

import torch

low = torch.iinfo(torch.int64).min
x = torch.arange(5)
mask = x > 2
print(torch.full((2,), low), x.masked_fill(mask, low), x.clamp(min=-sys.maxsize - 1))
print(x > low, torch.where(mask, low, 1), torch.where(mask, x, low + 1))
y = x.clone()
y[0] = low
y[1:] += low
print(y, y - 1, torch.tensor([low, low + 1]), (y == low).sum())
print(x + low, low + x, x * low, torch.full((), low).item() == low, x.new_full((2,), low))
print(torch.arange(low, low + 3), torch.arange(low + 4, low, -2))
for call in (lambda: x.sum(dim=low), lambda: torch.zeros(low), lambda: x[low]):
    try:
        print(call())
    except (RuntimeError, IndexError) as error:
        print(type(error).__name__, str(error).split("\n")[0])


@torch.compile
def fill(x, n):
    return x.masked_fill(x > 2, n), x + n, torch.full((2,), n)


for n in (low, low + 1, 3, low):
    print(fill(x, n))
