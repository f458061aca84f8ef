# Library functions at the ends of their ranges, of mixed dtypes, and with all their arguments.
import math
import warnings
import torch

F = torch.nn.functional
inf, nan = math.inf, math.nan
warnings.simplefilter("ignore")  # PyTorch's chain_matmul is deprecated


def show(function):
    try:
        print(function())
    except Exception as error:
        print(type(error).__name__, error)


# Running sums of exponentials over a wide range.
show(lambda: torch.logcumsumexp(torch.tensor([-1000.0, 0.0, 5.0]), 0))
show(lambda: torch.logcumsumexp(torch.tensor([-inf, -inf, -1000.0, 0.0, 5.0, inf, 3.0]), 0))
show(lambda: torch.logcumsumexp(torch.tensor([1.0, inf, nan, 3.0]), 0))
show(lambda: torch.logcumsumexp(torch.tensor([[1.0, 2], [3, 400], [-500, 2]]), 1))
show(lambda: torch.tensor([[1.0, 2], [3, 400], [-500, 2]]).logcumsumexp(-2))
show(lambda: torch.logcumsumexp(torch.tensor(2.0), 0))
show(lambda: torch.logcumsumexp(torch.zeros(2, 0), 1))
show(lambda: torch.logcumsumexp(torch.tensor([1, 2]), 0))
show(lambda: torch.logcumsumexp(torch.tensor([1.0, 2]), 1))
x = torch.tensor([-1000.0, 0.0, 2.0], requires_grad=True)
torch.logcumsumexp(x, 0).sum().backward()
print(x.grad)

# Dtypes are promoted first.
show(lambda: torch.fmax(torch.tensor([1]), torch.tensor([nan])))
show(lambda: torch.fmin(torch.tensor([1]), torch.tensor([nan])))
show(lambda: torch.fmin(torch.tensor([nan]), torch.tensor([1])))
show(lambda: torch.fmin(torch.tensor([nan]), torch.tensor(2.0, dtype=torch.float64)))
show(lambda: torch.fmin(torch.tensor([True]), torch.tensor([2])))
half, brain = torch.tensor([nan, 1], dtype=torch.float16), torch.tensor([2, nan], dtype=torch.bfloat16)
show(lambda: torch.fmax(half, brain))

# No square leaves its range.
wide = torch.tensor([1e200, 3, 0, inf, nan, -inf, nan], dtype=torch.float64)
across = torch.tensor([1e200, 4, 0, nan, inf, 1, 1], dtype=torch.float64)
show(lambda: torch.hypot(wide, across))
show(lambda: torch.hypot(torch.tensor([1e-200, 5e-324], dtype=torch.float64), torch.tensor([1e-200, 0.0])))
show(lambda: torch.hypot(torch.tensor([1e-30, 2e38]), torch.tensor([1e-30, 2e38])))
show(lambda: torch.hypot(torch.tensor([3.0]), torch.tensor([4])))
show(lambda: torch.hypot(torch.tensor([3]), torch.tensor([4])))
a = torch.tensor([3.0, 0.0, 1e-30], requires_grad=True)
b = torch.tensor([4.0, 2.0, 1e-30], requires_grad=True)
torch.hypot(a, b).sum().backward()
print(a.grad, b.grad)
rows = torch.tensor([[1, 2, 2], [3, 3, 1]])
print(torch.mode(rows, 0), torch.mode(rows, -1, True))

# asarray
show(lambda: torch.asarray([1.0, 2], requires_grad=True))
show(lambda: torch.asarray([1, 2], requires_grad=True))
x = torch.tensor([1.0, 2.0])
show(lambda: torch.asarray(x, requires_grad=True) is x)
print(x.requires_grad)
show(lambda: torch.asarray(x * 2, requires_grad=True))
show(lambda: torch.asarray(x, requires_grad=False))
show(lambda: torch.asarray(x, dtype=torch.float64, copy=False))
show(lambda: torch.asarray([1], copy=False))

# tensordot
a = torch.arange(6.0).reshape(2, 3)
out = torch.empty(2, 2)
print(torch.tensordot(a, a.t(), 1, out=out) is out, out)
out = torch.empty(0)
torch.tensordot(a, a.t(), 1, out=out)
print(out)
show(lambda: torch.tensordot(a, a.t(), 1, out=torch.empty(2, 2, dtype=torch.float64)))

# Padding of convolutions
for padding in ("same", "valid", "other"):
    for stride in (1, 2, (1, 2)):
        show(lambda: F.conv2d(torch.ones(1, 1, 4, 4), torch.ones(1, 1, 3, 3), stride=stride,
                              padding=padding).shape)

# Products and layers
b, c = torch.arange(12.0).reshape(3, 4), torch.arange(8.0).reshape(4, 2)
show(lambda: torch.chain_matmul(a, b, c))
show(lambda: torch.prelu(torch.tensor([-1.0, 2, -3]), torch.tensor([0.25])))
show(lambda: torch.prelu(a - 3, torch.tensor([0.1, 0.2, 0.3])))
show(lambda: torch.threshold(torch.tensor([-1.0, 0.5, 2]), 0.5, 9.0))
show(lambda: F.threshold(torch.tensor([-1, 5, 2]), 2, 9))
show(lambda: torch.pairwise_distance(a, a * 2))
show(lambda: torch.pairwise_distance(a, a * 2, 1.0, 1e-3, True))
show(lambda: F.pairwise_distance(a, a * 2, p=inf))
show(lambda: F.pairwise_distance(a, a * 2, p=3))
mean, var = torch.tensor([1.0, 2, 3]), torch.tensor([1.0, 4, 9])
weight, bias = torch.tensor([1.0, 2, 0.5]), torch.tensor([0.0, 1, 2])
show(lambda: torch.batch_norm(a, weight, bias, mean, var, False, 0.1, 1e-5, False))
show(lambda: torch.batch_norm(a, None, None, mean, var, False, 0.1, 1e-5, False))
show(lambda: torch.batch_norm(a, weight, bias, mean, var, True, 0.1, 1e-5, False).round(decimals=3))
print(mean, var)
show(lambda: F.batch_norm(a, mean, var, weight, bias))
pairs = torch.arange(24.0).reshape(2, 3, 4) / 10
show(lambda: torch.bilinear(a, torch.ones(2, 4), pairs, torch.tensor([1.0, 2])))
show(lambda: F.bilinear(a, torch.ones(2, 4), pairs))
