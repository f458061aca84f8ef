# Gradients that lie in memory in another order than what is added to them, and backward passes that
# a region cannot finish: they are as they were when eager execution goes on.
# tolerance: 1e-5
import warnings

import torch
from torch import nn

warnings.simplefilter("ignore")  # PyTorch's, that such layouts cost time

torch.manual_seed(0)
layer = nn.Linear(8, 1)


def step(x):
    layer(x).pow(2).mean().backward()


step(torch.ones(10, 8))
print(layer.weight.grad.stride())
compiled = torch.compile(step, backend="eager")
for i in range(3):
    compiled(torch.ones(10, 8) * i)
    print(layer.weight.grad, layer.weight.grad.stride())

w = torch.ones(1, 3, requires_grad=True)
a = torch.ones((), requires_grad=True)


@torch.compile(backend="eager")
def twice(x):
    loss = (x @ w.t()).sum() + a
    loss.backward(retain_graph=True)


for i in range(3):
    w.grad = torch.zeros(3, 1).t()
    a.grad = None
    twice(torch.ones(2, 3))
    print(a.grad, w.grad, w.grad.stride())

v = torch.ones(2, 3, 4, requires_grad=True)
u = torch.ones(2, requires_grad=True)


@torch.compile(backend="eager")
def products(x):
    kept = u * 3
    ((x * v).sum((1, 2)) * kept).sum().backward()
    return kept.detach()


shapes = [
    torch.zeros(4, 3, 2).permute(2, 1, 0),
    torch.zeros(3, 2, 4).transpose(0, 1),
    torch.zeros(2, 4, 3).transpose(1, 2),
    torch.zeros(2, 3, 8)[:, :, ::2],
    torch.zeros(1, 3, 4).expand(2, 3, 4).clone(),
    torch.zeros(2, 3, 4),
]
for gradient in shapes:
    u.grad = None
    v.grad = gradient
    print(products(torch.ones(2, 3, 4)), u.grad)
    print(v.grad.sum((0, 1)), v.grad.stride())

# In-place writes of other layouts.
for layout in [torch.ones(3, 2).t(), torch.ones(1, 3), torch.ones(3, 1).t(), torch.ones(2, 3, 1)]:
    torch._dynamo.reset()

    @torch.compile(backend="eager")
    def shift(x):
        x.add_(1)
        x.mul_(x.exp())
        return x.stride(), x.sum()

    for i in range(2):
        print(shift(layout), layout, layout.stride())

# What a leaf's gradient is laid out as: as the leaf, where that has no gaps.
for leaf in [
    torch.ones(3, 2).t(),
    torch.ones(4, 3, 2).permute(2, 0, 1),
    torch.ones(2, 6)[:, ::2],
    torch.ones(1, 4).t(),
    torch.ones(2, 3),
]:
    leaf.requires_grad_()
    factor = torch.ones(leaf.shape)
    torch._dynamo.reset()

    @torch.compile(backend="eager")
    def scale(factor):
        (leaf * factor * 2).sum().backward()

    for i in range(3):
        leaf.grad = None
        scale(factor) if i else (leaf * factor * 2).sum().backward()
        print(leaf.stride(), leaf.grad.stride(), leaf.grad.sum())
first = torch.ones(8, 3, requires_grad=True)
second = torch.ones(3, 1, requires_grad=True)
third = torch.ones(1, 5, requires_grad=True)
(first @ second @ third).sum().backward()
print(first.grad.stride(), second.grad.stride(), third.grad.stride())

# Gradients that stay and become zeros: one region too.
net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
optimizer = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.5)
kept = []


@torch.compile(backend="eager")
def train(x):
    optimizer.zero_grad(set_to_none=False)
    loss = net(x).sum()
    loss.backward()
    optimizer.step()
    return loss


for i in range(5):
    print(train(torch.ones(3, 4)).item())
    kept.append(net[0].weight.grad)
print(all(each is kept[0] for each in kept))
net.zero_grad(set_to_none=False)
print(kept[0].abs().sum())
del net[0].weight.grad
print(net[0].weight.grad)
parameters = nn.ParameterDict({"z": nn.Parameter(torch.ones(1)), "a": nn.Parameter(torch.ones(1))})
print(list(parameters.keys()), list(nn.ParameterDict(parameters)))
parameters.update([("y", nn.Parameter(torch.ones(1))), ("b", nn.Parameter(torch.ones(1)))])
print(list(parameters.keys()))
