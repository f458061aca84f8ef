# tolerance: 1e-4
"""Two spirals, told apart by a small network; the learning rate falls by hand.

The classic that no straight line can separate. Cross-entropy over two classes, SGD with momentum,
a schedule written as plain arithmetic.
"""
import math

import torch
import torch.nn.functional as F
from torch import nn


def spirals(points):
    angle = torch.linspace(0.5, 2.5 * math.pi, points)
    arms = []
    for turn in (0.0, math.pi):
        x = angle * torch.cos(angle + turn)
        y = angle * torch.sin(angle + turn)
        arms.append(torch.stack([x, y], dim=1) / 5 + 0.05 * torch.randn(points, 2))
    labels = torch.cat([torch.zeros(points), torch.ones(points)]).long()
    return torch.cat(arms), labels


class Classifier(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.first = nn.Linear(2, width)
        self.second = nn.Linear(width, width)
        self.last = nn.Linear(width, 2)

    def forward(self, x):
        x = torch.relu(self.first(x))
        x = torch.relu(self.second(x))
        return self.last(x)


def learning_rate(step, steps):
    return 0.2 * 0.5 * (1 + math.cos(math.pi * step / steps))


torch.manual_seed(0)
points, labels = spirals(100)
model = Classifier(64)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, nesterov=True)
steps = 400
for step in range(steps):
    for group in optimizer.param_groups:
        group["lr"] = learning_rate(step, steps)
    loss = F.cross_entropy(model(points), labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 80 == 0:
        accuracy = (model(points).argmax(dim=1) == labels).float().mean()
        print(f"step {step:3}: loss {loss.item():.3f}, accuracy {accuracy.item():.2f}")
print(model)
print("parameters:", sum(p.numel() for p in model.parameters()))
print("all right:", ((model(points).argmax(dim=1) == labels).float().mean() > 0.99).item())
