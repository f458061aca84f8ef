# A module's lists of its parts in a compiled function: parameters, modules, buffers, state_dict.
import torch
from torch import nn

torch.manual_seed(0)


class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(3, 3)
        self.norm = nn.BatchNorm1d(3)
        self.second = nn.Linear(3, 3)
        self.second.weight = self.first.weight
        self.again = self.first
        self.none = None

    def forward(self, x):
        count = sum(p.numel() for p in self.parameters())
        return self.second(self.norm(self.first(x))) * count


model = Tied().eval()
x = torch.ones(2, 3)


def lists(x):
    y = x * len(list(model.parameters())) + len(list(model.modules()))
    for name, parameter in model.named_parameters():
        y = y + parameter.sum() * len(name)
    for name, buffer in model.named_buffers():
        y = y + buffer.sum() * len(name)
    for name, module in model.named_modules():
        y = y + len(name)
    for name, child in model.named_children():
        y = y - len(name)
    return y + len(list(model.buffers())) + len(list(model.children()))


def saved(x):
    for name, value in model.state_dict().items():
        x = x + value.sum() * len(name)
    return x


for f in (lists, saved, model):
    compiled = torch.compile(f)
    print(torch._dynamo.explain(compiled)(x).graph_count)
    print([torch.allclose(compiled(x), f(x)) for _ in range(2)])
    model.second.weight = nn.Parameter(torch.ones(3, 3))
    print(torch.allclose(compiled(x), f(x)), "untied")
    model.extra = nn.Linear(2, 2)
    print(torch.allclose(compiled(x), f(x)), "one more")
    model.second.weight = model.first.weight
    del model.extra


def norm(x):
    total = 0
    for p in model.parameters():
        total = total + (p * p).sum()
    return x / total.sqrt()


print(torch.allclose(torch.compile(norm)(x), norm(x)), torch._dynamo.explain(norm)(x).graph_count)
print(sorted(len(m._parameters) for m in torch.compile(lambda: list(model.modules()))()))
