# tolerance: 1e-4
"""The backward of what was made in the sizes of a tensor that it does not keep: `expand_as`, `view_as`, `zeros_like`."""
import torch

torch.manual_seed(0)
layer = torch.nn.Linear(4, 4)
rows = torch.arange(6) // 2


def spread(x):
    return torch.gather(x, 0, rows.unsqueeze(-1).expand_as(x))


def summed(x, count):
    zeros = torch.zeros(count, x.size(1))
    return zeros.scatter_add_(0, rows.unsqueeze(-1).expand_as(x), x)


def viewed(x):
    return torch.gather(x, 0, rows.repeat(4).view_as(x))


def of_zeros(x):
    return torch.gather(x, 0, torch.zeros_like(x, dtype=torch.int64)) * 2


def of_two_regions(x):
    x = layer(x)
    return summed(x, int(rows.max()) + 1)


for function in (spread, lambda x: summed(x, 3), viewed, of_zeros, of_two_regions):
    for step in range(3):
        layer.zero_grad()
        x = layer(torch.arange(24.0).reshape(6, 4) / 10)
        function(x).square().sum().backward()
    print(layer.weight.grad[0], layer.bias.grad)
