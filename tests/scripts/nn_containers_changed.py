# Modules that hold modules are changed like lists.
import torch
from torch import nn


def names(m):
    return [f"{name}:{module.out_features}" for name, module in m.named_children()]


layers = nn.ModuleList([nn.Linear(1, i) for i in range(1, 6)])
del layers[2]
print(names(layers), len(layers))
del layers[-1]
print(names(layers))
layers.insert(1, nn.Linear(1, 9))
print(names(layers), layers.pop(0).out_features, names(layers))
layers += [nn.Linear(1, 7)]
print(names(layers), type(layers + layers).__name__, names(layers + [nn.Linear(1, 8)]))
del layers[1:]
print(names(layers), [tuple(p.shape) for p in layers.parameters()])
for change in (lambda: layers.__delitem__(5), lambda: layers.pop(3)):
    try:
        change()
    except IndexError as error:
        print(error)

net = nn.Sequential(*[nn.Linear(2, 2) for _ in range(3)], nn.Linear(2, 4))
del net[0]
print(names(net), net(torch.ones(1, 2)).shape)
print(net.pop(-1).out_features, names(net))
net.insert(0, nn.Linear(2, 2)).insert(-1, nn.Linear(2, 2))
net.extend([nn.Linear(2, 3)])
print(names(net), net)
print(names(net + nn.Sequential(nn.Linear(3, 1))), type(net[1:3]).__name__)
for change in (
    lambda: net.insert(9, nn.Linear(1, 1)),
    lambda: net.insert(0, 3),
    lambda: net + [nn.Linear(1, 1)],
):
    try:
        change()
    except (IndexError, AssertionError, ValueError) as error:
        print(type(error).__name__, error)


class Wrap(nn.Module):
    """Hands on to another module what it does not know itself."""

    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def __getattr__(self, name):
        try:
            return super().__getattr__(name)
        except AttributeError:
            return getattr(super().__getattr__("inner"), name)

    def forward(self, x):
        return self.inner(x)


wrapped = Wrap(nn.Linear(3, 2))
print(wrapped.in_features, wrapped(torch.ones(1, 3)).shape, hasattr(wrapped, "nothing"))
print(torch.compile(wrapped, backend="eager")(torch.ones(1, 3)).shape)
for missing in (lambda: wrapped.nothing, lambda: net.nothing, lambda: nn.Linear(1, 1).wieght):
    try:
        missing()
    except AttributeError as error:
        print(error)
try:
    nn.ModuleList([nn.Linear(1, 1), nn.Linear(1, 2)]).insert(-1, nn.Linear(1, 3))
except KeyError as error:
    print("KeyError", error)
