# tolerance: 1e-4
import torch
import torch.nn.functional as F
from torch import nn


def waves(*sizes, dtype=torch.float32):
    count = 1
    for size in sizes:
        count *= size
    return (torch.arange(count, dtype=torch.float64) * 0.71).sin().reshape(sizes).to(dtype)


def show(name, x):
    print(name, tuple(x.shape), x.dtype, [round(v, 4) for v in x.detach().flatten()[:6].tolist()])


def attempt(x, **options):
    try:
        given = x.clone().requires_grad_()
        result = F.interpolate(given, **options)
        result.square().sum().backward()
        show(options, result)
        show("  gradient", given.grad)
    except Exception as error:
        print(options, type(error).__name__, error)


x = waves(2, 2, 5, 6)
for options in (dict(size=(7, 9)), dict(size=(7, 9), align_corners=True), dict(scale_factor=2),
                dict(scale_factor=1.7), dict(scale_factor=0.5), dict(size=(3, 1), align_corners=True),
                dict(scale_factor=1.7, recompute_scale_factor=True), dict(size=(5, 6)), dict(size=13)):
    attempt(x, mode="bicubic", **options)
    attempt(x, mode="bilinear", **options)
for mode in ("bilinear", "bicubic", "lanczos"):
    for options in (dict(size=(2, 3)), dict(size=(9, 11)), dict(scale_factor=0.6), dict(size=(1, 1)),
                    dict(size=(2, 20))):
        attempt(x, mode=mode, antialias=True, **options)
attempt(x, size=(2, 9), mode="bicubic", antialias=True, align_corners=True)

# What is refused.
attempt(x, size=(3, 3), mode="nearest", antialias=True)
attempt(x, size=(3, 3), mode="area", antialias=True)
attempt(x, size=(3, 3), mode="lanczos")
attempt(x, size=(3, 3), mode="lanczos", antialias=True, align_corners=True)
attempt(waves(2, 3, 4), size=4, mode="bicubic")
attempt(waves(2, 3, 4), size=4, mode="linear", antialias=True)
for mode in ("bicubic", "bilinear"):
    for antialias in (False, True):
        try:
            F.interpolate(torch.arange(16).reshape(1, 1, 4, 4), size=(3, 3), mode=mode, antialias=antialias)
        except Exception as error:
            print(mode, antialias, type(error).__name__, error)

# Other dtypes and dimensions.
for dtype in (torch.float64, torch.bfloat16):
    show("bicubic", F.interpolate(waves(1, 1, 4, 4, dtype=dtype), size=(6, 3), mode="bicubic").double())
    show("bilinear", F.interpolate(waves(1, 1, 4, 4, dtype=dtype), size=(6, 3), mode="bilinear").double())
attempt(waves(2, 3, 7), size=4, mode="linear")
attempt(waves(2, 3, 7), scale_factor=2.5, mode="linear", align_corners=True)
attempt(waves(1, 2, 3, 4, 5), size=(4, 2, 7), mode="trilinear")
attempt(waves(1, 2, 6, 4, 5), size=(3, 2, 2), mode="area")
attempt(waves(1, 2, 6, 5), size=(4, 3), mode="area")
show("module", nn.Upsample(scale_factor=2, mode="bicubic", align_corners=True)(x))

# Adaptive pooling, parts of equal size and others.
for size in (1, 2, 3, (5, 6), (4, 1), (7, 8), (None, 2), (1, 1)):
    for pool in (F.adaptive_avg_pool2d, F.adaptive_max_pool2d):
        given = x.clone().requires_grad_()
        result = pool(given, size)
        result.square().sum().backward()
        show(f"{pool.__name__} {size}", result)
        show("  gradient", given.grad)
values, indices = F.adaptive_max_pool2d(waves(1, 2, 6, 6), (2, 3), return_indices=True)
print(values.flatten()[:4], indices.flatten().tolist())
values, indices = F.adaptive_max_pool1d(waves(1, 2, 6), 3, return_indices=True)
print(values, indices)
print(F.adaptive_max_pool2d(torch.tensor([[[1.0, float("nan")], [3.0, float("nan")]]]), 1, return_indices=True))
print(F.adaptive_avg_pool2d(torch.full((1, 2, 2), float("inf")), 1), F.adaptive_avg_pool1d(waves(1, 2, 9), 4))
given = waves(1, 2, 4, 4)
same = F.adaptive_avg_pool2d(given, 4)
same.zero_()
print(given.abs().sum() > 0)

# Derivatives of derivatives, and compiled.
given = waves(1, 1, 4, 4).requires_grad_()
first, = torch.autograd.grad(F.interpolate(given, size=(6, 7), mode="bicubic").pow(3).sum(), given, create_graph=True)
second, = torch.autograd.grad(first.square().sum(), given)
show("second", second)


@torch.compile
def net(x):
    small = F.interpolate(x * 2, scale_factor=0.5, mode="bilinear", antialias=True)
    return F.interpolate(small.relu(), size=x.shape[2:], mode="bicubic") + F.adaptive_avg_pool2d(x, 3).mean()


for size in (6, 8, 11):
    given = waves(1, 2, size, size).requires_grad_()
    result = net(given)
    result.square().sum().backward()
    show("compiled", result)
    show("  gradient", given.grad)
