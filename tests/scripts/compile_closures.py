# tolerance: 1e-5
# What a compiled function reads from outside: closures, globals, attributes, methods, lists, dicts.
import torch

SCALE = 2.0


class Model:
    def __init__(self, n):
        self.weight = torch.arange(float(n))
        self.layers = [torch.sin, torch.cos]
        self.options = {"bias": 1.0}

    def helper(self, x):
        return x * self.weight

    def run(self, x):
        x = self.helper(x)
        for layer in self.layers:
            x = layer(x)
        return x + self.options["bias"]


def make(offset):
    def inner(x):
        return x * SCALE + offset

    return torch.compile(inner)


a, b = make(1.0), make(torch.tensor([10.0, 20.0]))
x = torch.tensor([1.0, 2.0])
print(a(x), b(x), a(x))
SCALE = 3.0
print(a(x), b(x))
model = Model(2)
run = torch.compile(model.run)
print(run(x))
model.options["bias"] = -1.0
print(run(x))
model.layers.append(torch.abs)
print(run(x))
model.weight = torch.tensor([5.0, 5.0])
print(run(x))
model.weight[0] = 0.0
print(run(x))
