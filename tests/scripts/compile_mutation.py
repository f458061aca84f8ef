# tolerance: 1e-5
# Effects under compilation: in-place writes, views, appended lists, changed attributes, prints.
import torch

log = []


class State:
    def __init__(self):
        self.calls = 0
        self.last = None


state = State()


@torch.compile
def f(x):
    x.add_(1)
    y = x.view(-1)
    y[0] = 100.0
    log.append(len(log))
    state.calls += 1
    state.last = y * 2
    return y


for i in range(3):
    x = torch.zeros(2, 2)
    y = f(x)
    print(x, y, log, state.calls, state.last, y.data_ptr() == x.data_ptr())


@torch.compile
def g(x, out):
    print("in g")
    out.copy_(x * 3)
    return out


target = torch.zeros(2)
print(g(torch.ones(2), target) is target, target, g(torch.ones(2) * 2, target))


@torch.compile
def h(x):
    a = x[0]
    b = x + 1
    x[0] = -5
    return a, b


x = torch.tensor([1.0, 2.0])
print(h(x), x, h(x), x)
