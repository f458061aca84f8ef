"""Breaks inside a context manager's own methods: the block is entered and left each time."""

import torch


class Loud:
    def __init__(self, log):
        self.log = log

    def __enter__(self):
        self.log.append("enter")
        print("enter", len(self.log))
        return 3

    def __exit__(self, kind, value, traceback):
        print("exit", kind)
        self.log.append("exit")


class Measured:
    def __init__(self, x):
        self.x = x

    def __enter__(self):
        self.total = self.x.sum().item()
        return self

    def __exit__(self, *details):
        print("left with", self.total + self.x.sum().item())
        return True


log = []


@torch.compile(backend="eager")
def plain(x):
    y = x
    with Loud(log) as k:
        y = x * k
    return y


@torch.compile(backend="eager")
def nested(x):
    with Loud(log), Measured(x) as m:
        x = x + m.total
    return x * 2


@torch.compile(backend="eager")
def swallowed(x):
    with Measured(x):
        x = x + 1
        raise ValueError("inside")
    return x


@torch.compile(backend="eager")
def without_grad(x):
    class Off:
        def __enter__(self):
            print("off")
            self.before = torch.is_grad_enabled()
            torch.set_grad_enabled(False)

        def __exit__(self, *details):
            torch.set_grad_enabled(self.before)

    with Off():
        y = x * 2
    return y, x * 3


for size in (4, 4, 5):
    x = torch.arange(float(size))
    print(plain(x), nested(x), swallowed(x))
w = torch.ones(2, requires_grad=True)
for _ in range(3):
    y, z = without_grad(w)
    print(y.requires_grad, z.requires_grad, torch.is_grad_enabled())
print(log)
