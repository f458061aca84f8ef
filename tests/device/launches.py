# How many launches and programs calls need. The output is recorded.
import torch
import glint.cuda


def counted(run):
    """The launches and programs of a second call, which differs in its numbers and sizes."""
    run(3)
    launches, programs = glint.cuda.launches(), glint.cuda.programs()
    run(5)
    return glint.cuda.launches() - launches, glint.cuda.programs() - programs


x = torch.arange(24.0, device="cuda").reshape(4, 6)
whole = torch.arange(24, device="cuda").reshape(4, 6)
flat = torch.zeros(6, device="cuda")

# Numbers are arguments of kernels, ints too.
print(counted(lambda n: x + n), counted(lambda n: x * n), counted(lambda n: whole * n))
print(counted(lambda n: n - x), counted(lambda n: x.clamp(min=n)), counted(lambda n: x.mul_(n)))
print(counted(lambda n: whole // n), counted(lambda n: torch.ones(n, device="cuda") * n))
print(counted(lambda n: torch.zeros(n, 2, device="cuda")), counted(lambda n: x.new_ones(n)),
      counted(lambda n: torch.full((n,), 2.5, device="cuda")),
      counted(lambda n: torch.arange(n, device="cuda")),
      counted(lambda n: torch.eye(n, device="cuda")),
      counted(lambda n: torch.linspace(0, 1, n, device="cuda")))
print(x.sum().item(), (whole // 5).sum().item(), (whole * 3 % 7).sum().item())

# A write to a part of a tensor is one launch, whatever its strides.
print(counted(lambda n: x[:, 1:3].add_(n)), counted(lambda n: x.t()[::2].mul_(n / 4)))
print(counted(lambda n: x[1:, ::2].zero_()), counted(lambda n: x[0, :].copy_(flat)))
print(counted(lambda n: x[:, 2:4].add_(x[:, 0:2])), counted(lambda n: x[:, 1:3].clamp_(max=n)))
print(x)
part = x[1:3, 1:]
part += part
print(x)

# The second operator of a family brings all the others.
y = torch.linspace(0.1, 0.9, 7, device="cuda", dtype=torch.float64)
before = glint.cuda.programs()
torch.exp(y), torch.sin(y)
two = glint.cuda.programs() - before
torch.cos(y), torch.tanh(y), torch.log(y), torch.sqrt(y), torch.floor(y)
print(two, glint.cuda.programs() - before - two)
print(torch.cos(y), torch.floor(y * 9))

# What follows a product is done in its launch: a bias, an activation.
rows, columns, bias = torch.randn(5, 6, device="cuda"), torch.randn(6, 7, device="cuda"), flat.new_ones(7)
linear = torch.nn.functional.linear
gelu = torch.nn.functional.gelu
for f in (lambda n: torch.relu(rows @ columns + bias), lambda n: gelu(rows @ columns + bias),
          lambda n: gelu(linear(rows, columns.t(), bias), approximate="tanh"),
          lambda n: torch.sigmoid(rows @ columns), lambda n: torch.tanh(linear(rows, columns.t()))):
    print(counted(torch.compile(f)), counted(f), end=" ")
print(counted(lambda n: linear(rows, columns.t(), bias)), counted(lambda n: torch.addmm(bias, rows, columns)))

# So does the second reduction over the same dimensions; what is padded is an argument.
z = torch.arange(45.0, device="cuda").reshape(5, 9)
before = glint.cuda.programs()
z.sum(1), z.mean(1)
two = glint.cuda.programs() - before
rest = z.amax(1), z.amin(1), z.argmax(1), z.var(1), z.prod(1)
print(two, glint.cuda.programs() - before - two, rest[0], rest[2])
pad = torch.nn.functional.pad
pad(z, (2, 3))
before = glint.cuda.programs()
print(pad(z, (4, 2)).shape, pad(z, (3, 6))[0, 2:5], glint.cuda.programs() - before)

# A reduction of a long tensor to one value is one launch, which all blocks share; `var` takes two.
long = torch.arange(100000.0, device="cuda") % 8
for whole_of in (torch.sum, torch.mean, torch.amax, torch.var, torch.argmax):
    compiled = torch.compile(whole_of, dynamic=False)
    print(f"{compiled(long).item():.4f}", counted(lambda n: compiled(long)), counted(lambda n: whole_of(long)))

# Running sums are one launch each.
print(counted(lambda n: x.cumsum(1)), counted(lambda n: x.cumprod(0)), counted(lambda n: x.logcumsumexp(0)))

# So are searching and sorting, up to 1024 elements in a row; `mode` takes two.
row = torch.tensor([0.0, 3.0, 9.0], device="cuda")
print(counted(lambda n: torch.bucketize(x, row)), counted(lambda n: torch.searchsorted(row, n)),
      counted(lambda n: x.t().sort(0)), counted(lambda n: x.argsort(0)), counted(lambda n: x.topk(2)),
      counted(lambda n: x.kthvalue(2)), counted(lambda n: x.mode(0)), counted(lambda n: long.sort()))

# A write by index copies and writes in one.
index = torch.tensor([3, 0, 3], device="cuda")
across = index.unsqueeze(1).expand(3, 6)
ones, tall = x.new_ones(3, 6), z.new_ones(5, 3)
print(counted(lambda n: x.scatter(0, across, n)), counted(lambda n: x.scatter_(0, across, ones)),
      counted(lambda n: x.scatter_add(0, across, x)), counted(lambda n: x.index_add(0, index, x[:3])),
      counted(lambda n: z.index_add_(1, index, tall)), counted(lambda n: x.index_copy(0, index, x[1:])),
      counted(lambda n: x.scatter(0, across[:, :n], n)), counted(lambda n: x.index_fill(0, -index, n)),
      counted(lambda n: x.index_add(0, index, ones, alpha=n)))

# What goes over its columns again does so in one launch; where they are few and long, in several.
tall = torch.zeros(300000, 4, device="cuda")
print(*(counted(f)[0] for f in (lambda n: x.softmax(0), lambda n: x.var(0), lambda n: x.logsumexp(0),
                                lambda n: z.log_softmax(0), lambda n: tall.softmax(0))))

# Places are computed where they are looked at, and several joins are one.
ends = torch.tensor([5, 0, -1], device="cuda")
print(counted(lambda n: x[:, ends]), counted(lambda n: x.roll((1, n), (0, 1))),
      counted(lambda n: torch.nn.functional.pad(x, (1, n, 2, 1))), counted(lambda n: torch.diag_embed(x)),
      counted(lambda n: torch.slice_scatter(x, x[:, :3] + n, 1, 0, 6, 2)))
print(x[:, ends])
print(x.roll((1, -2), (0, 1)))
print(torch.nn.functional.pad(x[:2, :3], (1, 2, 2, 1), value=9.0))
print(torch.diag_embed(x[0, :3], 1))
print(torch.slice_scatter(x, x[:, :3] + 100, 1, 0, 6, 2))

# What is written into a tensor that is there is written by the launch that computes it, converted and
# with the strides that it has there: by `out=`, and in place. What lies over other inputs is copied.
out, double, spread = torch.empty_like(x), torch.empty(4, 6, dtype=torch.float64, device="cuda"), tall[:8:2]
square, mask, rows = torch.randn(4, 4, device="cuda"), x == x, across[:1].expand(4, 6)
print(*(counted(f)[0] for f in (
    lambda n: torch.add(x, n, out=out), lambda n: torch.add(x, n, out=double), lambda n: torch.add(x, n, out=x),
    lambda n: torch.exp(square, out=spread), lambda n: torch.sum(x, 1, out=spread[0]),
    lambda n: torch.amax(x, 1, out=spread[:, 1]), lambda n: torch.softmax(x, 1, out=out),
    lambda n: torch.where(mask, x, out, out=out), lambda n: torch.mm(square, x, out=out),
    lambda n: torch.matmul(square, square, out=spread), lambda n: torch.addmm(x, square, x, out=out),
    lambda n: torch.addmm(out, square, x, out=out), lambda n: torch.mm(square, square, out=square),
    lambda n: torch.gather(x, 0, rows, out=out), lambda n: torch.floor_divide(whole, n, out=whole))))
print(*(counted(lambda n: getattr(x, name)(out))[0] for name in (
    "eq_", "ne_", "lt_", "le_", "gt_", "ge_", "logical_and_", "logical_or_", "logical_xor_")),
      counted(lambda n: whole.gt_(n)), counted(lambda n: whole[:, ::2].logical_not_()))

# Nor do sizes that happen to be equal: of one tensor, of two, and those that are asked for.
def after_unequal(run):
    """The programs for equal sizes, behind a call of unequal ones."""
    run(2, 3, 4)
    before = glint.cuda.programs()
    for sizes in ((3, 3, 4), (3, 4, 3), (4, 3, 3), (5, 5, 5)):
        run(*sizes)
    return glint.cuda.programs() - before


def ones(*sizes):
    return torch.ones(sizes, device="cuda")


print(after_unequal(lambda a, b, c: ones(a, b, c).softmax(1)), after_unequal(lambda a, b, c: ones(a, b, c).sum((0, 2))),
      after_unequal(lambda a, b, c: ones(a, b, c) * ones(b, c)), after_unequal(lambda a, b, c: ones(b, c).expand(a, b, c) + 1),
      after_unequal(lambda a, b, c: torch.nn.functional.layer_norm(ones(a, b, c), (b, c))),
      after_unequal(lambda a, b, c: ones(a, b, c) @ ones(c, b)), after_unequal(lambda a, b, c: torch.cat([ones(a, b, c)] * 2, 1)),
      after_unequal(lambda a, b, c: ones(a, b, c).transpose(0, 2).contiguous()), after_unequal(lambda a, b, c: ones(a, b, c)[:, 0] + 2))
print(torch.nn.functional.layer_norm(torch.arange(9.0, device="cuda").view(3, 3), (3,)), ones(3, 3) @ ones(3, 3))
