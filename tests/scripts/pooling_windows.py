# tolerance: 1e-4
# Pooling by windows that overlap, leave gaps, are large or lie outside; equal elements, infinities, NaN.
import torch
import torch.nn.functional as F

torch.manual_seed(0)


def both(name, f, *given):
    for g in (f, torch.compile(f)):
        inputs = [each.clone().requires_grad_() for each in given]
        y = g(*inputs)
        y, where = y if isinstance(y, tuple) else (y, None)
        (y * torch.linspace(1, 2, y.numel(), dtype=y.dtype).reshape(y.shape)).sum().backward()
        print(name, tuple(y.shape), y.flatten()[:4].detach(), where.flatten()[-3:] if where is not None else "", inputs[0].grad.flatten()[:6])


x = torch.randn(2, 3, 14, 13)
both("2", lambda x: F.max_pool2d(x, 2), x)
both("3/2/1", lambda x: F.max_pool2d(x, 3, 2, 1, return_indices=True), x)
both("3/1/1", lambda x: F.max_pool2d(x, 3, 1, 1), x)
both("gaps", lambda x: F.max_pool2d(x, 2, 5, return_indices=True), x)
both("dilated", lambda x: F.max_pool2d(x, 3, 2, 1, 2, return_indices=True), x)
both("large", lambda x: F.max_pool2d(x, 7, 3, 3, return_indices=True), x)
both("a row", lambda x: F.max_pool2d(x, (1, 13), return_indices=True), x)
both("very large", lambda x: F.max_pool1d(x, 40, 3, 20, return_indices=True), torch.randn(2, 3, 90))
both("volume", lambda x: F.max_pool3d(x, 2, 2, return_indices=True), torch.randn(2, 2, 6, 5, 4))
both("mean", lambda x: F.avg_pool2d(x, 2), x)
both("mean overlapping", lambda x: F.avg_pool2d(x, 3, 1, 1), x)
both("mean of what is there", lambda x: F.avg_pool2d(x, 3, 2, 1, count_include_pad=False, ceil_mode=True), x)
both("large mean", lambda x: F.avg_pool2d(x, (8, 9), (2, 1), (4, 2)), x)
both("very large mean", lambda x: F.avg_pool1d(x, 40, 3, 20), torch.randn(2, 3, 90))
both("double", lambda x: F.max_pool2d(x, 3, 2, 1) + F.avg_pool2d(x, 3, 2, 1), x.double())

equal = torch.zeros(1, 1, 4, 4)
print(F.max_pool2d(equal, 3, 1, 1, return_indices=True)[1])
strange = torch.tensor([[float("nan"), 1.0, 2.0, -float("inf")], [3.0, float("nan"), -float("inf"), -float("inf")]] * 2)[None, None]
for f in (lambda x: F.max_pool2d(x, 2, return_indices=True), lambda x: F.max_pool2d(x, 3, 1, 1, return_indices=True)):
    print(*f(strange))
print(F.max_pool2d(torch.full((1, 1, 3, 3), -float("inf")), 3, 2, 1, return_indices=True))
print(F.max_pool2d(torch.arange(16).reshape(1, 4, 4), 3, 2, 1), F.max_pool2d(x.bfloat16(), 2)[0, 0, 0], F.avg_pool2d(x.bfloat16(), 3, 1, 1)[0, 0, 0])
print(F.max_pool2d(x.transpose(2, 3), 2)[0, 0, 0], F.max_pool2d(x[:0], 2).shape)
z = x.clone().requires_grad_()
g, = torch.autograd.grad((F.max_pool2d(z, 2) ** 3).sum(), z, create_graph=True)
g.sum().backward()
print(z.grad[0, 0, :2, :4])
print(F.max_pool2d(z, 2).grad_fn.name(), F.max_pool3d(torch.randn(1, 2, 2, 2, requires_grad=True), 2).grad_fn.name())
# Several that are no number in a long window: the last counts.
long = torch.arange(60.0).reshape(1, 1, 60)
long[0, 0, [3, 20, 41]] = float("nan")
for f in (lambda x: F.max_pool1d(x, 30, 10, return_indices=True), lambda x: F.max_pool2d(x.reshape(1, 1, 2, 30), (2, 28), 1, return_indices=True)):
    print(*f(long))
# A window that lies outside as a whole has no gradient to give.
outside = torch.arange(8.0).reshape(1, 1, 8).requires_grad_()
F.max_pool1d(outside, 2, 1, 1, 5).sum().backward()
print(outside.grad)
for bad in (lambda: F.max_pool2d(x, 20), lambda: F.max_pool2d(x, 2, padding=2), lambda: F.avg_pool2d(x[0], 15, 1),
            lambda: F.max_pool1d(x[0], 20), lambda: F.max_pool1d(x[0, 0], 6, dilation=7), lambda: F.avg_pool1d(x[0], 20),
            lambda: F.max_pool1d(x[0], 20, return_indices=True), lambda: F.max_pool3d(x, 20),
            lambda: F.max_pool2d(x, 2, dilation=20), lambda: F.lp_pool2d(x, 2, 20), lambda: F.max_pool2d(x, 20, ceil_mode=True)):
    try:
        print(bad().shape)
    except RuntimeError as error:
        print("RuntimeError", error)
for numbers in ((0, 1), (-1, 1), (0,), (2, 0), (2, -1), (2, 1, -1), (2, 1, 2), ((2, 0), 1)):
    for pool in (F.max_pool2d, F.avg_pool2d, F.max_pool1d, F.avg_pool1d):
        try:
            print(pool(x, *numbers).shape)
        except (RuntimeError, TypeError) as error:
            print(pool.__name__, numbers, str(error).splitlines()[0])
for dilation in (0, -1):
    for image in (x, torch.randn(1, 1, 4, 5, 6)):
        try:
            (F.max_pool2d if image is x else F.max_pool3d)(image, 2, 1, 0, dilation)
        except RuntimeError as error:
            print(error)
print(F.max_pool1d(torch.arange(8).reshape(1, 8), 2, return_indices=True))

# One number in a list is meant for all dimensions.
volume = torch.arange(96.0).reshape(2, 3, 4, 4)
print(F.max_pool3d(volume, [2], [2], [1], [1]), F.avg_pool3d(volume, (2,), (2,), (0,)).shape, F.max_pool2d(volume, [2]).shape)
