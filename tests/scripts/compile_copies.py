# Copies of objects from outside, made in a compiled function: they follow the object.
import copy

import torch


class Point:
    def __init__(self, v):
        self.v = v
        self.items = [v, [v]]


class Own(Point):
    def __copy__(self):
        return Own(self.v + 1.0)


class Values(list):
    pass


point, own, values = Point(0.0), Own(0.0), Values([1.0])


@torch.compile
def shallow(x):
    return x + copy.copy(point).v


@torch.compile
def deep(x):
    return x + copy.deepcopy(point).v + copy.deepcopy(point).items[1][0]


@torch.compile
def by_method(x):
    return x + copy.copy(own).v


@torch.compile
def subclass(x):
    made = copy.copy(values)
    made.append(1.0)
    return x + made[0] + made.scale + len(made)


@torch.compile
def containers(x):
    a, b = copy.copy(point.items), copy.deepcopy({"v": point.items})
    a.append(5.0)
    b["v"][1].append(2.0)
    return x + a[0] + len(a) + len(b["v"][1])


@torch.compile
def copied(x):
    made = copy.copy(point)
    made.v = made.v * 2.0
    made.extra = x
    return made


for i in range(4):
    point.v = own.v = values[0] = values.scale = float(i)
    point.items[0] = point.items[1][0] = float(i) * 10
    if i == 2:
        point.extra = "more"
    x = torch.ones(1)
    print(shallow(x), deep(x), by_method(x), subclass(x), containers(x))
    made = copied(x)
    print(made.v, made.extra, made.items is point.items, sorted(vars(made)), point.v, values)
