# torch.utils.checkpoint: the gradients of the part, which runs once more in the backward.
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint, checkpoint_sequential

torch.manual_seed(0)
linear = nn.Linear(2, 2)
runs = []


def block(x, k=1):
    runs.append(k)
    return torch.tanh(linear(x)) * k


x = torch.ones(3, 2, requires_grad=True)
y = checkpoint(block, x, use_reentrant=False)
print(y.shape, y.requires_grad, len(runs))
y.sum().backward()
print(x.grad, linear.weight.grad, linear.bias.grad, len(runs))

linear.zero_grad()
y = checkpoint(block, x, use_reentrant=False, k=2)
print(torch.autograd.grad(y.sum(), [linear.weight, x]), runs)
try:
    checkpoint(block, x, use_reentrant=True, k=2)
except ValueError as error:
    print(error)

y = checkpoint(block, x.detach(), use_reentrant=False)
y.sum().backward()
print(linear.weight.grad)

# A value from before that the part reads besides its arguments.
linear.zero_grad()
before = x * 2
x.grad = None
y = checkpoint(lambda v: block(v) * before, x * 3, use_reentrant=False)
(y.sum() + before.sum()).backward()
print(x.grad, linear.bias.grad)

# The same random numbers as before, and none are used up.
dropout = nn.Dropout(0.5)
for part in (lambda v: dropout(linear(v)),
             lambda v: checkpoint(lambda u: dropout(linear(u)), v, use_reentrant=False)):
    torch.manual_seed(3)
    y = part(x)
    gradient, = torch.autograd.grad(y.sum(), x)
    print(y.tolist(), gradient, torch.rand(1))


def several(a, b):
    return a * 2, b.detach(), 3


a, b, c = checkpoint(several, x, x, use_reentrant=False)
print(a.requires_grad, b.requires_grad, c)
with torch.no_grad():
    print(checkpoint(block, x, use_reentrant=False).requires_grad)

net = nn.Sequential(nn.Linear(2, 2), nn.Tanh(), nn.Linear(2, 1))
checkpoint_sequential(net, 2, x, use_reentrant=False).sum().backward()
print(net[0].weight.grad)

# Derivatives of derivatives, also where one argument is made of another.
y = checkpoint(lambda v: v ** 3, x, use_reentrant=False)
first, = torch.autograd.grad(y.sum(), x, create_graph=True)
print(torch.autograd.grad(first.sum(), x))
y = checkpoint(lambda u, v: u * v * v, x, x * 2, use_reentrant=False)
first, = torch.autograd.grad(y.sum(), x, create_graph=True)
print(first, torch.autograd.grad(first.sum(), x))
