# An object that a region's write lets die may reset the compiler, while the region still goes on.
import torch
import torch._dynamo


class Resets:
    def __del__(self):
        torch._dynamo.reset()


class Holder:
    pass


holder = Holder()


def breaks(x):
    y = x + 1
    holder.held = None
    print("break", y.sum())
    return y * 2


def returns(x):
    y = x * 3
    holder.held = None
    return y


breaking = torch.compile(breaks, backend="eager")
returning = torch.compile(returns, backend="eager")
for i in range(4):
    holder.held = Resets()
    print(breaking(torch.full((3,), float(i))))
    holder.held = Resets()
    print(returning(torch.full((3,), float(i))))


# A hook of the gradient that is replaced holds such an object.
def watched(w):
    w.grad = torch.autograd.grad((w * w * w).sum(), w, create_graph=True)[0]
    held = Resets()
    w.grad.register_hook(lambda g: g if held else None)


def step(w):
    g = torch.autograd.grad((w * w).sum(), w)[0]
    w.grad = g
    return g + 1


stepping = torch.compile(step, backend="eager")
for i in range(3):
    w = torch.ones(3, requires_grad=True)
    watched(w)
    print(stepping(w), w.grad)
