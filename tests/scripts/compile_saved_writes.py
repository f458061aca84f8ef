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
