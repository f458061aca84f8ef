# Long reductions go in blocks over the threads: what they give is what is given eagerly.
import torch

torch.manual_seed(0)
x = torch.randn(300001)
whole = torch.randn(4 * 16384 * 4)
rows = torch.randn(500, 1003)
small = torch.randint(-100, 100, (400, 1000))


def compiled(f):
    return torch.compile(f, backend="eager")


def check(name, f, *arguments, exact=False):
    expected = f(*arguments)
    results = []
    for threads in (1, 2, 5):
        torch.set_num_threads(threads)
        results.append(compiled(f)(*arguments))
    print(name, all(torch.equal(expected, each) if exact else torch.allclose(expected, each) for each in results))


check("sum", lambda: x.sum())
check("whole blocks", lambda: whole.sum())
check("mean", lambda: x.mean())
check("maximum", lambda: x.amax(), exact=True)
check("minimum", lambda: (x * 2).amin(), exact=True)
check("norm", lambda: (x * x).sum().sqrt())
check("any", lambda: (x > 10).any(), exact=True)
check("all", lambda: (x < 10).all(), exact=True)
check("count", lambda: (x > 0).sum(), exact=True)
check("integers", lambda: small.sum(), exact=True)
check("product", lambda: (1 + x.double() * 1e-6).prod())
check("bfloat16", lambda: x.bfloat16().sum())
check("double", lambda: x.double().sum())
check("rows", lambda: (rows + rows[0]).sum())
check("transposed", lambda: rows.t().sum())
check("part of rows", lambda: rows[:, 1:1000].sum())
check("places", lambda: x.argmax(), exact=True)
check("deviation", lambda: x.std())
check("normalised", lambda: (x - x.mean()) / x.std())
check("softmax", lambda: torch.softmax(x, 0))
check("columns", lambda: rows.sum(0))
check("maxima of columns", lambda: rows.amax(0), exact=True)
check("few columns", lambda: rows.flatten()[:501000].view(-1, 10).sum(0))
check("maxima of many columns", lambda: rows.flatten()[:500000].view(250, 2000).amax(0), exact=True)


def on_the_way(x):
    y = torch.exp(x)
    return y, y.sum(), y.amax()


for expected, found in zip(on_the_way(x), compiled(on_the_way)(x)):
    print(torch.allclose(expected, found))

spoiled = x.clone()
spoiled[200000] = float("nan")
columns = rows.clone()
columns[3, 7] = float("nan")
columns[499, 1002] = float("inf")
top = compiled(lambda: columns.amax(0))()
print(compiled(lambda: spoiled.amax())().item(), compiled(lambda: spoiled.sum())().item())
print(top.isnan().sum().item(), top[7].item(), top[1002].item())


@torch.compile(backend="eager", dynamic=True)
def mean_square(x):
    return (x * x).mean()


for size in (500000, 16384, 300001, 7, 1):
    print(size, torch.allclose(mean_square(x[:1].expand(size).contiguous()), x[0] * x[0]))

y = x.clone().requires_grad_()
compiled(lambda: (y * y).mean())().backward()
print(torch.allclose(y.grad, 2 * x / x.numel()))
