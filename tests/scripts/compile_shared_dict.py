# Instances that share their attributes (`self.__dict__ = shared`): what compiled code writes to one
# of them is read from the others, and stays.
import torch


class Shared:
    state = {"log": 0}

    def __init__(self):
        self.__dict__ = self.state


@torch.compile
def write_one(a, b, x):
    a.count = 5
    b.count = b.count + 1
    y = x * a.count
    a.other = y
    return y + b.other


@torch.compile
def make_two(x):
    a = Shared()
    b = Shared()
    a.n = x + 1
    b.log += 1
    return b.n * 2 + a.log


first, second = Shared(), Shared()
x = torch.ones(2)
for _ in range(3):
    print(write_one(first, second, x), first.count, second.count)
    print(make_two(x), Shared.state)
