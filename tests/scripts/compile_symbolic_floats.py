# Floats from outside that change from call to call: learning rates, step counts, edge values.
import math
import torch


class Scale(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.factor = 0.5

    def forward(self, x):
        return x * self.factor - self.factor


class Momentum:
    def __init__(self, lr, beta):
        self.group = {"lr": lr, "betas": (beta, 0.999), "eps": 1e-8}
        self.steps = 0

    def update(self, p, g):
        first, second = self.group["betas"]
        step_size = self.group["lr"] / (1 - first ** self.steps)
        correction = math.sqrt(1 - second ** self.steps)
        return p - step_size * g / (g.abs() / correction + self.group["eps"])


x = torch.linspace(-2, 2, 5)
scale = Scale()
forward = torch.compile(scale)
for i in range(4):
    scale.factor = 0.5 / (i + 1)
    print(forward(x))

momentum = Momentum(0.1, 0.9)
update = torch.compile(momentum.update)
p = torch.zeros(5)
for step in range(1, 6):
    momentum.steps = step
    momentum.group["lr"] *= 0.5
    p = update(p, x)
print(p)


@torch.compile
def schedule(x, lr, step):
    warm = min(1.0, step / 4)
    decay = 0.5 * (1 + math.cos(math.pi * step / 10))
    return x * (lr * warm * decay), lr * decay


for step in range(6):
    y, rate = schedule(x, 0.1, step)
    print(y, f"{rate:.6f}")


@torch.compile
def edge(x, s):
    return x * s, x + s, x / s, -s


for s in (float("nan"), float("inf"), -float("inf"), 1e300, 5e-324):
    print(edge(x[:3], s))
print(edge(torch.arange(3), 2.5), edge(torch.arange(3), 2), edge(torch.tensor([True, False]), 0.5))
print(edge(torch.tensor(3), 2.5), edge(torch.tensor(3.0, dtype=torch.float64), 0.1))


@torch.compile
def choose(x, s):
    if s > 0.5:
        return x * s
    return x - s


print(choose(x, 0.75), choose(x, 0.25), choose(x, 0.75), choose(x, 1))
