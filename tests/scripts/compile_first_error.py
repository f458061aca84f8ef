"""Of two errors in one region the one comes that eager execution comes to first."""
import sys

import torch

# PyTorch's compiler does not keep this order: there the functions run eagerly.
compiled = torch.compile(disable="Glint" not in sys.version)

calls = []


@compiled
def later_attribute(x, i):
    y = x[i] + 1
    return y.nothing


@compiled
def later_raise(x, i):
    calls.append(len(calls))
    y = x.gather(0, i)
    if len(calls) > 0:
        raise ValueError("later")
    return y


@compiled
def caught(x, i):
    try:
        y = x[i]
        return y.nothing
    except AttributeError:
        return x + 1


@compiled
def around(x, i):
    try:
        return later_raise(x, i)
    except ValueError as error:
        return x.sum(), str(error)


@compiled
def divided(x, i):
    y = x.long() // i
    return y + torch.ones(2, 5)


@compiled
def after_a_break(x, i):
    n = x.sum().item()
    y = x[i] * n
    raise KeyError(n)


@compiled
def drawn(x, i):
    y = torch.rand(3)[i]
    return torch.rand(2) + torch.rand(5)


for f in (later_attribute, later_raise, caught, around, divided, after_a_break, drawn):
    for places in ([0, 1, 2], [0, 1, 7], [0, 1, 2]):
        torch.manual_seed(1)
        try:
            print(f.__name__, f(torch.arange(3.0), torch.tensor(places)), calls)
        except Exception as error:
            print(f.__name__, type(error).__name__, error, calls)
        print(torch.rand(1))
