# tolerance: 1e-5
"""A masked mean over sequences of changing lengths: one compilation serves them all.

The first call fixes the length; at the second the compiler sees that it changes and makes it a
symbol, s0; from then on every length runs the same machine code. With dynamic=True the very first
compilation has the symbol.
"""
import torch


def masked_mean(x, mask):
    weight = mask.to(x.dtype).unsqueeze(-1)
    total = (x * weight).sum(dim=1)
    count = weight.sum(dim=1).clamp(min=1.0)
    return total / count


compiled = torch.compile(masked_mean)
dynamic = torch.compile(masked_mean, dynamic=True)

torch.manual_seed(4)
agree = True
for length in range(2, 20):
    x = torch.randn(3, length, 4)
    lengths = torch.tensor([length, length // 2, 1])
    mask = torch.arange(length).unsqueeze(0) < lengths.unsqueeze(1)
    expected = masked_mean(x, mask)
    y, z = compiled(x, mask), dynamic(x, mask)
    agree = agree and torch.allclose(y, expected, atol=1e-6) and torch.allclose(z, expected, atol=1e-6)
    if length in (2, 3, 10, 19):
        print(f"length {length:2}: {y[1]}")

print("same as eager for every length:", agree)
