# tolerance: 1e-4
# `torch.einsum` with lists of numbers in place of an equation.
import torch

x = torch.arange(6.0).view(2, 3)
y = torch.arange(12.0).view(3, 4)
print(torch.einsum(x, [0, 1], y, [1, 2], [0, 2]))
print(torch.einsum(x, [0, 1], y, [1, 2]))
print(torch.einsum(x, [0, 1]), torch.einsum(x, [1, 0]), torch.einsum(x, [0, 1], []))
print(torch.einsum(x.expand(2, 2, 3), [..., 30, 51], y, [51, 1], [..., 30, 1]).shape)
print(torch.compile(lambda a, b: torch.einsum(a, [0, 1], b, [1, 2], [2, 0]))(x, y))
for arguments in [(x, [0, 60]), (x, [0, 1], y, [1]), (x, [0, 1], [2])]:
    try:
        print(torch.einsum(*arguments))
    except (ValueError, RuntimeError) as error:
        print(type(error).__name__, error)
