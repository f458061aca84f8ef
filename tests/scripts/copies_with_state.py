import copy
import torch
from torch import nn


class A:
    def __init__(self):
        self.v = [1]
        self.f = self.g

    def g(self):
        return self.v


a = A()
b = copy.deepcopy(a)
print(b.f() is b.v, a.f() is a.v, b.v is a.v)
c = copy.copy(a)
print(c.f() is a.v)


class State:
    def __init__(self, n):
        self.n, self.cache = n, {1: 2}

    def __getstate__(self):
        return {"n": self.n}

    def __setstate__(self, state):
        self.n, self.cache = state["n"], "made anew"


s = State([1, 2])
d = copy.deepcopy(s)
print(d.n, d.n is s.n, d.cache)
e = copy.copy(s)
print(e.n is s.n, e.cache)

torch.manual_seed(0)
net = nn.Linear(2, 1)
net.compile(backend="eager")
print(net(torch.ones(1, 2)).item() == net(torch.ones(1, 2)).item())
ema = copy.deepcopy(net)
with torch.no_grad():
    for p in ema.parameters():
        p.zero_()
print(ema(torch.ones(1, 2)).item() == 0)
ema(torch.ones(1, 2)).sum().backward()
print(ema.weight.grad, net.weight.grad)
net(torch.ones(1, 2)).sum().backward()
print(net.weight.grad, ema(torch.ones(1, 2)))


class Patched(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(2, 2)
        self.again = self.twice

    def twice(self, x):
        return self.inner(x) * 2

    def forward(self, x):
        return self.again(x)


p = Patched()
q = copy.deepcopy(p)
with torch.no_grad():
    for each in q.parameters():
        each.zero_()
print(q(torch.ones(1, 2)), p(torch.ones(1, 2)).abs().sum().item() > 0)

method = type(a.g)
print(method(lambda self, x: [self, x], 3)(4), method(len, "abc")())
for arguments in [(3, 4), (len, None)]:
    try:
        method(*arguments)
    except TypeError as error:
        print(error)

import functools


class Timer:
    def __init__(self):
        self.count, self.next = 1, functools.partial(self.after, 2)

    def after(self, n):
        return self.count + n


timer = Timer()
other = copy.deepcopy(timer)
other.count = 5
print(other.next(), timer.next())

flat = torch.arange(6.0)
x, y = copy.deepcopy((flat, flat.view(2, 3)))
x[0] = 9
print(y[0, 0].item(), flat[0].item(), y._is_view(), y.shape)
turned = copy.deepcopy(torch.arange(6.0).reshape(2, 3).t())
print(turned.stride(), turned.tolist())
part = copy.deepcopy(torch.arange(6.0)[2:4])
print(part, part.storage_offset())
grown = torch.ones(2, requires_grad=True)
grown.sum().backward()
again = copy.deepcopy([grown, grown])
print(again[0] is again[1], again[0].grad, again[0].requires_grad, again[0].grad is grown.grad)

from torch.autograd import gradcheck

z = torch.randn(3, 4, dtype=torch.float64).t().requires_grad_()
print(gradcheck(lambda x: x.sin(), (z,)), gradcheck(lambda x: x.t() * 2, (z,)))

w = torch.ones(3, requires_grad=True)
for value in (torch.ones(2, 2).long(), torch.ones(2, dtype=torch.float64), torch.ones(3) > 0, 3):
    try:
        w.data = value
        print(w.dtype, w.shape)
    except (RuntimeError, TypeError) as error:
        print(type(error).__name__, error)


class Parts(nn.Module):
    def __init__(self, flat):
        super().__init__()
        self.a, self.b = nn.Parameter(flat[:3]), nn.Parameter(flat[:3])


parts = copy.deepcopy(Parts(torch.arange(6.0)))
with torch.no_grad():
    parts.a.add_(10)
print(parts.a, parts.b, parts.b._version)


class Nothing:
    def __getstate__(self):
        return None

    def __setstate__(self, state):
        print("never", state)


print(type(copy.deepcopy(Nothing())).__name__)


class Saved(nn.Module):
    def __getstate__(self):
        state = super().__getstate__()
        state["cache"] = None
        return state

    def __setstate__(self, state):
        super().__setstate__(state)
        self.restored = True


saved = Saved()
saved.cache, saved.inner = 3, nn.Linear(1, 1)
other = copy.deepcopy(saved)
print(other.cache, other.restored, saved.cache, other.inner is saved.inner, other)
