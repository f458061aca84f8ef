# Views of a call that gives several may not be written: neither behind the end of a region.
import torch


def unbind(x):
    y = x * 1.5
    y.neg_()
    part = y.unbind(0)[1]
    print(end="")
    part.fill_(0.5)
    return y


def chunk(x):
    y = x * 1.5
    y.fill_(1)
    part = y.chunk(2)[0]
    rows = y.t()
    print(end="")
    part += 0.5
    return y, rows


def unwritten(x):
    y = x * 1.5
    parts = y.split(2)
    print(end="")
    parts[1].mul_(2)
    return y


def one_view(x):
    y = x * 1.5
    y.neg_()
    part = y[1]
    print(end="")
    part.fill_(0.5)
    return y


def made(x):
    y = x * 1.5
    y.neg_()
    return y, y.unbind(0)


def outside(x):
    y, parts = made(x)
    parts[0].add_(1)
    return y


def leaf(x):
    x.chunk(2)[0].add_(1)


for function in [unbind, chunk, unwritten, one_view, outside, leaf]:
    for call in range(3):
        x = torch.arange(12.0).reshape(4, 3).requires_grad_()
        try:
            print(function.__name__, function(x))
        except RuntimeError as error:
            print(function.__name__, error)
