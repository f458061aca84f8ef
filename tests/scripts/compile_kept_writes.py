# What a call has kept may not be written before its gradient is asked for: also where that gradient
# meets a zero on its way, so that nobody would read what was kept.
import torch


def show(name, f, *arguments):
    try:
        f(*arguments)
        print(name, "fine", [None if a.grad is None else a.grad.tolist() for a in arguments])
    except RuntimeError as error:
        print(name, str(error).split(":")[0], "version" in str(error))


@torch.compile(backend="eager")
def rounded(x):
    y = x.round().exp()
    print("a break")
    y[0] = 0.5
    y.sum().backward()


@torch.compile(backend="eager")
def zeroed(x):
    y = x * 2
    y.zero_()
    y.relu_()
    print("a break")
    y[0] = 0.5
    y.sum().backward()


@torch.compile(backend="eager")
def read_by_another(x):
    y = x.floor().sigmoid()
    z = x * 3
    print("a break")
    y[0] = 0.5
    z.sum().backward()


@torch.compile(backend="eager")
def argument_written(x, w):
    y = (x.detach() * w).sign() * w.detach()
    z = x.ceil().sin()
    print("a break")
    with torch.no_grad():
        w.add_(1)
    (y.sum() + z.sum()).backward()


@torch.compile(backend="eager")
def left_alone(x):
    y = x.round().exp()
    print("a break")
    z = y * 2
    z[0] = 0.5
    z.sum().backward()


for f in (rounded, zeroed, read_by_another, left_alone):
    for _ in range(2):
        show(f.__name__, f, torch.tensor([0.25, -1.5, 2.0], requires_grad=True))
for _ in range(2):
    show(
        "argument_written",
        argument_written,
        torch.tensor([0.25, -1.5], requires_grad=True),
        torch.tensor([2.0, 3.0], requires_grad=True),
    )
