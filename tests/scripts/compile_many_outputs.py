# tolerance: 1e-5
# What a compiled function may return: tuples, lists, dicts, None, an input itself, constants, objects.
import torch


class Result:
    def __init__(self, value, name):
        self.value, self.name = value, name


@torch.compile
def f(x):
    y = x * 2
    return y, [y + 1, x], {"sum": y.sum(), "n": 3}, None, x, "text", (1, 2.5)


x = torch.tensor([1.0, 2.0])
for _ in range(2):
    out = f(x)
    print(out, out[4] is x, out[1][1] is x)


@torch.compile
def g(x):
    return Result(torch.cos(x), "cosine")


print(g(x).value, g(x).name)


@torch.compile
def h(x):
    a, b = x.max(dim=0)
    return a, b, x.shape, x.dtype, x.size(0) + 1


print(h(x), h(torch.ones(4)), h(torch.ones(5)))


@torch.compile
def same(x):
    y = x + 1
    return y, y


a, b = same(x)
print(a is b, x)
