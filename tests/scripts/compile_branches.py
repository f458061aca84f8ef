# tolerance: 1e-5
# Python control flow under compilation: on plain values it is traced, on tensors it breaks the graph.
import torch


@torch.compile
def f(x, mode, n):
    if mode == "double":
        x = x * 2
    elif mode is None:
        x = x - 1
    for i in range(n):
        x = x + i
    while n > 0:
        x = x * 0.5
        n -= 1
    return x


x = torch.tensor([1.0, -2.0, 3.0])
print(f(x, "double", 2), f(x, None, 0), f(x, "other", 3), f(x, "double", 2))


@torch.compile
def g(x):
    y = torch.sin(x)
    if y.sum() > 0:
        return y + 1
    return y - 1


print(g(x), g(-x), g(x))


@torch.compile
def h(x):
    total = 0
    for row in x:
        if row.max().item() > 2:
            total = total + row
        else:
            total = total - row
    print("rows:", len(x))
    return total * 2


print(h(torch.tensor([[1.0, 2.0], [3.0, 4.0]])), h(torch.tensor([[1.0, 2.0]])))
