# tolerance: 1e-5
# Sums, products, means and extremes of what goes to one place: values, gradients, compiled, in place.
import warnings

import torch

warnings.simplefilter("ignore")

torch.manual_seed(0)
x, s = torch.randn(3, 5), torch.randn(3, 4)
i = torch.tensor([[0, 1, 1, 4], [2, 2, 2, 0], [3, 3, 0, 0]])
ways = "sum prod mean amax amin".split()


def show(call):
    try:
        print(call())
    except Exception as error:
        print(type(error).__name__, error)


def gradients(call, *inputs):
    inputs = [each.clone().requires_grad_() for each in inputs]
    result = call(*inputs)
    weights = torch.arange(1.0, result.numel() + 1).reshape(result.shape)
    print(type(result.grad_fn).__name__, *torch.autograd.grad((result * weights).sum(), inputs))


for how in ways:
    for include_self in (True, False):
        f = lambda a, b: torch.scatter_reduce(a, 1, i, b, how, include_self=include_self)
        print(how, include_self, f(x, s))
        gradients(f, x, s)
        print(torch.equal(torch.compile(f)(x, s), f(x, s)))
        print(x.long().scatter_reduce(0, i[:2] % 3, s[:2].mul(4).long(), how, include_self=include_self))
        if how != "sum":
            g = lambda a, b: torch.index_reduce(a, 1, torch.tensor([4, 0, 4, 2]), b, how, include_self=include_self)
            print(g(x, s), torch.equal(torch.compile(g)(x, s), g(x, s)))
            gradients(g, x, s)

# Zeros in products, equals among extremes, NaN.
zeros = torch.tensor([[0.0, 2.0, 3.0, 0.0], [0.0, 0.0, 1.0, 5.0], [4.0, 0.0, 2.0, 2.0]])
gradients(lambda a, b: a.scatter_reduce(1, i, b, "prod"), torch.ones(3, 5), zeros)
gradients(lambda a, b: a.scatter_reduce(1, i, b, "prod", include_self=False), torch.zeros(3, 5), zeros)
gradients(lambda a, b: a.scatter_reduce(1, i, b, "amax"), torch.ones(3, 5), torch.ones(3, 4))
nan = torch.tensor([[float("nan"), 1.0, 2.0, 3.0]])
print(torch.zeros(1, 5).scatter_reduce(1, i[:1], nan, "amax"), torch.zeros(1, 5).scatter_reduce(1, i[:1], nan, "amin"))

# In place, on the tape too, and with out=.
y = x.clone()
print(y.scatter_reduce_(1, i, s, "amax") is y, y)
y.index_reduce_(0, torch.tensor([2, 0]), x[:2], "mean")
print(y)
w = x.clone().requires_grad_()
v = w * 2
v.scatter_reduce_(1, i, s, "mean", include_self=False)
print(v)
v.sum().backward()
print(w.grad)
print(torch.scatter_reduce(x, 1, i, s, "sum", out=torch.empty(0)))

# Other dtypes, and what is refused.
for dtype in (torch.float64, torch.int32, torch.uint8, torch.bool):
    a, b = torch.arange(6).reshape(2, 3).to(dtype), torch.arange(1, 7).reshape(2, 3).to(dtype)
    for how in ways:
        show(lambda: a.scatter_reduce(1, torch.tensor([[0, 0, 1], [2, 2, 2]]), b, how))
        show(lambda: a.scatter_reduce(1, torch.tensor([[0, 0, 1], [2, 2, 2]]), b, how, include_self=False))
show(lambda: torch.equal(x.scatter_reduce(1, i, s, "min"), x.scatter_reduce(1, i, s, "amin")))
show(lambda: x.scatter_reduce(1, i, s, "middle"))
show(lambda: x.scatter_reduce(1, i, s))
show(lambda: x.scatter_reduce(1, i, s.double(), "sum"))
show(lambda: x.scatter_reduce(1, i + 3, s, "amax"))
show(lambda: x.scatter_reduce(1, i, s[:2], "amax"))
show(lambda: x.scatter_reduce(1, i, 2.0, "amax"))
show(lambda: x.index_reduce(1, i[0], s, "sum"))
show(lambda: x.index_reduce(1, i[0], s.double(), "mean"))
show(lambda: x.index_reduce(1, i[0, :3], s, "mean"))

