# Errors under compilation are eager's, and leave eager's state.
import torch


@torch.compile
def f(x, y):
    z = x + 1
    return z @ y


print(f(torch.ones(2, 3), torch.ones(3, 2)))
try:
    f(torch.ones(2, 3), torch.ones(2, 3))
except RuntimeError:
    print("shapes do not fit")


@torch.compile
def g(x, n):
    if n > 2:
        raise ValueError(f"{n} is too large")
    try:
        return x / [1, 0][n]
    except IndexError:
        return x - 1


print(g(torch.ones(2), 0), g(torch.ones(2), 2))
try:
    g(torch.ones(2), 5)
except ValueError as error:
    print(error)
print(g(torch.ones(2), 0))
