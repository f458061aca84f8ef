# Compiled, tensors share memory exactly where they do in eager execution: writes through views and
# through operators with nothing to do reach the argument, and copies stay copies.
# PyTorch's own compiler gives `(x * 1)[0]` as a view of x: its eager execution is what is recorded.
import os

os.environ["TORCHDYNAMO_DISABLE"] = "1"

import torch
import torch.nn.functional as F


@torch.compile
def halves(y):
    first, second = y.chunk(2)
    first.mul_(10)
    second += 1
    return y.sum()


@torch.compile
def centred(x):
    x = x.contiguous()
    x -= x.mean()
    return x


@torch.compile
def pieces(y):
    for piece in y.split(1):
        piece.fill_(7.0)
    return y


@torch.compile
def rows(y):
    for row in y.unbind(0):
        row.mul_(3)
    for row in y:
        row += 1
    return y


x = torch.ones(4)
print(halves(x), x)
x = torch.arange(3.0)
print(centred(x) is x, x)
print(pieces(torch.ones(3)))
print(rows(torch.ones(3, 2)))

# Each gives its argument back, or does not.
NOTHING_TO_DO = {
    "contiguous": lambda y: y.contiguous(),
    "contiguous of a transpose": lambda y: y.t().contiguous(),
    "to dtype": lambda y: y.to(torch.float32),
    "to other": lambda y: y.to(torch.ones(1)),
    "to float64": lambda y: y.to(torch.float64),
    "float": lambda y: y.float(),
    "cpu": lambda y: y.cpu(),
    "type_as": lambda y: y.type_as(torch.ones(2)),
    "dropout of nothing": lambda y: F.dropout(y, 0.0),
    "dropout in evaluation": lambda y: F.dropout(y, 0.5, training=False),
    "alias": lambda y: y[:],
    "detach": lambda y: y.detach(),
    "clone": lambda y: y.clone(),
}
for name, operation in NOTHING_TO_DO.items():

    @torch.compile
    def same(y):
        z = operation(y)
        w = y * 2
        v = operation(w)
        is_same = v is w
        v.mul_(3)
        return z, z is y, is_same, w

    for _ in range(2):
        x = torch.arange(6.0).view(2, 3)
        z, is_same, inside, w = same(x)
        z.zero_()
        print(name, is_same, z is x, inside, x.tolist(), w.tolist())

# What a copy gives is no view of the argument, however it is looked at afterwards.
COPIES = {
    "clone": lambda y: y.clone(),
    "times one": lambda y: y * 1,
    "by one": lambda y: y / 1,
    "less nothing": lambda y: y - 0,
    "to the first": lambda y: y**1,
    "negative twice": lambda y: -(-y),
    "there and back": lambda y: y.double().float(),
    "where": lambda y: torch.where(torch.tensor(True), y, y),
    "clamp": lambda y: y.clamp(min=-1e9),
    "abs twice": lambda y: y.abs().abs(),
    "cat": lambda y: torch.cat([y]),
    "stack": lambda y: torch.stack([y])[0],
    "repeat": lambda y: y.repeat(1, 1),
    "roll": lambda y: y.roll(0),
    "flip": lambda y: y.flip(()),
    "sum of one": lambda y: y.unsqueeze(0).sum(0),
}
VIEWS = {
    "itself": lambda y: [y],
    "row": lambda y: [y[0]],
    "rest": lambda y: [y[1:]],
    "turned": lambda y: [y.t()],
    "flat": lambda y: [y.view(-1)],
    "parts": lambda y: list(y.unbind(0)),
    "both": lambda y: [y, y[0]],
}
for name, copy in COPIES.items():
    for way, view in VIEWS.items():

        @torch.compile
        def f(y):
            return view(copy(y))

        for _ in range(2):
            x = torch.arange(1.0, 5.0).view(2, 2)
            results = f(x)
            for result in results:
                result.add_(10)
            if x.tolist() != [[1.0, 2.0], [3.0, 4.0]]:
                print(name, way, "writes to the argument", x.tolist())
    print(name, [result.tolist() for result in results])


@torch.compile
def shift(x):
    """A shifted copy, as somebody writes it."""
    out = x.clone().view(-1)
    out[1:] += out[:-1].clone()
    return out.view_as(x)


@torch.compile
def copied(x, y):
    z = x * 2
    z.copy_(y)
    z.add_(1)
    return z


x = torch.ones(2, 3)
print(shift(x), x)
x, y = torch.ones(2), torch.zeros(2)
print(copied(x, y), copied(x, y), y)


@torch.compile
def constants():
    t = torch.tensor([1.0, 2.0])
    return t, t[1:]


for _ in range(3):
    t, v = constants()
    t.add_(5)
    print(t, v)
