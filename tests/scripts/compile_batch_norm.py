# tolerance: 1e-4
# Modules whose forward writes buffers, compiled with their gradients: running statistics of a batch norm.
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)


class Block(nn.Module):
    def __init__(self, given, made):
        super().__init__()
        self.convolve, self.norm = nn.Conv2d(given, made, 3, padding=1, bias=False), nn.BatchNorm2d(made)

    def forward(self, x):
        return F.relu(self.norm(self.convolve(x)))


def train(net, runs):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    x, labels = torch.randn(8, 3, 8, 8), torch.arange(8) % 3
    for step in range(4):
        optimizer.zero_grad()
        loss = F.cross_entropy(runs(x), labels)
        loss.backward()
        optimizer.step()
        print(step, round(loss.item(), 4))
    for name, buffer in net.named_buffers():
        print(name, buffer.flatten()[:3])
    net.eval()
    print(runs(x)[0].detach())
    net.train()


net = nn.Sequential(Block(3, 6), nn.MaxPool2d(2), Block(6, 8), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8, 3))
train(net, torch.compile(net))

# Twice before the way back, a mean over all, two gradients of one region.
norm = nn.BatchNorm1d(4, momentum=None)
fast = torch.compile(norm)
x = torch.randn(6, 4, requires_grad=True)
total = (fast(x) ** 3).sum() + (fast(x * 2) * torch.arange(4.0)).sum()
total.backward()
print(x.grad[0], norm.running_mean, norm.num_batches_tracked, norm.weight.grad)
twice = fast(x)
torch.autograd.grad(twice.sum(), x, retain_graph=True)
print(torch.autograd.grad((twice ** 3).sum(), x)[0][1], norm.running_var)


class Scaled(nn.Module):
    """Its result is computed from what it writes."""

    def __init__(self):
        super().__init__()
        self.register_buffer("scale", torch.ones(3))
        self.register_buffer("calls", torch.zeros(()))

    def forward(self, x):
        self.calls += 1
        self.scale.mul_(2)
        return x * self.scale


class ReadFirst(Scaled):
    def forward(self, x):
        y = x * self.scale
        self.scale.add_(1)
        return y


class ByView(Scaled):
    def forward(self, x):
        y = x * self.scale[:1]
        self.scale[1:].add_(x.detach().mean())
        return y


for kind in (Scaled, ReadFirst, ByView):
    module = kind()
    for step in range(3):
        x = torch.arange(3.0, requires_grad=True)
        try:
            module(x).sum().backward()
            print(kind.__name__, x.grad, module.scale, module.calls)
        except RuntimeError as error:
            print(kind.__name__, str(error)[:70], module.scale)
