# tolerance: 1e-5
# What stays in a region: with blocks, tensor literals, closures, a break in a callee.
import torch


def modes(x):
    with torch.no_grad():
        y = x + torch.tensor([1.0, 2.0])
        inner = torch.is_grad_enabled()
    return y * torch.tensor(3), inner, torch.is_grad_enabled()


compiled = torch.compile(modes)
for _ in range(2):
    print(compiled(torch.ones(2)))
with torch.no_grad():
    print(compiled(torch.ones(2)))


def literal(x):
    a = torch.tensor([[1, 2], [3, 4]])
    a += 1
    return a, torch.tensor([0.5], dtype=torch.float64), x


compiled = torch.compile(literal)
first, second = compiled(torch.ones(1)), compiled(torch.ones(1))
first[0].zero_()
print(first, second, first[0] is second[0])


def closures(x):
    count = 0

    def low(v, by=x):
        nonlocal count
        count += 1
        w = v + by
        if w.sum() > 0:
            return w * 2
        return w

    return low(x) + low(x - 5), count


compiled = torch.compile(closures)
for _ in range(3):
    print(compiled(torch.ones(2)))


@torch.compile
def counted(items):
    return len(items) * 2


print(counted([1, 2]))
len = lambda items: 10
print(counted([1, 2]))
