# tolerance: 1e-5
# A hook that raises in the middle of a backward: the gradients that had arrived before it stay, and
# no others are there.
import torch
from torch import nn


def fails(gradient):
    raise ValueError("hook")


def attempt(name, leaves, run):
    for call in range(3):
        for leaf in leaves:
            leaf.grad = None
        try:
            run().backward()
        except ValueError as error:
            print(name, error, [None if leaf.grad is None else leaf.grad.flatten().tolist()[:2]
                                for leaf in leaves])


u, v, w = [torch.tensor([0.5, 2.0], requires_grad=True) for _ in range(3)]
x = torch.ones(2)


def chain():
    return ((x * w) * v * u).sum()


def branches():
    return (torch.exp(x * w) + torch.sin(x * v) * u).sum()


def shared():
    return (w * w * v + u * w).sum()


def three():
    return torch.addcmul(u, v, w).sum()


for leaf, place in [(u, "u"), (v, "v"), (w, "w")]:
    handle = leaf.register_hook(fails)
    for body in (chain, branches, shared, three):
        attempt(f"{body.__name__} {place}", [u, v, w], body)
    handle.remove()
    handle = leaf.register_post_accumulate_grad_hook(fails)
    attempt(f"accumulated {place}", [u, v, w], branches)
    handle.remove()

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 3), nn.Tanh(), nn.Linear(3, 1))
leaves = list(net.parameters())
for number, leaf in enumerate(leaves):
    handle = leaf.register_hook(fails)
    attempt(f"parameter {number}", leaves, lambda: net(torch.ones(4, 2)).sum())
    handle.remove()


def hooked():
    hidden = torch.exp(x * w)
    hidden.register_hook(fails)
    return (hidden * v + u).sum()


attempt("result", [u, v, w], hooked)


class Fails(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, gradient):
        raise ValueError("backward")


attempt("function", [u, v, w], lambda: (Fails.apply(x * w) * v * u).sum())
