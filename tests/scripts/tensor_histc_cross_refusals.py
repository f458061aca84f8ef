# What histc and cross refuse: ranges that are not finite or turned, no bins, dtypes.
import torch

nan, inf = float("nan"), float("inf")


def tell(f, *arguments, **named):
    try:
        print(f(*arguments, **named))
    except Exception as e:
        print(type(e).__name__, e)


x = torch.tensor([1.0, 2.0])
for values in [[1.0, nan], [nan, nan], [1.0, inf], [1.0, -inf]]:
    tell(torch.histc, torch.tensor(values), 2)
    tell(torch.histc, torch.tensor(values), 2, 0, 2)
for low, high in [(3, 1), (0, inf), (nan, 1), (1, nan), (-inf, inf), (inf, inf), (3, 3), (1e20, inf), (0.5, -2)]:
    tell(torch.histc, x, 2, low, high)
for bins in [0, -1]:
    tell(torch.histc, x, bins)
    tell(torch.histc, x.long(), bins, 3, 1)
for dtype in [torch.int64, torch.uint8, torch.bool]:
    tell(torch.histc, x.to(dtype), 2)
    tell(torch.histc, x.to(dtype), 2, 3, 1)
tell(torch.histc, x[:0], 2)
tell(torch.histc, x[:0], 2, 3, 1)

f, l, b = torch.tensor([1.0, 2.0, 3.0]), torch.tensor([3, 2, 1]), torch.tensor([True, False, True])
for one, other in [(f, l), (l, f), (b, b), (f, b), (b, f), (f.double(), f), (l, l.int()), (l, l + 1), (l, f[:2])]:
    tell(torch.cross, one, other, 0)
