# tolerance: 1e-5
"""A model with a branch on data: the classic example of a graph break.

`toy` is compiled as two regions with the branch between them. The first ends at `if`, because which
way to go depends on a number that only running the graph can tell; the second begins behind it, once
for each way that was taken. `:explain toy(a, b)` at the REPL tells the same story.
"""
import torch


@torch.compile
def toy(a, b):
    x = a / (torch.abs(a) + 1)
    if b.sum() < 0:
        b = b * -1
    return x * b


def reference(a, b):
    x = a / (torch.abs(a) + 1)
    if b.sum() < 0:
        b = b * -1
    return x * b


torch.manual_seed(0)
a = torch.randn(10)
positive = torch.rand(10)
negative = -torch.rand(10)

for name, b in [("positive", positive), ("negative", negative), ("positive again", positive)]:
    y = toy(a, b)
    expected = reference(a, b)
    print(f"{name:>14}: sum {y.sum().item():.5f}, same as eager: {torch.allclose(y, expected)}")

print(toy(a, positive))
