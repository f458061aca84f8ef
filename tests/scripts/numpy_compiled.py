# Compiled functions that use NumPy give what they give without being compiled.
import numpy as np
import torch


@torch.compile
def scaled(x, factor):
    return torch.relu(x) * factor + np.pi


@torch.compile
def by_way_of_numpy(x):
    y = torch.sin(x)
    n = y.numpy()
    return torch.cos(torch.from_numpy(n * 2)) + x


@torch.compile
def with_table(x, table):
    return x + torch.as_tensor(table[1:]) * table[0]


@torch.compile
def statistic(a):
    return (a - a.mean()) / np.sqrt(a.var() + 1e-5)


x = torch.tensor([-1.0, 0.5, 2.0])
for factor in (np.float64(2.5), np.float32(0.1), np.int64(3), 4, np.float64(-1)):
    print(scaled(x, factor))
for each in (x, x * 2, x.double()):
    print(by_way_of_numpy(each))
for table in (np.array([1., 2., 3., 4.]), np.arange(4), np.array([0.5, 1, 1, 1], dtype=np.float32)):
    print(with_table(x, table))
    table[0] = 7
    print(with_table(x, table))
for a in (np.arange(5.0), np.arange(5), np.array([1.5, 2.5], dtype=np.float32)):
    print(statistic(a), type(statistic(a)).__name__)


class Counter:
    def __init__(self):
        self.seen = np.zeros(3)

    def step(self, x):
        self.seen += x.numpy()
        return x * self.seen.sum()


counter = Counter()
step = torch.compile(counter.step)
for _ in range(3):
    print(step(x), counter.seen)
