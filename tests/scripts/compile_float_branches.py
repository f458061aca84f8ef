# tolerance: 1e-5
# Branches on floats, min and max of them: warm-up, cosine and decay by hand; hyper-parameters that change.
import math
import random

import torch
from torch import nn

w = torch.ones(3, requires_grad=True)
base = 0.1


def descend(rate):
    w.grad = None
    ((w - 3) ** 2).sum().backward()
    with torch.no_grad():
        w.sub_(rate * w.grad)
    return w.detach().sum()


@torch.compile
def warm(step, warmup):
    return descend(base * min(1, step / warmup))


@torch.compile
def warm_real(step, warmup):
    return descend(base * min(1.0, (step + 1) / warmup))


@torch.compile
def cosine(step, warmup, total):
    if step < warmup:
        rate = base * step / warmup
    else:
        progress = (step - warmup) / max(1, total - warmup)
        rate = base * max(0.0, 0.5 * (1.0 + math.cos(math.pi * progress)))
    return descend(rate)


@torch.compile
def decayed(rate):
    if rate > 0.05:
        return descend(rate)
    elif not rate:
        return w.detach().sum() * 0
    return descend(rate * 0.5)


for step in range(1, 14):
    print(step, warm(step, 5.0).item(), warm_real(step, 7).item(), cosine(step, 4, 12).item(),
          decayed(0.02 * (step % 5)).item())


@torch.compile
def clipped(x, limit):
    scale = min(1.0, limit / 2.0)
    return x * scale, scale, max(0, limit), min(limit, 2, 3.5), min([limit, 1.25])


x = torch.arange(3.0)
for limit in (0.5, 1.0, 3.0, -1.0, 5.0, 2.0, 0.25, 7.5, 1.5, 2.5):
    print(clipped(x, limit))


@torch.compile
def kept(x, limit):
    share = min(1, limit)
    return x * share, share * 2, share / 2, share, torch.tensor([share, 2])


for limit in (0.5, 0.75, 1.5, 2.5, 0.125):
    print(kept(x, limit))
    print(kept(torch.arange(3), limit))


@torch.compile
def nan_or_not(x, scale):
    if scale != scale:
        return x
    if 0.0 <= scale < 1.0:
        return x + scale
    return x - scale if scale else x


for scale in (0.5, math.nan, 2.0, 0.0, -0.0, -1.0, math.inf, 0.25, math.nan, 3.0):
    print(nan_or_not(x, scale))


@torch.compile
def augmented(x, chance):
    if random.random() < chance:
        x = x.flip(0)
    return x * 2


random.seed(3)
for i in range(20):
    print(augmented(x, 0.5).tolist())


@torch.compile
def halved(x, rate):
    steps = 0
    while rate > 1.0:
        rate *= 0.5
        steps += 1
    return x * rate, steps


for rate in (0.75, 3.0, 1.5, 10.0, 2.5, 0.5, 9.0):
    print(halved(x, rate))


def trained(make, change, steps=8):
    torch.manual_seed(0)
    model = nn.Linear(3, 2)
    optimizer = make(model.parameters())

    @torch.compile
    def train(a, b):
        optimizer.zero_grad()
        loss = ((model(a) - b) ** 2).mean()
        loss.backward()
        optimizer.step()
        return loss.detach()

    a, b = torch.randn(4, 3), torch.randn(4, 2)
    losses = []
    for step in range(steps):
        for group in optimizer.param_groups:
            change(group, step)
        losses.append(train(a, b).item())
    print([round(loss, 5) for loss in losses])


def momenta(group, step):
    group["momentum"] = 0.9 - 0.1 * step


def beta(group, step):
    group["betas"] = (0.95 - 0.1 * step, 0.999)


def decay(group, step):
    group["weight_decay"] = 0.01 * (step % 3)


trained(lambda p: torch.optim.SGD(p, lr=0.05, momentum=0.9), momenta)
trained(lambda p: torch.optim.SGD(p, lr=0.05, momentum=0.9, nesterov=True), momenta)
trained(lambda p: torch.optim.Adam(p, lr=0.05), beta)
trained(lambda p: torch.optim.AdamW(p, lr=0.05, weight_decay=0.1), beta)
trained(lambda p: torch.optim.Adam(p, lr=0.05, weight_decay=0.1), decay)
trained(lambda p: torch.optim.SGD(p, lr=0.05, weight_decay=0.1), decay)