# Slices that do not fit, places that are not there, truths.
T, Z, O = torch.tensor, torch.zeros, torch.ones
for include_self in (True, False):
    def reduce(x, index, source, how="prod", dim=0):
        show(lambda: x.index_reduce(dim, index, source, how, include_self=include_self))
    reduce(Z(3, 4), T([0, 1]), O(2, 3))
    reduce(Z(3, 4), T([0, 1]), O(2, 4, 1))
    reduce(Z(3, 4), T([[0, 1]]), O(2, 4))
    reduce(Z(3, 4), T([0., 1.]), O(2, 4))
    reduce(Z(3, 4), T([0, 1], dtype=torch.int32), O(2, 4))
    reduce(Z(3), T([0, 1], dtype=torch.int16), O(2))
    reduce(T(2.0), T(0), T(3.0))
    reduce(T(2.0), T([0]), T([3.0]))
    reduce(T([2.0]), T([0]), T(3.0))
    reduce(T([2.0, 1.0]), T(1), T([3.0]))
    reduce(T([2.0, 1.0]), T(1), T(3.0))
    reduce(Z(3, 4), T([0, 1]), O(4), dim=1)
    reduce(Z(3, 4), T([0, 1]), O(4), dim=2)
    for how in ("prod", "mean", "amax", "amin"):
        reduce(Z(3, 4), T([0, 3]), O(2, 4), how)
        reduce(Z(3, 4), T([0, -1]), O(2, 4), how)
        reduce(Z(3), T([0, 3]), O(2), how)
        reduce(Z(3), T([-1]), O(1), how)
        reduce(Z(3, dtype=torch.bool), T([1]), O(1, dtype=torch.bool), how)
        reduce(Z(3, 2, dtype=torch.bool), T([1]), O(1, 2, dtype=torch.bool), how)
        reduce(Z(0, dtype=torch.bool), T([], dtype=torch.int64), O(0, dtype=torch.bool), how)
        reduce(torch.arange(6).reshape(3, 2), T([1, 1]), torch.arange(4).reshape(2, 2), how)

# The gradient of a source that is greater than the index.
def source_gradient(call):
    x, src = torch.arange(15.0).reshape(3, 5).requires_grad_(), torch.arange(12.0).reshape(3, 4).requires_grad_()
    call(x, src).sum().backward()
    return src.grad
few = torch.tensor([[0, 1], [2, 2], [4, 0]])
for how in ("sum", "prod", "mean", "amax"):
    show(lambda: source_gradient(lambda x, src: x.scatter_reduce(1, few, src, how)))
show(lambda: source_gradient(lambda x, src: x.scatter(1, few, src)))
show(lambda: source_gradient(lambda x, src: x.scatter_add(1, few, src)))
show(lambda: source_gradient(lambda x, src: x.scatter_add(1, few[:2], src)))

# A dimension that is not the first, and places before the first.
for include_self in (True, False):
    for places in ([0, 7], [0, -1], [0, -7], [-1, 7], [-4, 0]):
        for dim in (0, 1, -1):
            slices = O(*[2 if i == dim % 3 else n for i, n in enumerate((3, 4, 5))])
            show(lambda: O(3, 4, 5).index_reduce(dim, T(places), slices, "prod", include_self=include_self))
    show(lambda: O(3).index_reduce(0, T([0, -7]), O(2), "amax", include_self=include_self))
    show(lambda: T(1.0).index_reduce(0, T([7]), T(2.0), "amax", include_self=include_self))

# Counts of a small integer, which wrap.
for dtype in (torch.int8, torch.uint8):
    for many in (127, 128, 255, 256, 257, 3000):
        for include_self in (True, False):
            there, places = Z(2, dtype=dtype), Z(many, dtype=torch.int64)
            show(lambda: there.index_reduce(0, places, O(many, dtype=dtype), "mean", include_self=include_self))
            show(lambda: there.scatter_reduce(0, places, O(many, dtype=dtype), "mean", include_self=include_self))

# Narrow floats meet in float32, however many there are, and are rounded once.
index = torch.arange(1000) % 2
for dtype in (torch.float16, torch.bfloat16):
    many = (torch.arange(1000) % 7 * 0.37 + 1).to(dtype)
    for how in ("sum", "mean", "amin"):
        x, source = torch.ones(2, dtype=dtype).requires_grad_(), many.clone().requires_grad_()
        result = x.scatter_reduce(0, index, source, how)
        result.sum().backward()
        print(dtype, how, result.detach(), x.grad, source.grad[:3])
        compiled = torch.compile(lambda x, source: x.scatter_reduce(0, index, source, how))
        print(compiled(x.detach(), source.detach()))
