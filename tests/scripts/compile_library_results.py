# What a compiled function has of library calls: returned, viewed, computed with, more than once.
import torch


def both(x):
    values, places = x.cummax(1)
    ordered, order = x.sort(1)
    return values, places, values[:, 1:] * 2, ordered.t(), values + ordered, order[0], values


def inside(x):
    ordered, _ = x.sort(1)
    twice = ordered * 2
    again, _ = twice.sort(1, descending=True)
    return (again.view(-1)[1:] - 1).sum(), torch.nn.functional.one_hot(again.argsort(1), 8).sum(0)


def into(x, out):
    out.copy_(x.sort(1)[0])
    x.add_(1)
    return out.cumsum(1), x


for function in (both, inside):
    compiled = torch.compile(function)
    kept = []
    for rows, columns in ((2, 3), (2, 3), (4, 8), (1, 2)):
        x = torch.arange(rows * columns, dtype=torch.float32).reshape(rows, columns).sin()
        found, expected = compiled(x), function(x)
        kept.append((found, [each.clone() for each in found]))
        print([tuple(each.shape) for each in found], all(torch.equal(a, b) for a, b in zip(found, expected)))
        print(found[0], [each.stride() for each in found])
    print(all(torch.equal(a, b) for pair in kept for a, b in zip(*pair)))
values = torch.compile(both)(torch.ones(2, 3))
values[0][0, 0] = 7
print(values[0] is values[6] or values[0].data_ptr() == values[6].data_ptr(), values[2])
x, out = torch.tensor([[3.0, 1.0, 2.0]]), torch.zeros(1, 3)
print(torch.compile(into)(x, out), x, out)
x = torch.tensor([[3.0, 1.0, 2.0]], requires_grad=True)
result = torch.compile(lambda x: (x.cummax(1)[0] * x.sort(1)[0]).sum())(x)
result.backward()
print(result, x.grad)
