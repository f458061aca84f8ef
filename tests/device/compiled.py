# Compiled functions on a device: new sizes, writes, breaks at moves, errors.
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"


@torch.compile
def f(x, y):
    return torch.relu(x * y).sum(dim=1)


@torch.compile
def scale(x, factor):
    x.mul_(factor)
    return x.t() + 1


@torch.compile
def moved(x):
    y = x * 2
    z = y.cpu() + 1
    return z, y.to(x.device) - 1


@torch.compile
def made(x):
    return x + torch.arange(3, device=x.device) + torch.zeros(3, device=x.device)


for rows in (2, 3, 4):
    x = torch.arange(rows * 3.0, device=device).reshape(rows, 3)
    print(f(x, x - 2))
x = torch.ones(2, 3, device=device)
print(scale(x, 2.0), x)
print(moved(x))
print(made(x))
print(made(x.cpu()))
