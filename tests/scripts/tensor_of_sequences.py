# torch.tensor of what is indexed and has a length, though it is no list.
from collections import deque

import torch


class Squares:
    def __init__(self, count):
        self.count = count

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        if index >= self.count:
            raise IndexError(index)
        return index * index


class Mapping:
    def __getitem__(self, key):
        return 1


returns = deque()
for value in (1.0, 2.0, 0.5):
    returns.appendleft(value)
print(torch.tensor(returns), torch.tensor(deque([(1, 2), (3, 4)])), torch.tensor([deque([1]), [2]]))
print(torch.tensor(Squares(5)), torch.tensor([Squares(3), Squares(3)]), torch.as_tensor(deque([True, False])))
print(torch.tensor(deque()), torch.tensor(deque([1, 2], maxlen=1), dtype=torch.float64))
for wrong in (deque(["a"]), [deque([1, 2]), deque([3])]):
    try:
        print(torch.tensor(wrong))
    except (ValueError, TypeError, RuntimeError) as error:
        print(type(error).__name__)


@torch.compile
def step(x, rewards):
    return x * torch.tensor(rewards).sum()


print(step(torch.ones(2), [1.0, 2.0]), step(torch.ones(2), [1.0, 3.0]))
