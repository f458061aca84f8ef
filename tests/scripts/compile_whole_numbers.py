# Whole numbers made of changing floats: what is compiled holds as long as they are what they were.
import math

import torch
from torch import nn
from torch._dynamo.utils import counters


def count(name, f, values):
    torch._dynamo.reset()
    counters.clear()
    compiled = torch.compile(f, backend="eager")
    x = torch.ones(3)
    same = all(torch.equal(compiled(x, v), f(x, v)) for v in values)
    few = counters["stats"]["unique_graphs"] < len(values)
    print(name, same, few)


count("floor", lambda x, n: x * 0.5 ** math.floor(n / 8), range(2, 18))
count("int", lambda x, n: x * 0.5 ** int(n / 8), range(2, 18))
count("ceil", lambda x, v: x * (1.5 + math.ceil(v)), [0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
count("trunc", lambda x, v: x + (v - math.trunc(v)), [1.25, -2.5, 3.75, 4.5, -5.25, 6.125])
count("round", lambda x, v: x + (v - round(v)), [1.25, -2.5, 3.75, 4.5, -5.25, 6.125])
count("index", lambda x, v: x * [1.0, 2.0, 3.0][int(v)], [0.1, 0.2, 0.3, 0.4, 0.5, 1.5])
count("branch", lambda x, v: x + 1 if int(v) % 2 else x * 2, [0.1, 0.2, 0.3, 0.4, 1.5, 1.25])
count("size", lambda x, v: torch.ones(1 + int(v)) * v, [0.1, 0.2, 0.3, 1.4, 1.5, 1.25])
count("shown", lambda x, v: x * len(f"{math.floor(v)}"), [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 11.5])


class Count:
    floor = 0


def kept(x, v):
    Count.floor = math.floor(v)
    return x * (v - Count.floor)


compiled = torch.compile(kept, backend="eager")
for v in [0.25, 1.5, 2.75, 1e15, 3.5]:
    value = compiled(torch.ones(2), v)
    print(value, Count.floor == math.floor(v), type(Count.floor).__name__)
for v in [float("inf"), float("nan")]:
    try:
        compiled(torch.ones(2), v)
    except (OverflowError, ValueError) as error:
        print(type(error).__name__, error)


def train(make):
    torch.manual_seed(0)
    net = nn.Linear(4, 2)
    optimizer, scheduler = make(net)

    @torch.compile(backend="eager")
    def step(x):
        optimizer.zero_grad()
        loss = net(x).pow(2).mean()
        loss.backward()
        optimizer.step()
        scheduler.step()
        return loss

    losses = [step(torch.ones(3, 4)).item() for _ in range(30)]
    print(f"{losses[0]:.5f} {losses[9]:.5f} {losses[29]:.5f}", round(scheduler.get_last_lr()[0], 6))


def one_cycle(net):
    optimizer = torch.optim.AdamW(net.parameters(), lr=0.01)
    return optimizer, torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.05, total_steps=40)


def cyclic(net):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.9)
    return optimizer, torch.optim.lr_scheduler.CyclicLR(optimizer, 0.01, 0.05, 5)


train(one_cycle)
train(cyclic)

for v in [2.0**53, float("nan"), float("-inf")]:
    torch._dynamo.reset()
    try:
        print(torch.compile(lambda r: int(r), backend="eager")(v))
    except (OverflowError, ValueError) as error:
        print(type(error).__name__, error)
