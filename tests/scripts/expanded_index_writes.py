# Writes by index into a tensor whose elements share memory: one behind the other, as they come.
import warnings

import torch

warnings.simplefilter("ignore")


def rows(x):
    x[torch.tensor([0, 1])] = torch.tensor([[1.0] * 5, [2.0] * 5])
    return x


def columns(x):
    x[:, torch.tensor([0, 1])] = 7
    return x


def number(x):
    x[torch.tensor(1)] = 5
    return x


def mask_times(x):
    x[x < 2] *= 2
    return x


def mask_plus(x):
    x[x < 2] += 2.5
    return x


def mask_source(x):
    x[x < 2] = torch.tensor([5.0, 6.0, 7.0, 8.0])
    return x


def both(x):
    x[torch.tensor([0, 1]), torch.tensor([3, 3])] = torch.tensor([8.0, 9.0])
    return x


def back_to_old(x):
    x[torch.tensor([0, 1])] = torch.tensor([[9.0], [3.0]])
    return x


def put(x):
    return x.index_put_((torch.tensor([1, 0]),), torch.ones(5))


def add_rows(x):
    return x.index_put_((torch.tensor([0, 1]),), torch.ones(5), accumulate=True)


def add_places(x):
    places = torch.tensor([0, 1, 0]), torch.tensor([0, 0, 4])
    return x.index_put_(places, torch.tensor([3.0, 4.0, 5.0]), accumulate=True)


def add_by_mask(x):
    return x.index_put_((x > 2,), torch.tensor(1.0), accumulate=True)


def too_many(x):
    x[torch.tensor([0, 1])] = torch.ones(3)
    return x


def out_of_range(x):
    x[torch.tensor([0, 2])] = 1
    return x


def scattered(x):
    return x.scatter_(0, torch.tensor([[0, 1]]), 3.0)


def added(x):
    return x.index_add_(0, torch.tensor([0, 1]), torch.ones(2, 5))


for write in (rows, columns, number, mask_times, mask_plus, mask_source, both, back_to_old, put, add_rows,
              add_places, add_by_mask, too_many, out_of_range, scattered, added):
    for run in (write, torch.compile(write, backend="eager")):
        base = torch.arange(5.0)
        try:
            x = run(base.expand(2, 5))
            print(write.__name__, x.tolist(), base.tolist(), x._version, base._version)
        except (RuntimeError, IndexError) as error:
            print(write.__name__, type(error).__name__, error)
x = torch.arange(6.0).reshape(2, 3)[:, None].expand(2, 2, 3)
x[torch.tensor([1, 1]), torch.tensor([0, 1])] = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
print(x)
