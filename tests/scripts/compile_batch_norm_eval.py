# A batch norm in eval mode, compiled: its `eps` is a number that the backward reads too.
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(3, 3), nn.BatchNorm1d(3)).eval()
compiled = torch.compile(model)
x = torch.randn(4, 3)


def gradients(f):
    model.zero_grad()
    (f(x) ** 2).sum().backward()
    return [p.grad for p in model.parameters()]


for eps in (1e-5, 0.5, 0.25):
    model[1].eps = eps
    print(all(torch.allclose(a, b) for a, b in zip(gradients(model), gradients(compiled))))
