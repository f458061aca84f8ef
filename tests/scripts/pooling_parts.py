import torch
import torch.nn.functional as F

inf, nan = float("inf"), float("nan")

# A part knows nothing of what lies beside it, and short parts count each element once.
for value in (inf, -inf, nan):
    for place in range(5):
        x = torch.arange(5.0).reshape(1, 1, 5)
        x[0, 0, place] = value
        print(value, place, F.adaptive_avg_pool1d(x, 3).tolist(), F.adaptive_avg_pool1d(x, 4).tolist(),
              F.adaptive_avg_pool1d(x, 7).tolist())
print(F.adaptive_avg_pool1d(torch.full((1, 2, 24), -inf), 7))
print(F.adaptive_avg_pool2d(torch.full((1, 1, 5, 7), inf), (3, 5)))

# Sums of whole numbers are exact, and so is the division.
x = torch.arange(1.0, 50.0).reshape(1, 1, 7, 7)
for size in ((3, 5), (2, 3), (7, 4), (1, 5), (9, 3)):
    print(size, F.adaptive_avg_pool2d(x, size).tolist())
print(F.adaptive_avg_pool3d(torch.arange(60.0).reshape(1, 3, 4, 5), (2, 3, 2)).tolist())
for dtype in (torch.float64, torch.bfloat16, torch.float16):
    print(F.adaptive_avg_pool1d(torch.arange(11.0).reshape(1, 1, 11).to(dtype), 4))

y = torch.arange(10.0).reshape(1, 2, 5).requires_grad_()
F.adaptive_avg_pool1d(y, 3).square().sum().backward()
print(y.grad)
z = torch.arange(12.0).reshape(1, 3, 4).requires_grad_()
F.adaptive_avg_pool2d(z, (2, 3)).square().sum().backward()
print(z.grad)

# Of equal zeros a long window has the first one, with its sign.
for first, second in ((-0.0, 0.0), (0.0, -0.0)):
    for places in ((1, 16), (1, 17), (15, 33), (0, 40)):
        x = torch.full((1, 1, 48), -1.0)
        x[0, 0, places[0]], x[0, 0, places[1]] = first, second
        values, indices = F.max_pool1d(x, 48, return_indices=True)
        print(places, values.item(), indices.item())
