# Writes through `.data` inside compiled functions: counted apart, seen by no tape.
# tolerance: 1e-5
import torch
from torch import nn

torch.manual_seed(0)


class Lion(torch.optim.Optimizer):
    def __init__(self, params, lr=0.01, betas=(0.9, 0.99), weight_decay=0.1):
        super().__init__(params, dict(lr=lr, betas=betas, weight_decay=weight_decay))

    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                p.data.mul_(1 - group["lr"] * group["weight_decay"])
                state = self.state[p]
                if len(state) == 0:
                    state["average"] = torch.zeros_like(p)
                average = state["average"]
                first, second = group["betas"]
                update = average * first + p.grad * (1 - first)
                p.data.add_(update.sign(), alpha=-group["lr"])
                average.mul_(second).add_(p.grad, alpha=1 - second)


net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
optimizer = Lion(net.parameters())


@torch.compile(backend="eager")
def train(x, y):
    optimizer.zero_grad()
    loss = ((net(x) - y) ** 2).mean()
    loss.backward()
    optimizer.step()
    return loss


x, y = torch.randn(8, 3), torch.randn(8, 1)
for i in range(6):
    print(train(x, y).item(), net[0].weight._version)
print(net[0].weight)

w = torch.ones(3, requires_grad=True)
versions = []


@torch.compile(backend="eager")
def shift(step):
    w.data += step
    w.data[0] = 5.0
    w.data.clamp_(max=7.0)
    return w * 2


for i in range(4):
    w.grad = None
    result = shift(torch.full((3,), 1.0 + i))
    result.sum().backward()
    print(w, w._version, w.grad)

kept = (w * w).sum()


@torch.compile(backend="eager")
def through(x):
    part = w.data
    part.mul_(x)
    return part


for i in range(4):
    part = through(torch.ones(3) * 2)
    part.add_(1)
    print(part, part.requires_grad, w._version, w)
kept.backward()
print(w.grad)


@torch.compile(backend="eager")
def detached(x):
    w.detach().add_(x)
    return w.sum()


for i in range(3):
    print(detached(torch.ones(3)).item(), w._version)
product = (w * w).sum()
detached(torch.ones(3))
try:
    product.backward()
except RuntimeError as error:
    print(str(error)[:60])


@torch.compile(backend="eager")
def replaced(x):
    w.data = x * 2
    return w + 1


for i in range(3):
    print(replaced(torch.ones(3) * i).detach(), w, w._version)


@torch.compile(backend="eager")
def computed(x):
    y = x * w
    y.data.mul_(2)
    return y.sum()


for i in range(3):
    print(computed(torch.ones(3)).item())
