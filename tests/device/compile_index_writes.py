# Writes and reads by index are part of a region, on a device too.
import torch
d = "cuda" if torch.cuda.is_available() else "cpu"
x = torch.ones(3, 4, device=d)
i = torch.tensor([0, 1], device=d)
v = torch.ones(2, 4, device=d)


def a(x, i, v):
    t = x + 1
    t[i] = v
    return t * 2


def b(x, i, v):
    t = x + 1
    t[i] = 5
    return t * 2


def c(x, i, v):
    t = x + 1
    t[i] += v
    return t * 2


def e(x, i, v):
    t = x + 1
    t[:, i] = v.t()[:3, :1]
    return t * 2


def f(x, i, v):
    t = x + 1
    t[0, i] = v[0, 0]
    return t * 2


def g(x, i, v):
    t = x + 1
    t[[0, 1]] = 5
    return t * 2


def h(x, i, v):
    t = x + 1
    return t[[0, 1]] * t[i, i].sum()


def k(x, i, v):
    return x.index_put((i,), v, accumulate=True) * 2


def l(x, i, v):
    t = x + 1
    t[i, i] = 7
    t.index_put_((i,), v)
    return t[i] * 2


for fn in [a, b, c, e, f, g, h, k, l]:
    for dynamic in [None, True]:
        made = torch.compile(fn, fullgraph=True, dynamic=dynamic)(x, i, v)
        print(fn.__name__, made.cpu(), torch.equal(made, fn(x, i, v)))
