# `torch.tensor` of an object whose items its own methods say: with --compile, what they read is read again.
from collections import deque

import torch


class Rewards:
    def __init__(self):
        self.values = [1, 2]

    def __len__(self):
        return 2

    def __getitem__(self, index):
        if index > 1:
            raise IndexError
        return self.values[index]


kept, rewards = deque([1.0, 2.0]), Rewards()


def of_deque(x):
    return x + torch.tensor(kept)


def of_objects(x):
    return x * torch.tensor(rewards) + torch.tensor([rewards, rewards])


for i in range(4):
    print(of_deque(torch.ones(2)), of_objects(torch.ones(2)))
    kept.append(5.0 + i)
    kept.popleft()
    rewards.values[1] += 1


def discounted(values, gamma):
    total, returns = 0.0, deque()
    for value in values[::-1]:
        total = value + gamma * total
        returns.appendleft(total)
    returns = torch.tensor(returns)
    return (returns - returns.mean()) / (returns.std() + 1e-8)


values = [-0.25] * 3
for i in range(4):
    print(discounted(values, 0.5 + i / 8))
    values.append(0.5 * i)
