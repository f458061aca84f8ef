# tolerance: 1e-4
import torch
import torch.nn.functional as F

inf, nan = float("inf"), float("nan")


def attempt(x, **options):
    try:
        print(tuple(x.shape), options, tuple(F.interpolate(x, **options).shape))
    except Exception as error:
        print(tuple(x.shape), options, type(error).__name__, error)


# A filter sees its neighbours alone.
for value in (inf, nan):
    for mode in ("bilinear", "bicubic", "lanczos"):
        for size in ((3, 3), (4, 2), (2, 5), (6, 5), (9, 7)):
            for place in ((0, 0), (2, 3), (5, 4)):
                x = torch.arange(30.0).reshape(1, 1, 6, 5)
                x[(0, 0) + place] = value
                result = F.interpolate(x, size, mode=mode, antialias=True)
                print(value, mode, size, place, result.isfinite().long().flatten().tolist())

signal, image, volume = torch.ones(1, 2, 7), torch.ones(1, 2, 6, 5), torch.ones(1, 2, 4, 3, 5)
for x, mode in ((signal, "linear"), (image, "bilinear"), (image, "bicubic"), (volume, "trilinear")):
    for options in (dict(size=0), dict(scale_factor=0.1), dict(scale_factor=-1), dict(size=3)):
        attempt(x, mode="nearest", **options)
        attempt(x, mode=mode, **options)
        attempt(x[:, :0], mode=mode, **options)
        attempt(x[:0], mode=mode, **options)
        attempt(x[:, :, :0], mode=mode, **options)
attempt(image.long(), mode="bilinear", size=0)
attempt(image[:, :, :0], mode="bilinear", size=4, antialias=True)
attempt(image, size=3, recompute_scale_factor=True)
attempt(image, size=3, recompute_scale_factor=False)
attempt(torch.ones(3, 7), mode="area", size=4)

# A dimension that keeps its size, or of an image has twice as much, goes by that, not by the factor.
x = torch.arange(70.0).reshape(1, 2, 5, 7)
for mode in ("nearest", "nearest-exact", "bilinear", "bicubic", "area"):
    for factor in (1.05, 1.1, (1.5, 1.1), 2.1, (2.1, 1.9)):
        for align in (None, True):
            for antialias in (False, True):
                try:
                    y = F.interpolate(x, scale_factor=factor, mode=mode, align_corners=align,
                                      antialias=antialias)
                    print(mode, factor, align, antialias, tuple(y.shape), y[0, 1, :2].flatten().tolist())
                except ValueError as error:
                    print(mode, factor, align, antialias, error)
for mode in ("nearest", "nearest-exact", "linear"):
    print(mode, F.interpolate(x[0], scale_factor=1.1, mode=mode)[0, :2].tolist())
for mode in ("nearest", "trilinear"):
    print(mode, F.interpolate(x[None], scale_factor=1.1, mode=mode)[0, 0, 0, 0].tolist())
z = torch.tensor([1.0, -0.0, inf, nan]).reshape(1, 1, 1, 4)
for mode in ("nearest", "bilinear", "bicubic"):
    print(mode, F.interpolate(z, (1, 4), mode=mode).tolist(), F.interpolate(z, (2, 4), mode=mode).tolist())
same = F.interpolate(x, (5, 7), mode="bilinear", antialias=True)
same.zero_()
print(x.sum())
