"""Draws in compiled functions: each call draws anew, as eager code does."""
import numpy as np
import torch

rng = np.random.default_rng(3)


def noisy(x, scale):
    y = x * 2 + rng.uniform(0, scale)
    y = y + torch.tensor(rng.normal(size=3).tolist())
    if rng.integers(2) == 0:
        y = y.relu()
    return y + rng.integers(0, 5, size=3).sum().item()


compiled = torch.compile(noisy)
for i in range(4):
    print(compiled(torch.arange(3.0), 1.0 + i))
state = rng.bit_generator.state
first = compiled(torch.ones(3), 2.0)
rng.bit_generator.state = state
print(torch.equal(first, noisy(torch.ones(3), 2.0)))


def shuffled(x, times):
    for _ in range(times):
        x = x[torch.tensor(rng.permutation(len(x)).tolist())] + 1
    return x


print(torch.compile(shuffled)(torch.arange(5), 3), shuffled(torch.arange(5), 2))

np.random.seed(4)
x = torch.zeros(2, dtype=torch.float64)
for _ in range(3):
    x = x + torch.from_numpy(np.random.randn(2)) * np.random.rand()
print(x, np.random.choice([1, 2, 3], 4).tolist())
