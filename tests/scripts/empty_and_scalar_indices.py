# Iterating tensors without rows, masks without dimensions, values that cannot be assigned, and
# results that show nobody's memory; eagerly and compiled.
import torch


def attempt(function, *arguments):
    try:
        return function(*arguments)
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def rows(x):
    return len([r for r in x]), list(x), [*x], x.unbind(0), list(zip(x, x))


def masked(x):
    x = x * 1
    x[x.sum() > 0] = 0
    return x


def scalar_masked(t):
    t = t.sum()
    t[t > 0] -= 1
    return t


def taken(x):
    return x[torch.tensor(True)].shape, x[x.sum() < 0].shape, x[:, torch.tensor(False)].shape


def added(x):
    x = x * 1
    x[torch.tensor(True)] += 1
    return x


def found(x, v):
    return v in x, v not in x


def viewed(x, k):
    return x.view(-1, k).shape


for function, inputs in (
    (rows, [(torch.ones(0, 3),), (torch.ones(2, 0),)]),
    (masked, [(torch.ones(2),), (-torch.ones(2, 2),)]),
    (scalar_masked, [(torch.ones(3),), (torch.zeros(3),)]),
    (taken, [(torch.ones(2, 3),)]),
    (added, [(torch.ones(2, 3),)]),
    (found, [(torch.tensor([1.0, 2.0]), 1.0), (torch.tensor([1.0, 2.0]), 5.0)]),
):
    for form in (function, torch.compile(function, backend="eager")):
        for given in inputs:
            print(function.__name__, attempt(form, *given))

for k in (2, 3, 4, 0):
    print(attempt(viewed, torch.ones(12), k))

x = torch.ones(2, 2)
for key in (0, slice(None), torch.tensor([0]), [0], x > 0):
    for value in ([1, 2], (1, 2), "a", None):
        print(attempt(x.__setitem__, key, value))
print(attempt(x.long().__setitem__, 0, [1, 2]))

# Nobody's views: a write to a part of them is a write to themselves.
w = torch.arange(1.0, 5.0).requires_grad_()
square = torch.arange(16.0).reshape(4, 4)
for make in (
    lambda w: w.roll(1), lambda w: square @ w, lambda w: w @ square, lambda w: w.repeat(2),
    lambda w: w.tile(2), lambda w: w.take(torch.tensor([0, 2])), lambda w: torch.diag(w),
):
    y = make(w)
    print(y._base is None, make(w.detach())._base is None)
    y[0] = 0
    w.grad = None
    y.sum().backward()
    print(w.grad)

# A write to a result that the backward does not read.
for function in (lambda a: a / (a + 1), lambda a: a * 3):
    for form in (function, torch.compile(function, backend="eager")):
        w.grad = None
        y = form(w)
        y[0] = 0
        y.sum().backward()
        print(w.grad)
