# Full backward hooks of modules: what they are called with, and what they give back.
import warnings

import torch
from torch import nn

warnings.simplefilter("ignore")


def listed(gradients):
    return [None if each is None else [round(x, 4) for x in each.flatten().tolist()]
            for each in gradients]


def report(name):
    def hook(module, grad_input, grad_output):
        print(name, type(module).__name__, listed(grad_input), listed(grad_output),
              type(grad_input).__name__, type(grad_output).__name__)
    return hook


torch.manual_seed(0)
net = nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 1))
handles = [m.register_full_backward_hook(report(n)) for n, m in net.named_children()]
x = torch.ones(2, 2)
y = net(x)
print(y.grad_fn.name(), str(y.grad_fn).split(" at ")[0])
y.sum().backward()
print(net[0].weight.grad)

x = torch.ones(2, 2, requires_grad=True)
net(x).sum().backward()
print(x.grad)

nothing = net[1].register_full_backward_hook(lambda module, before, after: (before[0] * 0,))
net.zero_grad()
net(x).sum().backward()
print(net[0].weight.grad)
nothing.remove()
for handle in handles:
    handle.remove()
net.zero_grad()
net(x).sum().backward()
print(net[0].weight.grad, net(x).grad_fn.name())


class Two(nn.Module):
    def forward(self, a, b, k=1):
        return a * b * k, a + b


two = Two()
two.register_full_backward_hook(report("two"))
a = torch.ones(2, requires_grad=True)
b = torch.full((2,), 2.0, requires_grad=True)
p, q = two(a, b, k=3)
p.sum().backward()
print(a.grad, b.grad)
p, q = two(a, b.detach())
(p.sum() + q.sum()).backward()
two.register_full_backward_pre_hook(
    lambda module, after: tuple(None if g is None else g * 10 for g in after))
two.register_full_backward_hook(report("first"), prepend=True)
a.grad = None
p, q = two(a, b.detach())
(p.sum() + q.sum()).backward()
print(a.grad)


def attempt(what, hook):
    module = nn.Tanh()
    module.register_full_backward_hook(hook)
    try:
        module(a * 1).sum().backward()
        print(what, "fine")
    except RuntimeError as error:
        print(what, error)


attempt("one", lambda module, before, after: before[0])
attempt("two", lambda module, before, after: (before[0], None))
attempt("none", lambda module, before, after: None)
with torch.no_grad():
    print(two(a, b)[0].requires_grad)
