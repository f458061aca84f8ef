# Sums with a product in them: of every layout, dtype and factor as on the processor, eagerly one
# launch; compiled too, where what is added is an input or a product.
import torch
import glint.cuda

device = "cuda" if torch.cuda.is_available() else "cpu"
on_device = device == "cuda"
torch.manual_seed(0)


def show(x):
    print(x.dtype, tuple(x.shape), x.stride(), x.float().mul(64).round().int().flatten()[:6].tolist())


def launches(run, most):
    """What it gives, and whether a second run takes no more launches than these; a library may need
    one more."""
    run()
    before, calls = glint.cuda.launches(), glint.cuda.library_calls()
    result = run()
    count = glint.cuda.launches() - before
    more = min(glint.cuda.library_calls() - calls, 1)
    show(result)
    if on_device and count > most + more:
        print(count, "launches")


def made(*sizes, dtype=torch.float32):
    return torch.randint(-8, 9, sizes).div(8).to(dtype).to(device)


for dtype in (torch.float32, torch.float64, torch.bfloat16, torch.float16):
    a, b, x, y, v = [made(*sizes, dtype=dtype) for sizes in ((5, 6), (6, 7), (3, 5, 6), (3, 6, 4), (6,))]
    wide = made(3, 10, 14, dtype=dtype)
    # A matrix in order, by columns, strided, a column, a row, one element.
    for c in (wide[0, :5, :7], wide[0, :7, :5].t(), wide[0, ::2, ::2], wide[0, :5, :1], wide[0, :1, :7], wide[0, 0, :7],
              wide[0, 0, ::2], wide[0, 0, 0], torch.tensor(0.5, dtype=dtype)):
        for factors in ({}, {"beta": 0.5, "alpha": 2}, {"beta": -1}, {"alpha": 0}, {"beta": 0}):
            launches(lambda: torch.addmm(c, a, b, **factors), 1)
    for c in (wide[:, :5, :4], wide[:, :4, :5].transpose(1, 2), wide[0, :5, :4], wide[:, :1, :4], wide[:, :5, :1], wide[0, 0, :4]):
        launches(lambda: torch.baddbmm(c, x, y), 1)
        launches(lambda: torch.baddbmm(c, x, y, beta=2, alpha=0.5), 1)
    for c in (wide[0, :5, 0], wide[0, 0, :5], wide[0, 0, :1], wide[0, 0, 0]):
        launches(lambda: torch.addmv(c, a, v), 1)
        launches(lambda: torch.addmv(c, a, v, beta=0.5, alpha=3), 1)
    show(torch.addbmm(wide[0, :5, :4], x, y, beta=2))

# Integers, no inner elements, no results, written in place, not a number that counts nothing.
c = made(5, 7)
show(torch.addmm(torch.ones(2, 2, device=device).long(), torch.ones(2, 3, device=device).long(),
                 torch.ones(3, 2, device=device).long(), beta=3, alpha=2))
show(torch.addmm(c, made(5, 0), made(0, 7), beta=2))
print(torch.addmm(c[:0], made(0, 6), made(6, 7)).shape)
show(c.addmm_(made(5, 6), made(6, 7), alpha=2))
show(torch.addmm(c * float("nan"), made(5, 6), made(6, 7), beta=0))
for run in (lambda: torch.addmm(c, made(5, 6), made(5, 7)), lambda: torch.addmm(made(4, 7), made(5, 6), made(6, 7)),
            lambda: torch.addmm(c.double(), made(5, 6), made(6, 7)), lambda: torch.addmv(c, made(5, 6), made(6))):
    try:
        run()
    except RuntimeError as error:
        print(error)

# Gradients.
leaves = [made(*sizes).requires_grad_() for sizes in ((5, 7), (5, 6), (6, 7))]
torch.addmm(*leaves, beta=0.5, alpha=2).square().sum().backward()
for leaf in leaves:
    show(leaf.grad)


# Compiled: a matrix that is an input, two products, one that a kernel computes, factors.
def cell(x, w, h, u):
    return torch.tanh(x @ w + h @ u)


def updated(y, x, w, h):
    y.add_(x @ w)
    return y * 1


regions = {
    "input": (lambda y, x, w, h: x @ w + y, 1),
    "first": (lambda y, x, w, h: torch.relu(y.t().contiguous().t() + x @ w), 2),
    "turned": (lambda y, x, w, h: torch.sigmoid(x @ w + h), 2),  # where sizes are equal by chance, two
    "addmm": (lambda y, x, w, h: torch.addmm(y, x, w), 1),
    "factors": (lambda y, x, w, h: torch.addmm(y, x, w, beta=2, alpha=0.5), 2),
    "computed": (lambda y, x, w, h: (x @ w + y.exp()).sin(), 2),
    "both read": (lambda y, x, w, h: (x @ w) * 2 + (x @ w + y), 3),
    "itself": (lambda y, x, w, h: (lambda p: p + p)(x @ w), 2),
    "cell": (lambda y, x, w, h: cell(x, w, y, y.t() @ y), 3),
    "updated": (updated, 3),
}
for name, (region, most) in regions.items():
    print(name)
    compiled = torch.compile(region)
    for rows in (4, 5):
        y, x, w, h = made(rows, 7), made(rows, 6), made(6, 7), made(7, rows).t()
        launches(lambda: compiled(y, x, w, h), most)
