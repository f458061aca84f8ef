# tolerance: 1e-5
# Pooling of volumes, to a size, by a norm, with places and back from them.
import torch
from torch import nn
from torch.nn import functional as F

from helper_both_ways import attempt, both

torch.manual_seed(0)
volume = torch.randn(1, 2, 4, 5, 4)
both("max", lambda x: F.max_pool3d(x, 2), volume)
both("max padded", lambda x: F.max_pool3d(x, (2, 3, 2), stride=(1, 2, 3), padding=1, ceil_mode=True), volume[0])
both("mean", lambda x: F.avg_pool3d(x, 2), volume)
both("mean padded", lambda x: F.avg_pool3d(x, 2, 2, 1, count_include_pad=False), volume)
both("mean divided", lambda x: F.avg_pool3d(x, (1, 2, 2), 2, divisor_override=3), volume)
both("mean adaptive", lambda x: F.adaptive_avg_pool3d(x, (2, 3, None)), volume)

for count, shape in ((1, (2, 7)), (2, (1, 2, 5, 6)), (3, (1, 1, 4, 5, 3))):
    pool = getattr(F, f"adaptive_max_pool{count}d")
    x = torch.randn(shape)
    ties = torch.randint(0, 2, shape).float()
    for wanted in (1, 3, 2, 4):
        both(f"adaptive {count} {wanted}", lambda x: pool(x, wanted), x)
        both(f"places {count} {wanted}", lambda x: pool(x, wanted, return_indices=True), ties)
both("adaptive pair", lambda x: F.adaptive_max_pool2d(x, (2, None)), torch.randn(1, 4, 3))

x = torch.randn(1, 2, 5, 6)
ties = torch.randint(0, 2, (1, 2, 5, 6)).float()
both("places", lambda x: F.max_pool2d(x, 2, return_indices=True), ties)
both("places padded", lambda x: F.max_pool2d(x, 3, 2, 1, ceil_mode=True, return_indices=True), x)
both("places dilated", lambda x: F.max_pool2d(x, 2, 1, 1, (2, 3), return_indices=True), x)
both("places 1", lambda x: F.max_pool1d(x, 2, 3, 1, return_indices=True), torch.randn(2, 7))
both("places 3", lambda x: F.max_pool3d(x, 2, return_indices=True), volume)
print(F.max_pool1d(torch.full((1, 5), -torch.inf), 3, 2, 1, 2, return_indices=True))
both("unpool", lambda x: F.max_unpool2d(*F.max_pool2d(x, 2, return_indices=True), 2, output_size=(5, 6)), x)
both("unpool 1", lambda x: F.max_unpool1d(*F.max_pool1d(x, 2, return_indices=True), 2), torch.randn(1, 6))
both("unpool 3", lambda x: F.max_unpool3d(*F.max_pool3d(x, 2, return_indices=True), 2), volume[..., :4, :])

both("norm", lambda x: F.lp_pool2d(x, 2, 2), x)
both("norm 1.5", lambda x: F.lp_pool1d(x, 1.5, 3, 2), x[0].abs())
print(F.lp_pool1d(x[0].abs(), 1.5, 3, 2, ceil_mode=True))
both("norm greatest", lambda x: F.lp_pool1d(x, float("inf"), 3), x[0])
both("norm least", lambda x: F.lp_pool1d(x, -float("inf"), 3), x[0])
both("norm 3", lambda x: F.lp_pool3d(x, 2, 2), volume)

pool, unpool = nn.MaxPool2d(2, return_indices=True), nn.MaxUnpool2d(2)
print(unpool(*pool(torch.arange(16.0).view(1, 1, 4, 4))))
print(nn.Sequential(nn.MaxPool3d(2), nn.AvgPool3d((1, 2, 2), 1), nn.AdaptiveMaxPool1d(3), nn.AdaptiveMaxPool2d((2, None)),
                    nn.AdaptiveMaxPool3d(2, return_indices=True), nn.AdaptiveAvgPool3d((1, 2, None)), nn.LPPool1d(2, 3),
                    nn.LPPool2d(1.5, (2, 3), stride=1, ceil_mode=True), nn.LPPool3d(2, 2), unpool, nn.MaxUnpool1d(2, 1, 1)))
