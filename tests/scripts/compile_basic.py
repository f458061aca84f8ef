# tolerance: 1e-5
# torch.compile as a function and as a decorator; the same numbers as eager.
import torch


def f(x, y):
    return torch.relu(x * y).sum(dim=1)


@torch.compile
def g(x, scale=2.0):
    return torch.tanh(x) * scale + 1


compiled = torch.compile(f)
torch.manual_seed(0)
for rows in (4, 4, 6, 7, 1):
    x, y = torch.randn(rows, 8), torch.randn(rows, 8)
    print(rows, torch.allclose(compiled(x, y), f(x, y), atol=1e-6), compiled(x, y))
print(g(torch.zeros(3)), g(torch.ones(2), scale=3.0), g(torch.ones(2), 0.5), g(torch.ones(2, dtype=torch.float64)))
print(torch.compile(lambda x: x + 1)(torch.ones(2)), torch.compile(f, fullgraph=True)(torch.ones(1, 2), torch.ones(1, 2)), torch.compile(f, dynamic=True)(torch.ones(3, 2), torch.ones(3, 2)))
