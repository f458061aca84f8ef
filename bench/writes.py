"""One light operator and a write: what a region's journal and guards cost beside the operator.

    def grow(x):              eager: one operator and an append; compiled: the same, never slower
        items.append(x + 1)

The functions are the smallest that write at all: in place, into a list, a global or an attribute.
"""

import torch
from timing import best, report

torch.set_num_threads(1)
torch.manual_seed(0)
items = []
total = 0


class Counter:
    value = 0


counter = Counter()


def in_place(x):
    x.mul_(1)
    return x


def append(x):
    items.append(x)
    return x + 1


def count(x):
    global total
    total += 1
    return x + 1


def attribute(x):
    counter.value = 1
    return x + 1


def keep(x):
    counter.last = x + 1


CASES = {
    "in_place": in_place,
    "append": append,
    "count": count,
    "attribute": attribute,
    "keep": keep,
}
for name, f in CASES.items():
    x = torch.randn(8, 16)
    compiled = torch.compile(f)
    fastest = {"eager": 1e9, "compiled": 1e9}
    for turn in range(8):
        for column, g in {"eager": f, "compiled": compiled}.items():
            items.clear()
            fastest[column] = min(fastest[column], best(g, x, budget=0.02))
    for column, value in fastest.items():
        report(name, column, value)
