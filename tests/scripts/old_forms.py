# What code of before PyTorch 1.0 says, and what such scripts import.
import warnings

import torch
import torch.backends.cudnn as cudnn
import torch.nn as nn
from collections import namedtuple
from torch.utils.data import DataLoader, Dataset, Sampler, default_collate

warnings.simplefilter("ignore")
cudnn.benchmark = True
print(torch.backends.cudnn.benchmark)
x = torch.tensor([[1.0, 2.0], [3.0, 5.0]])
ones = torch.ones_like(x)
for loss in (nn.MSELoss, nn.L1Loss, nn.SmoothL1Loss, nn.BCEWithLogitsLoss):
    print(loss(size_average=False)(x, ones), loss(reduce=False)(x, ones).shape, loss(size_average=True)(x, ones))
target = torch.tensor([0, 1])
print(nn.CrossEntropyLoss(size_average=False)(x, target), nn.NLLLoss(reduce=False)(x, target))
print(nn.CrossEntropyLoss(size_average=False).reduction, nn.MSELoss(reduce=False).reduction, nn.MSELoss().reduction)
print(nn.Softmax()(x), nn.LogSoftmax()(x[0]), nn.Softmax()(x[None]).shape, nn.Softmin()(x))

# gradients of what is no list
model = nn.Linear(2, 1)
out = model(torch.ones(1, 2)).sum()
print(torch.autograd.grad(out, model.parameters(), retain_graph=True))
print(torch.autograd.grad(out, dict(model.named_parameters()).values(), create_graph=True, only_inputs=True)[1])

# samples that are tuples of texts, and named
Sample = namedtuple("Sample", "x name")
print(default_collate([("a", 1), ("b", 2)]), default_collate([[1, "x"], [2, "y"]]))
print(next(iter(DataLoader([Sample(1, "a"), Sample(3, "b")], batch_size=2))))
print(default_collate([{"name": "a", "x": 1.0}, {"name": "b", "x": 2.0}]))


class Numbers(Dataset[int]):
    def __len__(self):
        return 4

    def __getitem__(self, index: int) -> int:
        return index * index


class Backwards(Sampler[int]):
    def __init__(self, data: Numbers):
        self.data = data

    def __iter__(self):
        return iter(range(len(self.data))[::-1])

    def __len__(self):
        return len(self.data)


def batches(loader: DataLoader[int]):
    return list(loader)


print(batches(DataLoader(Numbers(), batch_size=2, sampler=Backwards(Numbers()))))


class Counting(torch.optim.Optimizer):
    def __init__(self, params, lr=0.1):
        super().__init__(params, {"lr": lr})

    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                self.state[p]["step"] = self.state[p].get("step", 0) + 1


counting = Counting([nn.Parameter(torch.ones(1))])
counting.step()
counting.step()
saved = counting.state_dict()
print(saved)
again = Counting([nn.Parameter(torch.ones(1))])
again.load_state_dict(saved)
again.step()
print(again.state_dict()["state"])
