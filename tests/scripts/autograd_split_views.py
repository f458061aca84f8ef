# Views that come several at a time have no history once their base was written.
import torch


def attempt(name, f):
    try:
        print(name, f())
    except RuntimeError as error:
        print(name, error)


def made():
    return torch.arange(4.0, requires_grad=True) * 2


cuts = {
    "chunk": lambda y: y.chunk(2),
    "split": lambda y: y.split(2),
    "unbind": lambda y: y.unbind(0),
    "iteration": lambda y: tuple(y),
    "tensor_split": lambda y: y.tensor_split(2),
}
for name, cut in cuts.items():
    for which in (0, 1):
        y = made()
        part = cut(y)[which]
        y.add_(1)
        attempt(name + " used", lambda: part * 2)
        attempt(name + " looked at", lambda: type(part.grad_fn).__name__)
        attempt(name + " leaf", lambda: part.is_leaf)
        attempt(name + " written", lambda: part.add_(1))
        attempt(name + " seen", lambda: part.view(-1))
        print(part.detach(), part.tolist())

# One view at a time has one.
y = made()
part = y[1:3]
y.add_(1)
print((part * 2).sum().item(), type(part.grad_fn).__name__)

# So have parts that were used before, and parts of what has no history.
y = made()
a, b = y.chunk(2)
z = a + b
y.add_(1)
z.sum().backward()
print(z)
y = torch.arange(4.0)
a, b = y.chunk(2)
y.add_(1)
print(a * b, a.grad_fn)
with torch.no_grad():
    y = made()
    a, b = y.chunk(2)
    y.add_(1)
    print(a * b)


@torch.compile(backend="eager")
def cut_and_written(x):
    y = x * 2
    a, b = y.chunk(2)
    y.add_(1)
    return a.detach() + b.detach()


for _ in range(2):
    print(cut_and_written(torch.arange(4.0)))
