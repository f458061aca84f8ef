# tolerance: 1e-5
# Unfold and Fold: windows as columns and back, gradients, compiled, what they refuse.
import torch
from torch import nn
from torch.nn import functional as F

from helper_both_ways import attempt, both

torch.manual_seed(0)
image = torch.randn(2, 3, 4, 5)
both("unfold", lambda x: F.unfold(x, (2, 3), dilation=1, padding=1, stride=2), image)
both("dilated", lambda x: F.unfold(x, 2, dilation=(2, 1), stride=(1, 2)), image[0])
both("one", lambda x: F.unfold(x, 1), image[:1, :2, :2, :2])
columns = torch.randn(2, 12, 4)
both("fold", lambda x: F.fold(x, (3, 3), 2), columns)
both("padded", lambda x: F.fold(x, (4, 5), (2, 2), dilation=2, padding=1, stride=(2, 3)), torch.randn(1, 8, 4))
both("single", lambda x: F.fold(x, 3, (2, 2)), columns[0])
both("patches", lambda x: F.fold(F.unfold(x, 2, stride=2) * 2, (4, 4), 2, stride=2), torch.randn(1, 2, 4, 4))
one = torch.ones(1, 1, 2, 2)
F.unfold(one, 1).zero_()
print(one.sum())
for size in (3, 5):  # a size that changes
    print(torch.compile(lambda x: F.unfold(x, 2).sum(1))(torch.ones(1, 2, size, 4)))

# Convolution as a product of columns.
weight = torch.randn(4, 3, 3, 3)
product = F.fold(weight.view(4, -1) @ F.unfold(image, 3), (2, 3), 1)
print(torch.allclose(product, F.conv2d(image, weight), atol=1e-5))
print(nn.Unfold(3), nn.Unfold((2, 3), dilation=2, padding=1, stride=(1, 2)), nn.Fold(4, 2), nn.Fold((4, 5), (2, 2), 1, 1, 2))
print(nn.Fold((3, 3), 2)(nn.Unfold(2)(torch.ones(1, 1, 3, 3))))
print(F.unfold(torch.ones(1, 1, 2, 2, dtype=torch.bool), 2), F.fold(torch.ones(1, 4, 4, dtype=torch.bool), 3, 2))
print(F.unfold(torch.ones(1, 1, 2, 2, dtype=torch.float16), 2), F.unfold(torch.ones(0, 1, 4, 4), 2).shape)

o = torch.ones
attempt("dimensions", lambda: F.unfold(o(4, 4), 2))
attempt("dimensions", lambda: F.unfold(o(1, 1, 1, 4, 4), 2))
attempt("empty", lambda: F.unfold(o(1, 0, 4, 4), 2))
attempt("too big", lambda: F.unfold(o(1, 1, 2, 2), 3))
attempt("zero", lambda: F.unfold(o(1, 1, 2, 2), 0))
attempt("stride", lambda: F.unfold(o(1, 1, 2, 2), 1, stride=0))
attempt("dilation", lambda: F.unfold(o(1, 1, 2, 2), 1, dilation=0))
attempt("padding", lambda: F.unfold(o(1, 1, 2, 2), 1, padding=-1))
attempt("three", lambda: F.unfold(o(1, 1, 4, 4), (2, 2, 2)))
attempt("whole", lambda: F.unfold(o(1, 1, 4, 4, dtype=torch.int64), 2))
attempt("fold dimensions", lambda: F.fold(o(1, 1, 12, 4), 3, 2))
attempt("fold channels", lambda: F.fold(o(1, 11, 4), 3, 2))
attempt("fold count", lambda: F.fold(o(1, 12, 5), 3, 2))
attempt("fold too big", lambda: F.fold(o(1, 12, 4), 1, 2))
attempt("fold size", lambda: F.fold(o(1, 12, 4), (3, 3, 3), 2))
attempt("fold whole", lambda: F.fold(o(1, 12, 4, dtype=torch.int64), 3, 2))
