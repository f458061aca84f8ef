"""Writes between a compiled forward and its backward: an error only where the tape has saved that."""
import torch

@torch.compile(backend="eager")
def g(x): return (torch.tanh(x) * w).sum()
w = torch.tensor([1.0, 2.0], requires_grad=True)
for _ in range(2):
    x = torch.ones(2, requires_grad=True); l = g(x)
    with torch.no_grad(): x.mul_(2)
    l.backward(); print(x.grad)
@torch.compile(backend="eager")
def h(x, b): return torch.relu(x + b).sum()
for _ in range(2):
    x = torch.ones(2, requires_grad=True); b = torch.ones(2, requires_grad=True); l = h(x, b)
    with torch.no_grad(): x.mul_(2); b.zero_()
    l.backward(); print(x.grad, b.grad)


w = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
@torch.compile(backend="eager")
def f(x):
    v1 = x * w
    v2 = torch.softmax(v1, 1)
    v2.view(-1)[1:3].add_(1)
    return v1, (v1 * 2).sum()
for i in range(2):
    v, t = f(torch.ones(2, 2))
    (v.sum() + t).backward(); print(w.grad)
w = torch.ones(3, requires_grad=True)
def two(x):
    a = x * w
    return a, a.abs()
def train():
    w.grad = None
    a, b = two(torch.ones(3))
    print("mean", b.mean().item())
    a.add_(1); a.sum().backward()
    return w.grad
for _ in range(3): print(train())


w = torch.ones(3, requires_grad=True)
b = torch.ones(3)
torch.manual_seed(0)
@torch.compile(backend="eager")
def f():
    b.add_(0.1)
    n = torch.rand(2, 3)
    return (n * w).sum()
for i in range(3): f().backward(); print(w.grad)

b = torch.ones(3); w = torch.ones((), requires_grad=True)
@torch.compile(backend="eager")
def f(x, n):
    b.mul_(0.9)
    v = x * 1
    y = v * n
    v[0].add_(w)
    y.sum().backward()
for n in (3, 4, 5):
    x = torch.ones(2, 3, requires_grad=n > 4)
    try: f(x, n); print(x.grad.sum())
    except RuntimeError as e: print(n, str(e)[:200])

from torch import nn
torch.manual_seed(0)
net = nn.Linear(3, 2)
seen = torch.zeros(())
@torch.compile(backend="eager", dynamic=True)
def step(x):
    seen.add_(x.size(0))
    y = net(x).view(x.size(0), -1) * x.size(0)
    return y.reshape(-1)[: x.size(0)].sum()
for n in (4, 5, 6):
    loss = step(torch.ones(n, 3))
    loss.backward()
    print(loss, net.weight.grad, seen)
