"""Lists of numbers in which a size is one: as an index, as what is assigned, as a tensor."""
import torch


def run(f, *arguments, **options):
    g = torch.compile(f, backend="eager", **options)
    print(f.__name__)
    for a in arguments:
        print(g(*a))


def ends(x):
    return x[[0, x.shape[0] - 1]]


def corner(x):
    return x[[0, x.shape[0] - 1], [x.shape[1] - 1, 0]]


def at(x, k):
    return x[[0, k]] * 2


def literal(x):
    n = x.shape[0]
    return torch.tensor([[0, n - 1], [n, 2 * n]]) + x.sum()


def mixed(x):
    n = x.shape[0]
    return torch.tensor([0.5, n, True]) * 2


def assigned(x):
    y = torch.zeros(2)
    y[:] = torch.tensor([x.shape[0], 1])
    z = x.clone()
    z[[0, x.shape[0] - 1]] = 9.0
    return y, z


rows = [(torch.arange(float(n)),) for n in (5, 7, 3, 12)]
run(ends, *rows)
run(ends, *rows, dynamic=True)
run(corner, *[(torch.arange(n * 3.0).reshape(n, 3),) for n in (4, 6, 5)], dynamic=True)
run(at, *[(torch.arange(9.0), k) for k in (2, 3, 4, 8)])
run(literal, *rows, dynamic=True)
run(mixed, *rows, dynamic=True)
run(assigned, *rows, dynamic=True)
