# Data sets made of others, and neighbours that are told apart by rows.
import torch
from torch.optim.optimizer import Optimizer, required
from torch.utils.data import ChainDataset, DataLoader, IterableDataset, StackDataset, TensorDataset


class Squares(IterableDataset):
    def __init__(self, count):
        self.count = count

    def __iter__(self):
        yield from (torch.tensor([i, i * i]) for i in range(self.count))

    def __len__(self):
        return self.count


chain = ChainDataset([Squares(3), Squares(2)])
print(list(DataLoader(chain, batch_size=4)), len(chain))
print(type(Squares(1) + Squares(2)).__name__, [row.tolist() for row in Squares(1) + Squares(2)])


def fails(call):
    try:
        print(call())
    except (ValueError, AssertionError, NotImplementedError, RuntimeError) as error:
        print(type(error).__name__, error)


fails(lambda: list(ChainDataset([[1]])))
words = ["a", "b", "c"]
print(StackDataset(words, [1, 2, 3])[1], len(StackDataset(words)), StackDataset(word=words, n=[4, 5, 6])[2])
print(list(DataLoader(StackDataset(x=torch.arange(3), y=words), batch_size=2)))
print(StackDataset(TensorDataset(torch.arange(2)), words[:2])[0])
fails(lambda: StackDataset(words, [1]))
fails(lambda: StackDataset(words, y=words))
fails(lambda: StackDataset())

x = torch.tensor([[1, 1, 2], [1, 1, 2], [3, 1, 2], [1, 1, 2]])
print(torch.unique_consecutive(x, dim=0), torch.unique_consecutive(x, dim=1, return_inverse=True))
print(torch.unique_consecutive(torch.tensor([1, 1, 2, 2, 1]), dim=-1, return_counts=True))
print(x.unique_consecutive(dim=0, return_inverse=True, return_counts=True))
print(torch.unique_consecutive(torch.ones(2, 2, 3), dim=2).shape, torch.unique_consecutive(torch.ones(0, 2), dim=0))


class Descent(Optimizer):
    def __init__(self, params, lr=required):
        super().__init__(params, dict(lr=lr))


print(required)
parameter = torch.nn.Parameter(torch.ones(1))
fails(lambda: Descent([parameter]))
fails(lambda: Descent([{"params": [parameter], "lr": 0.5}]).param_groups[0]["lr"])
