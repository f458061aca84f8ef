# What a compiled function returns of its argument's memory is a view of it, as in eager mode.
import torch


@torch.compile
def parts(x):
    return x.t(), x.view(-1), x[1][0], x.detach()


@torch.compile
def row(x):
    return x[0]


@torch.compile
def unrecorded(x):
    with torch.no_grad():
        return x[0]


@torch.compile
def computed(x):
    y = x * 2
    return y[0]


for x in (torch.zeros(3, 3), torch.ones(3, 3), torch.zeros(4, 3), torch.zeros(5, 3)):
    outs = parts(x)
    print([(out._base is x, out._is_view()) for out in outs])
    outs[1].add_(1)
    print(x[0], outs[0][0], outs[2])
    print(unrecorded(x)._base is x, computed(x)._base, computed(x)._is_view())

whole = torch.zeros(4, 3, 2)
for i in range(4):
    part = whole[i]
    view = row(part)
    print(part._base is whole, view._base is whole, view._base is part)

# A later write to the base is seen by the view, with its gradient.
for i in range(3):
    base = torch.zeros(2, 2)
    view = row(base)
    weight = torch.ones(2, 2, requires_grad=True)
    base.add_(weight)
    print(view.requires_grad, view)
    view.sum().backward()
    print(weight.grad)
