# What kernels and operators refuse is told with what was wrong, also where each launch is waited for.
import torch
import torch.nn.functional as F

x = torch.arange(12.0, device="cuda").reshape(4, 3)
bad = torch.tensor([1, 9], device="cuda")


def attempt(run):
    try:
        print(run())
    except (IndexError, RuntimeError) as error:
        print(type(error).__name__, error)


for run in (lambda: x[bad], lambda: x.clone().index_add_(0, bad, x[:2]), lambda: x.index_copy(0, bad, x[:2]),
            lambda: x.clone().index_fill_(0, bad, 1), lambda: x.index_put((bad,), x[0]),
            lambda: F.one_hot(bad, 3), lambda: F.one_hot(-bad), lambda: F.one_hot(bad[:0]),
            lambda: F.one_hot(bad, 0), lambda: F.embedding(bad, x)):
    attempt(run)
    attempt(torch.compile(run))

# A loss's probabilities are checked by the kernel that computes with them.
p = torch.tensor([0.25, 1.0], device="cuda")
for run in (lambda: F.binary_cross_entropy(p * 2, p), lambda: F.binary_cross_entropy(p, -p),
            lambda: F.binary_cross_entropy(p * float("nan"), p, reduction="none"),
            lambda: F.binary_cross_entropy(p, p), lambda: F.binary_cross_entropy(p, p, p, reduction="sum")):
    attempt(run)
    attempt(torch.compile(run))
print(F.one_hot(bad // 4), F.one_hot(bad // 4, 4).shape, F.one_hot(bad[:0], 2).shape)

# Writing by index: what is wrong with sizes, dtypes and devices, then indices out of range of either
# side, or of one dimension of several.
i, near, every = torch.tensor([0, 1], device="cuda"), torch.zeros(3, 4), slice(None)
y = near.cuda()


def assign(key, value):
    y[key] = value
    return y


for run in (lambda: assign(i, y[:, 0] + 1), lambda: assign((i, torch.tensor([0, 1, 2])), 1.0),
            lambda: assign((every, i), y[:2, :2] + 1), lambda: assign(i, near[0]), lambda: assign((i, i, i), 1.0),
            lambda: y.index_put((i,), torch.ones(4, dtype=torch.int64, device="cuda")),
            lambda: y.index_fill(0, i.int(), 1), lambda: y.index_fill(0, i[:, None], 1),
            lambda: y.index_fill(0, i, y[0]), lambda: y.index_fill(2, i, 1),
            lambda: assign(i + 2, 1.0), lambda: assign(i - 4, 1.0), lambda: assign((i, i + 3), 1.0),
            lambda: assign((i - 4, i), 1.0), lambda: assign((every, i - 5), 1.0), lambda: y.index_fill_(0, i + 2, 1),
            lambda: y.scatter_(0, -i[:, None], 1.0), lambda: y.scatter(0, i[:, None] + 2, 1.0)):
    attempt(run)

# What fails is told also where a reader looks at other elements.
a, zeros, seven = torch.tensor([4, 6, 8], device="cuda"), torch.tensor([2, 0, 0], device="cuda"), torch.tensor([7], device="cuda")
bad, target = torch.tensor([0.5, 3.0, 0.2], device="cuda"), torch.tensor([1.0, 0.0, 1.0], device="cuda")
for run in (lambda: torch.cat([(a // zeros)[:1], seven]), lambda: (a // zeros)[:1] * 2,
            lambda: F.pad(a % zeros, (-1, 0)) * 1,
            lambda: torch.cat([F.binary_cross_entropy(bad, target, reduction="none")[:1], target])):
    attempt(run)
    attempt(torch.compile(run))
x = torch.ones(1, 1, 4, device="cuda", requires_grad=True)
print(torch.autograd.grad(F.conv1d(x, torch.ones(1, 1, 2, device="cuda"), stride=2**32).sum(), x))

# Tensors on two devices, in the words of each operator's own check.
image, weight, row = torch.ones(1, 2, 3, 3), torch.ones(2, 2, 2, 2), torch.ones(2, 3)
for run in (lambda: F.conv2d(image.cuda(), weight), lambda: F.conv2d(image, weight.cuda()),
            lambda: F.conv2d(image.cuda(), weight.cuda(), torch.ones(2)),
            lambda: F.conv2d(image.cuda().half(), weight.half()),
            lambda: F.linear(row.cuda(), torch.ones(4, 3)),
            lambda: F.linear(torch.ones(5, 2, 3).cuda(), torch.ones(4, 3)),
            lambda: F.linear(row.cuda(), torch.ones(4, 3), torch.ones(4))):
    attempt(run)
near, vector, classes = torch.ones(2, 3), torch.ones(3), torch.tensor([0, 1])
far, far_vector, far_classes = near.cuda(), vector.cuda(), classes.cuda()
for run in (lambda: F.cross_entropy(far, classes), lambda: F.cross_entropy(near, far_classes),
            lambda: F.cross_entropy(far, far_classes, vector), lambda: F.cross_entropy(far, near),
            lambda: F.cross_entropy(far.reshape(1, 2, 1, 3), torch.zeros(1, 1, 3, dtype=torch.int64)),
            lambda: torch.nn.LayerNorm(3)(far), lambda: F.layer_norm(far, (3,), far_vector, vector),
            lambda: torch.dot(far_vector, vector), lambda: far.masked_fill(near > 0, 0), lambda: near.masked_fill_(far > 0, 0),
            lambda: far.masked_select(near > 0), lambda: torch.stack([near, far]), lambda: torch.where(near > 0, far, far),
            lambda: F.embedding(classes, far), lambda: far.scatter(1, far_classes[:, None], near),
            lambda: far.scatter_(1, classes[:, None], 1.0), lambda: far.scatter_add(1, far_classes[:, None], near),
            lambda: far.index_add(0, classes, far), lambda: far.index_copy_(0, far_classes, near),
            lambda: far.scatter_reduce(1, classes[:, None], far, "sum"), lambda: F.binary_cross_entropy(far, near),
            lambda: near[far_classes], lambda: far[classes].sum()):
    attempt(run)
for run in (lambda x: torch.full((2,), x, dtype=torch.uint8, device="cuda"),
            lambda x: torch.zeros(2, device="cuda").half().masked_fill(torch.tensor([True, False]).cuda(), x * 1e5)):
    attempt(lambda: run(300))

# What an operator refuses for its dtype names the GPU's kernel, and a number 0 divides no ints of any width.
ones, true = torch.ones(3, device="cuda"), torch.ones(2, 2, dtype=torch.bool, device="cuda")
for run in (lambda: ones & 1, lambda: ones << 1, lambda: true @ true, lambda: true[None] @ true[None]):
    attempt(run)
for dtype in (torch.int8, torch.uint8, torch.int32, torch.int64):
    n = ones.to(dtype)
    for run in (lambda: n // 0, lambda: n % 0, lambda: n.clone().floor_divide_(0), lambda: torch.fmod(n, 0),
                lambda: torch.div(n, 0, rounding_mode="trunc"), lambda: n // (n - n), lambda: n // 2):
        attempt(run)
