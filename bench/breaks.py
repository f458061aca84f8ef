"""What a graph break costs: small functions that are two regions, eager and compiled.

Between the regions stands a branch on a tensor, `.item()`, a write to a list or an attribute, a
call that does one. Where each region holds one operator, the break is most of what compiling can
lose.
"""

import torch
from timing import best, report

torch.set_num_threads(1)
log = []


class Counter:
    def __init__(self):
        self.value = 0


counter = Counter()


def note(y):
    log.append(1)
    log.clear()


def branch(x):
    y = x + 1
    if y.sum() > 0:
        return y * 2
    return y


def loop(x):
    while x.sum() < 20:
        x = x + 1
    return x


def item(x):
    y = x + 1
    return y * y.sum().item()


def attribute(x):
    y = x + 1
    counter.value = 1
    return y * 2


def callee(x):
    y = x + 1
    note(y)
    return y * 2


def longer(x):
    y = torch.relu(x + 1) * 0.5
    counter.value = 1
    return (y * y - x).sum()


x = torch.ones(8)
for f in (branch, loop, item, attribute, callee, longer):
    report(f.__name__, "eager", best(f, x))
    torch._dynamo.reset()
    report(f.__name__, "compiled", best(torch.compile(f), x))