for module, x in ((nn.MaxPool3d(2), volume), (nn.AvgPool3d(2), volume), (nn.AdaptiveMaxPool1d(3), torch.randn(1, 5)),
                  (nn.AdaptiveMaxPool2d(2), torch.randn(1, 3, 5)), (nn.AdaptiveAvgPool3d(1), volume), (nn.LPPool2d(2, 2), torch.randn(1, 4, 4))):
    print(module(x))

o = torch.ones
attempt("dimensions", lambda: F.max_pool3d(o(2, 2, 2), 2))
attempt("empty", lambda: F.max_pool3d(o(1, 0, 2, 2, 2), 1))
attempt("kernel", lambda: F.max_pool3d(o(1, 1, 4, 4, 4), (2, 2)))
attempt("stride", lambda: F.max_pool3d(o(1, 1, 4, 4, 4), 2, (1, 1)))
attempt("padding", lambda: F.max_pool3d(o(1, 1, 4, 4, 4), 2, 2, 2))
attempt("small", lambda: F.max_pool3d(o(1, 1, 1, 1, 1), 2))
attempt("bool", lambda: F.max_pool3d(o(1, 1, 4, 4, 4, dtype=torch.bool), 2))
attempt("whole", lambda: F.max_pool3d(o(1, 1, 2, 2, 2, dtype=torch.int64), 2))
attempt("mean kernel", lambda: F.avg_pool3d(o(1, 1, 4, 4, 4), (2, 2)))
attempt("mean small", lambda: F.avg_pool3d(o(1, 1, 1, 1, 1), 2))
attempt("mean half", lambda: F.avg_pool3d(o(1, 1, 4, 4, 4, dtype=torch.float16), 2))
attempt("mean divisor", lambda: F.avg_pool3d(o(1, 1, 4, 4, 4), 2, divisor_override=0))
attempt("adaptive 1", lambda: F.adaptive_max_pool1d(o(4), 2))
attempt("adaptive none", lambda: F.adaptive_max_pool1d(o(1, 4), (None,)))
attempt("adaptive 2", lambda: F.adaptive_max_pool2d(o(4, 4), 2))
attempt("adaptive size", lambda: F.adaptive_max_pool2d(o(1, 4, 4), [2, 2, 2]))
attempt("adaptive negative", lambda: F.adaptive_max_pool2d(o(1, 4, 4), -1))
attempt("adaptive empty", lambda: F.adaptive_max_pool2d(o(2, 0, 4, 4), 2))
attempt("adaptive zero", lambda: F.adaptive_max_pool2d(o(1, 4, 4), 0).shape)
attempt("adaptive batch", lambda: F.adaptive_max_pool2d(o(0, 1, 4, 4), 2).shape)
attempt("adaptive whole", lambda: F.adaptive_max_pool2d(o(1, 4, 4, dtype=torch.int64), 2))
attempt("adaptive 3", lambda: F.adaptive_max_pool3d(o(4, 4, 4), 2))
attempt("adaptive mean", lambda: F.adaptive_avg_pool3d(o(4, 4, 4), 2))
attempt("adaptive mean size", lambda: F.adaptive_avg_pool3d(o(1, 4, 4, 4), (2, 2)))
attempt("norm", lambda: F.lp_pool1d(o(1, 8), 0, 3))
attempt("unpool size", lambda: F.max_unpool2d(o(1, 1, 2, 2), torch.zeros(1, 1, 2, 2).long(), 2, output_size=(7, 5)))
attempt("unpool places", lambda: F.max_unpool2d(o(1, 1, 2, 2), o(1, 1, 2, 2), 2))
attempt("unpool shape", lambda: F.max_unpool2d(o(1, 1, 2, 2), torch.zeros(1, 2, 2).long(), 2))
