# A compiled module's calls see what the module's class, its hooks and its own `forward` became.
import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = 2.0

    def forward(self, x, shift=0.0):
        return x * self.scale + shift


class Other(nn.Module):
    def forward(self, x):
        return x - 1


x = torch.arange(3.0)
net = Net()
compiled = torch.compile(net, backend="eager")
for shift in (1.0, 2.0):
    print(compiled(x, shift), compiled(x), compiled(x, shift=shift))
net.scale = 3.0
print(compiled(x, 1.0), compiled(x, 1.0))

handle = net.register_forward_hook(lambda module, args, result: result + 100)
print(compiled(x, 1.0), compiled(x, 1.0))
handle.remove()
print(compiled(x, 1.0), compiled(x, 1.0))


def of_the_class(self, x, shift=0.0):
    return x * 0 + shift


Net.forward = of_the_class
print(compiled(x, 1.0), compiled(x, 5.0))
net.forward = lambda x, shift: x + 10 * shift
print(compiled(x, 1.0), compiled(x, 1.0))
del net.forward
print(compiled(x, 1.0), compiled(x, 1.0))


class Counted(nn.Module):
    calls = 0

    def __call__(self, x):
        Counted.calls += 1
        return super().__call__(x)

    def forward(self, x):
        return x.sin()


counted = torch.compile(Counted(), backend="eager")
print(counted(x), counted(x), Counted.calls)

several = [torch.compile(module, backend="eager") for module in (Net(), Other(), Net())]
for _ in range(3):
    print([module(x).tolist() for module in several])
for wrong in ((), (x, 1.0, 2.0)):
    try:
        compiled(*wrong)
    except TypeError as error:
        print(str(error)[-70:])

# Hooks of the compiled module itself, and handles that nobody keeps.
outer = torch.compile(Other(), backend="eager")
outer.register_forward_pre_hook(lambda module, args: (args[0] + 1,))
outer.register_forward_hook(lambda module, args, result: result * 3)
print(outer(x), outer(x))
counted = Other()
for k in range(4):
    counted.register_forward_hook(lambda module, args, result, k=k: result + 10**k)
print(len(counted._forward_hooks), counted(x))


# A leaf made in a compiled function requires its gradient at each call.
def made(size):
    leaf = torch.ones(size, requires_grad=True)
    (leaf * torch.arange(float(size))).sum().backward()
    return leaf, torch.zeros(2, requires_grad=True).requires_grad


form = torch.compile(made, backend="eager")
for _ in range(3):
    leaf, required = form(3)
    print(leaf.requires_grad, leaf.grad, required)
