# tolerance: 1e-4
# Images in another size: between their elements, by their nearest ones, channels as pixels.
import torch
from torch import nn
import torch.nn.functional as F


def attempt(what, run):
    try:
        print(what, run())
    except Exception as error:
        print(f"{what}: {type(error).__name__}: {error}")


x = torch.arange(12.0).reshape(1, 1, 3, 4)
for given in ({"size": 5}, {"size": (2, 7)}, {"scale_factor": 2}, {"scale_factor": 1.5},
              {"scale_factor": (0.5, 2.5)}, {"scale_factor": 1.5, "recompute_scale_factor": True}):
    for mode in ("nearest", "nearest-exact", "bilinear", "area"):
        for corners in (None, True, False) if mode == "bilinear" else (None,):
            print(given, mode, corners, F.interpolate(x, mode=mode, align_corners=corners, **given))
signal = torch.arange(4.0).reshape(1, 1, 4)
print(F.interpolate(signal, size=6, mode="linear"), F.interpolate(signal, scale_factor=2.0))
print(F.interpolate(torch.arange(8.0).reshape(1, 1, 2, 2, 2), scale_factor=2, mode="trilinear"))
print(F.interpolate(torch.arange(8, dtype=torch.uint8).reshape(1, 1, 2, 4), scale_factor=2))
print(F.interpolate(torch.arange(8).half().reshape(1, 1, 2, 4), size=(3, 3), mode="bilinear").dtype)
y = x.clone().requires_grad_()
(F.interpolate(y, size=(5, 3), mode="bilinear") * torch.arange(15.0).reshape(5, 3)).sum().backward()
print(y.grad)
for module in (nn.Upsample(scale_factor=2), nn.Upsample(size=(4, 4), mode="bilinear", align_corners=True),
               nn.UpsamplingNearest2d(size=(2, 2)), nn.UpsamplingBilinear2d(scale_factor=2)):
    print(module, module(x))
pixels = torch.arange(32.0).reshape(1, 8, 2, 2)
for module in (nn.PixelShuffle(2), nn.ChannelShuffle(4), nn.PixelUnshuffle(2)):
    print(module, module(pixels))

attempt("bilinear", lambda: F.interpolate(signal, size=6, mode="bilinear"))
attempt("trilinear", lambda: F.interpolate(signal, size=6, mode="trilinear"))
attempt("mode", lambda: F.interpolate(signal, size=6, mode="nope"))
attempt("no size", lambda: F.interpolate(signal))
attempt("both", lambda: F.interpolate(signal, size=2, scale_factor=2))
attempt("sizes", lambda: F.interpolate(signal, size=(2, 3)))
attempt("factors", lambda: F.interpolate(signal, scale_factor=(2, 3)))
attempt("corners", lambda: F.interpolate(signal, size=3, align_corners=True))
attempt("rank", lambda: F.interpolate(torch.ones(2, 3), size=3))
attempt("integers", lambda: F.interpolate(torch.ones(1, 1, 2, 2, dtype=torch.int64), scale_factor=2))
attempt("integers", lambda: F.interpolate(torch.ones(1, 1, 2, dtype=torch.int32), scale_factor=2, mode="linear"))
