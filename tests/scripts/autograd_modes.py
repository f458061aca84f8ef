# Grad modes: as contexts, as decorators, nested; detach, leaves, inference mode.
import torch


def attempt(what, run):
    try:
        print(what, run())
    except Exception as error:
        print(f"{what}: {type(error).__name__}: {error}")


x = torch.tensor([1.0, -2.0], requires_grad=True)


@torch.no_grad()
def silent(a):
    return a * 2


@torch.enable_grad()
def loud(a):
    return a * 2


@torch.set_grad_enabled(False)
def off(a):
    return a * 3


@torch.no_grad
def bare(a):
    "Doubles."
    return a * 2


@torch.inference_mode()
def infer(a):
    return a * 2


print(silent(x), loud(x), bare(x), bare.__name__, bare.__doc__)
torch.set_grad_enabled(True)
print(off(x), torch.is_grad_enabled())
with torch.no_grad():
    print(torch.is_grad_enabled(), (x * 2).requires_grad, loud(x).requires_grad)
    with torch.enable_grad():
        print(torch.is_grad_enabled(), (x * 2).requires_grad)
    with torch.set_grad_enabled(True):
        print((x * 2).requires_grad)
    print(torch.is_grad_enabled(), torch.zeros(2, requires_grad=True).requires_grad)
print(torch.is_grad_enabled())
torch.set_grad_enabled(False)
print(torch.is_grad_enabled(), (x * 2).requires_grad)
torch.set_grad_enabled(mode=True)
print(torch.is_grad_enabled())
try:
    with torch.no_grad():
        raise ValueError("left by an exception")
except ValueError as error:
    print(error, torch.is_grad_enabled())

y = infer(x)
with torch.inference_mode():
    print(torch.is_inference_mode_enabled(), torch.is_grad_enabled())
    with torch.inference_mode(False):
        print(torch.is_inference_mode_enabled())

d = (x * 2).detach()
print(d.requires_grad, d.is_leaf, d.grad_fn)
shared = x.detach()
shared[0] = 9.0
print(x, x.data, x.data.requires_grad)
z = x * 2
z.detach_()
print(z, z.requires_grad, z.is_leaf)
leaf = torch.zeros(2)
print(leaf.is_leaf, leaf.requires_grad, leaf.requires_grad_().is_leaf, (leaf + 1).is_leaf)
leaf.requires_grad = False
print(leaf, leaf.requires_grad)
x.data = torch.tensor([3.0, 4.0])
print(x, x.is_leaf)
(x * x).sum().backward()
print(x.grad, x.grad.requires_grad)
copy = x.clone()
print(copy, copy.is_leaf, copy.grad_fn.name())
print(x.new_zeros(2, requires_grad=True))
print(torch.ones_like(x), torch.ones_like(x, requires_grad=True))
print(torch.argmax(x), (x > 1), x.long())
