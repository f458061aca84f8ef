# Compiled convolutions are the eager ones, in every number of dimensions, with their gradients.
import torch
import torch.nn.functional as F

torch.manual_seed(0)


def one(x, w, b):
    return F.conv1d(x, w, b, stride=2, padding=1).relu()


def two(x, w, b):
    return torch.tanh(F.conv2d(x, w, b, padding=1, dilation=2) * 2)


def three(x, w, b):
    return F.conv3d(x, w, b).sum(1)


def grouped(x, w, b):
    return F.conv2d(x + 1, w, b, groups=2)


def transposed(x, w, b):
    return F.conv_transpose2d(x, w, b, stride=2).sigmoid()


def alone(x, w, b):
    return F.conv2d(x, w)


cases = [(one, (2, 3, 9), (4, 3, 3), 4), (two, (2, 3, 8, 8), (5, 3, 3, 3), 5), (three, (1, 2, 4, 5, 6), (3, 2, 2, 2, 2), 3),
         (grouped, (2, 4, 5, 5), (6, 2, 3, 3), 6), (transposed, (2, 4, 3, 3), (4, 2, 2, 2), 2), (alone, (1, 1, 3, 3), (1, 1, 1, 1), 1)]
for function, size, weight_size, outputs in cases:
    compiled = torch.compile(function)
    for batch in (size[0], 3, 1):
        inputs = [torch.randn(batch, *size[1:]), torch.randn(weight_size), torch.randn(outputs)]
        leaves = [[each.clone().requires_grad_() for each in inputs] for _ in range(2)]
        eager, fast = function(*leaves[0]), compiled(*leaves[1])
        eager.square().sum().backward()
        fast.square().sum().backward()
        same = [torch.allclose(a.grad, b.grad, atol=1e-4, rtol=1e-4) for a, b in zip(*leaves) if a.grad is not None]
        print(function.__name__, tuple(fast.shape), torch.allclose(eager, fast, atol=1e-5), same)
        with torch.no_grad():
            print(torch.allclose(function(*inputs), compiled(*inputs), atol=1e-5))
