# tolerance: 1e-5
# Random numbers at every size that changes how they are drawn, two calls in a row.
import torch

for dtype in (torch.float32, torch.float64):
    for size in list(range(0, 41)) + [1000, 100007]:
        torch.manual_seed(size)
        a, b = torch.rand(size, dtype=dtype), torch.rand(size, dtype=dtype)
        torch.manual_seed(size)
        c, d = torch.randn(size, dtype=dtype), torch.randn(size, dtype=dtype)
        print(size, [round(t.sum().item(), 2) for t in (a, b)], [round(t.abs().sum().item(), 1) if size > 999 else round(t.sum().item(), 4) for t in (c, d)], torch.rand(1).item())
