# tolerance: 1e-5
"""Softmax written out by hand, then the built-in one: both become one kernel a row.

The row's maximum, the sum of its exponentials and the division read the same row, so the compiler
keeps the row at hand and makes a single kernel with three loops over it.
"""
import torch


def softmax(x):
    shifted = x - x.amax(dim=1, keepdim=True)
    numerator = torch.exp(shifted)
    return numerator / numerator.sum(dim=1, keepdim=True)


compiled = torch.compile(softmax)

torch.manual_seed(2)
x = torch.randn(5, 7) * 3
y = compiled(x)
print(y)
print("rows sum to one:", torch.allclose(y.sum(dim=1), torch.ones(5)))
print("same as torch.softmax:", torch.allclose(y, torch.softmax(x, dim=1)))

# Large inputs do not overflow, because the maximum is subtracted first.
print(compiled(torch.tensor([[1000.0, 1001.0, 1002.0]])))

# The longer the rows, the more a single pass over them saves.
big = torch.randn(256, 1000)
print("large:", torch.allclose(compiled(big), torch.softmax(big, dim=1), atol=1e-6))
