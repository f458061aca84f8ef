# Compiled functions that read arrays and scalars from outside, which change between calls.
import numpy as np
import torch

T = np.array([1., 2., 3.])
state = {"n": np.int64(1), "w": np.float32(0.5)}
@torch.compile
def f(x, n):
    return x[n] * n + x.sum()
@torch.compile
def g(x):
    return x + T[0] * T.sum() + state["n"]
@torch.compile
def h(x, a): 
    y = x * a[1]
    if a.mean() > 2: y = y + 1
    return y @ torch.from_numpy(a)
@torch.compile
def k(x):
    out = np.zeros(3)
    for i, v in enumerate(x): out[i] = v.item() * 2
    return torch.tensor(out) + x
@torch.compile
def loop(x, n):
    for i in range(n): x = x * np.float64(1.5) + i
    return x
@torch.compile
def npsin(a, b):
    return np.sin(a) * b + np.maximum(a, 0.5)
x = torch.tensor([1., 2., 3.])
for n in (0, np.int64(1), np.int32(2), np.int64(0)): print(f(x, n))
for i in range(4):
    print(g(x))
    T[i % 3] = 10 * i
    state["n"] = state["n"] + 1
T = np.array([5, 6])
print(g(x))
for a in (np.array([1., 2., 3.]), np.array([1., 2., 9.]), np.array([0., 0., 1.])): print(h(x.double(), a))
print(k(x), k(x * 2))
for n in (1, np.int64(2), 3): print(loop(x, n))
for a, b in ((np.array([0.1, 2]), 2), (np.array([0.1, 2]), np.float32(3)), (np.array([1, 2]), 2.5), (np.float32([1, 2]), np.arange(2))): print(repr(npsin(a, b)))
def train(steps):
    torch.manual_seed(0)
    w = torch.zeros(2, requires_grad=True)
    data = np.array([[1., 2.], [3., 4.]], dtype=np.float32); y = np.array([1, 2], dtype=np.float32)
    losses = np.empty(steps)
    for s in range(steps):
        loss = ((torch.from_numpy(data) @ w - torch.from_numpy(y)) ** 2).mean()
        loss.backward()
        with torch.no_grad():
            w -= np.float64(0.01) * w.grad
            w.grad.zero_()
        losses[s] = loss.item()
    return losses, w
print(train(5)); print(torch.compile(train)(5))
