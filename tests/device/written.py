# What is written into a tensor that is there, by `out=` or in place: the same everywhere, whatever
# the tensor's strides and dtype, and whatever it shares with the inputs.
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"


def views(x):
    """Where a result of the sizes 4 x 6 may go, in memory of 9 x 13."""
    return {"rows": x[:4, :6], "spread": x[:8:2, :12:2], "turned": x.t()[1:5, :6],
            "small": torch.empty(0, dtype=x.dtype, device=x.device)}


def show(call):
    try:
        print(call())
    except Exception as error:
        print(type(error).__name__, str(error).split("\n")[0])


generator = torch.Generator().manual_seed(0)
x, y = torch.randn(4, 6, generator=generator).to(device), torch.rand(4, 6, generator=generator).to(device) + 0.5
i, n = torch.randint(1, 9, (4, 6), generator=generator).to(device), torch.tensor(2.0, device=device)
square = torch.randn(6, 6, generator=generator).to(device)
index = torch.tensor([[3, 0, 1, 2, 0, 1]] * 4, device=device)
calls = {
    "add": lambda out: torch.add(x, y, alpha=2, out=out),
    "exp": lambda out: torch.exp(y, out=out),
    "turned": lambda out: torch.mul(x.t().contiguous().t(), i, out=out),
    "less": lambda out: torch.lt(x, n, out=out),
    "divide": lambda out: torch.floor_divide(i, i + 1, out=out),
    "lerp": lambda out: torch.lerp(x, y, 0.3, out=out),
    "sum": lambda out: torch.sum(x.expand(3, 4, 6), 0, out=out),
    "softmax": lambda out: torch.softmax(x, 1, out=out),
    "cumsum": lambda out: torch.cumsum(x, 1, out=out),
    "cat": lambda out: torch.cat([x[:1], y[1:]], out=out),
    "gather": lambda out: torch.gather(x, 1, index, out=out),
    "mm": lambda out: torch.mm(x, square, out=out),
    "addmm": lambda out: torch.addmm(x, y, square, beta=0.5, out=out),
    "scatter": lambda out: torch.scatter(x, 0, index[:1], y, out=out),
}
for name, call in calls.items():
    for dtype in (torch.float32, torch.float64, torch.int64, torch.float16):
        if name == "cumsum" and dtype == torch.float16:
            continue  # made in that dtype: a device rounds in another order
        for where in ("rows", "spread", "turned", "small"):
            whole = torch.zeros(9, 13, dtype=dtype, device=device)
            out = views(whole)[where]
            try:
                same = call(out) is out
            except (RuntimeError, TypeError) as error:
                print(name, dtype, where, error)
                continue
            weights = torch.arange(24.0).reshape(out.shape)
            print(name, dtype, where, same, out.stride(), f"{(out.cpu() * weights).sum().item():.1f}",
                  f"{whole.cpu().double().sum().item():.1f}")
x = torch.arange(24.0, device=device).reshape(4, 6)
for out in (torch.zeros(8, 8, device=device)[::2, 1], torch.zeros(4, dtype=torch.float64, device=device)):
    print(torch.sum(x, 1, out=out).tolist(), torch.amax(x.to(out.dtype), 1, out=out).tolist(), torch.mean(x, 1, out=out).tolist())


def square_of(size):
    return torch.arange(float(size * size), device=device).reshape(size, size)


# The same elements, others of the same memory, and elements that are read after they are written.
y, z = square_of(3), square_of(3) + 1
show(lambda: torch.add(y, y, out=y))
show(lambda: torch.add(y, 1, out=y.t().t()))
line = torch.arange(10.0, device=device)
show(lambda: torch.add(line[:5], 1, out=line[5:]))
show(lambda: torch.add(line[:-1], 1, out=line[1:]))
show(lambda: torch.exp(line[::2], out=line[1::2]))
print(line)
for size, call in ((3, lambda y: torch.cumsum(y, 0, out=y)), (3, lambda y: torch.softmax(y, 0, out=y)),
                   (3, lambda y: torch.mm(y, y, out=y)), (3, lambda y: torch.addmm(y, y, y, out=y)),
                   (3, lambda y: torch.addmm(y, z, z, out=y)), (3, lambda y: y.addmm_(z, z, beta=0.5, alpha=2)),
                   (6, lambda y: y[::2, ::2].addmm_(z, z)), (3, lambda y: torch.sum(y, 0, out=y[0])),
                   (3, lambda y: torch.sum(y, 1, out=y)), (3, lambda y: torch.add(y.t(), 1, out=y)),
                   (3, lambda y: torch.add(z, z, out=y[:1].expand(3, 3)))):
    y = square_of(size)
    show(lambda: call(y))
    print(y)

# Comparisons and truth values in place, of floats and of ints.
for make in (lambda: square_of(3), lambda: torch.arange(9, device=device).reshape(3, 3)):
    for name in ("eq_", "ne_", "lt_", "le_", "gt_", "ge_", "logical_and_", "logical_or_", "logical_xor_"):
        show(lambda: getattr(make(), name)(make().t()))
        y = make()
        show(lambda: getattr(y, name)(y))
        show(lambda: getattr(y[:, 1:], name)(z[:, 1:] - 1))
        print(y)
    show(lambda: make().logical_not_())
    show(lambda: make().ne_(2.5))
    show(lambda: make().add_(1.5))
    show(lambda: make().floor_divide_(make() + 1))

# Sizes, versions, and what records gradients.
out = torch.empty(0, device=device)
print(torch.add(z.t(), z.t(), out=out), out.stride())
out = torch.empty(7, device=device)
print(torch.mm(z, z, out=out))
version = out._version
torch.add(z, z, out=out)
print(out._version - version)
leaf = torch.ones(3, 3, device=device, requires_grad=True)
show(lambda: torch.add(leaf, leaf, out=out))
show(lambda: torch.add(z, z, out=leaf))
with torch.no_grad():
    show(lambda: torch.add(leaf, leaf, out=leaf))
print(torch.compile(lambda a, b: torch.add(a, b, out=a) * 2)(z.clone(), z))
print(torch.compile(lambda a, b: a.eq_(b) + 1)(z.clone(), z))
