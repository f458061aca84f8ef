# Views of a leaf that was written without a history: their histories are as if made anew.
import torch
w = torch.ones(2, 2, requires_grad=True)
x = torch.ones(1, 2, requires_grad=True)
y = torch.nn.functional.linear(x, w).sum()
with torch.no_grad():
    w.add_(1)
try:
    y.backward()
except RuntimeError as error:
    print(error)
v = w[0]
with torch.no_grad():
    w.mul_(2)
print(v.grad_fn.name())
(v * 3).sum().backward()
print(w.grad)
a, b = w.unbind()
with torch.no_grad():
    w.mul_(2)
try:
    print((a * 2).sum())
except RuntimeError as error:
    print(error)
for make in [
    lambda: torch.nn.Parameter(torch.arange(3)),
    lambda: torch.nn.Parameter(torch.ones(2, dtype=torch.bool)),
    lambda: torch.autograd.grad(w.sum(), [3]),
    lambda: torch.nn.Parameter(torch.arange(3), requires_grad=False),
]:
    try:
        print(make())
    except (RuntimeError, TypeError) as error:
        print(type(error).__name__, error)
