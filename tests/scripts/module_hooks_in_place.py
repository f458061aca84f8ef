# tolerance: 1e-5
# Modules with full backward hooks, and modules that write in place beside them: what the hooks' own
# functions give may not be written while gradients are recorded.
import warnings

import torch
from torch import nn

warnings.simplefilter("ignore")


def attempt(name, *modules, hook=0, before=False):
    torch.manual_seed(0)
    net = nn.Sequential(*modules)
    seen = []
    if before:
        net[hook].register_full_backward_pre_hook(lambda m, after: seen.append(len(after)))
    else:
        net[hook].register_full_backward_hook(lambda m, a, b: seen.append((len(a), len(b))))
    x = torch.ones(2, 2, requires_grad=True)
    try:
        net(x).sum().backward()
        print(name, x.grad, seen)
    except RuntimeError as error:
        print(name, error, seen)


class Two(nn.Module):
    def forward(self, x):
        return x * 2, x * 3


class WritesFirst(nn.Module):
    def forward(self, pair):
        pair[0].add_(1)
        return pair[0] + pair[1]


class WritesInput(nn.Module):
    def forward(self, x):
        x.mul_(2)
        return x


class View(nn.Module):
    def forward(self, x):
        y = x * 2
        return y[0]


attempt("relu", nn.Linear(2, 2), nn.ReLU(inplace=True))
attempt("before relu", nn.Linear(2, 2), nn.ReLU(inplace=True), before=True)
attempt("elu", nn.Linear(2, 2), nn.ELU(inplace=True))
attempt("dropout", nn.Linear(2, 2), nn.Dropout(0.5, inplace=True))
attempt("itself", nn.Linear(2, 2), nn.ReLU(inplace=True), hook=1)
attempt("behind", nn.Linear(2, 2), nn.ReLU(inplace=True), nn.Linear(2, 2), hook=2)
attempt("plain", nn.Linear(2, 2), nn.ReLU())
attempt("hooked flatten", nn.Linear(2, 2), nn.Flatten(), nn.ReLU(inplace=True), hook=1)
attempt("two", Two(), WritesFirst())
attempt("writes its input", WritesInput())
attempt("view", View(), WritesInput())

net = nn.Linear(2, 2)
net.register_full_backward_hook(lambda m, a, b: None)
y = net(torch.ones(1, 2))
print(y._base is None, y.grad_fn.name(), y.is_leaf)
with torch.no_grad():
    print(y.add_(1).shape)
for write in [lambda y: y.view(-1).add_(1), lambda y: y.fill_(1), lambda y: y[0].zero_()]:
    try:
        write(net(torch.ones(1, 2)))
    except RuntimeError as error:
        print(error)


class Same(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x

    @staticmethod
    def backward(ctx, gradient):
        return gradient * 10


class Row(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x[0]

    @staticmethod
    def backward(ctx, gradient):
        return torch.stack([gradient, gradient])


class Written(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.mark_dirty(x)
        return x.mul_(2)

    @staticmethod
    def backward(ctx, gradient):
        return gradient * 2


for function in (Same, Row, Written):
    x = torch.ones(2, 2, requires_grad=True)
    y = x * 1
    out = function.apply(y)
    out.sum().backward()
    print(function.__name__, out is y, out._base is y, x.grad)
    try:
        function.apply(x * 1).add_(1).sum().backward()
        print(x.grad)
    except RuntimeError as error:
        print(error)
    y = x * 1
    clone = function.apply(y).clone()
    clone.add_(1).sum().backward()
    print(x.grad)
