# tolerance: 1e-5
# A compiled module forwards to the module; a compiled function keeps its name and doc.
import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(2, 3)
        self.scale = 2.0

    def forward(self, x):
        return self.linear(x).relu() * self.scale

    def twice(self, x):
        return x * 2


torch.manual_seed(0)
model = Model()
compiled = torch.compile(model)
x = torch.tensor([[1.0, -2.0], [0.5, 0.25]])
with torch.no_grad():
    print(torch.allclose(compiled(x), model(x), atol=1e-6))
print(compiled)
print(compiled.scale, compiled.linear.weight is model.linear.weight, compiled.twice(3), compiled._orig_mod is model)
print([name for name, _ in compiled.named_parameters()], list(compiled.state_dict()), len(list(compiled.parameters())))
print(compiled.training, compiled.eval().training, model.training, compiled.train() is compiled, model.linear.training)
compiled.scale = 5.0
with torch.no_grad():
    print(model.scale, torch.allclose(compiled(x), model(x), atol=1e-6))
print(isinstance(compiled, torch.nn.Module), isinstance(compiled, Model), type(compiled).__name__)


@torch.compile
def f(x):
    "What f does."
    return x + 1


def g(x):
    return x


g.mark = "kept"
h = torch.compile(g)
print(f.__name__, f.__doc__, f.__wrapped__.__name__, f(x)[0, 0].item(), h.mark, h._torchdynamo_orig_callable is g)
