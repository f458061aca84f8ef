"""index_select of tensors of every rank, and what it refuses in which words."""
import torch


def attempt(shape, dim, index):
    x = torch.arange(float(torch.Size(shape).numel())).reshape(shape)
    try:
        print(shape, dim, index, x.index_select(dim, torch.tensor(index, dtype=torch.int64)).tolist())
    except (RuntimeError, IndexError) as error:
        print(shape, dim, index, type(error).__name__, error)


for shape in ((), (3,), (3, 2), (2, 3, 2), (0,), (0, 3), (3, 0)):
    for dim in range(max(1, len(shape))):
        for index in ([5], [-1], [0], [], [0, 0], 0):
            attempt(shape, dim, index)
attempt((), 1, [0])
attempt((3,), 0, [[1]])


@torch.compile
def chosen(x, index):
    return x.index_select(0, index) * 2


for x in (torch.tensor(3.0), torch.ones(3)):
    for index in ([0], [1, 0], [0, 7]):
        try:
            print(chosen(x, torch.tensor(index)))
        except (RuntimeError, IndexError):
            print("refused")
