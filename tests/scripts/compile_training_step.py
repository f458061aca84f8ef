# tolerance: 1e-4
# A whole training step compiled: 100 steps of each optimiser agree with eager ones, in the losses and
# in the parameters.
import torch
from torch import nn


def make():
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(4, 16), nn.LayerNorm(16), nn.GELU(), nn.Linear(16, 1))


def train(optimizer_of, compiled, steps=100):
    model = make()
    optimizer = optimizer_of(model.parameters())
    torch.manual_seed(1)
    x = torch.randn(32, 4)
    y = torch.sin(x.sum(dim=1, keepdim=True))

    def step(x, y):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        return loss.detach()

    run = torch.compile(step) if compiled else step
    losses = []
    for number in range(steps):
        for group in optimizer.param_groups:
            group["lr"] = 0.01 / (1 + 0.01 * number)
        losses.append(run(x, y).item())
    return losses, [p.detach() for p in model.parameters()]


optimizers = {
    "SGD": lambda p: torch.optim.SGD(p, lr=0.01),
    "SGD, momentum": lambda p: torch.optim.SGD(p, lr=0.01, momentum=0.9, weight_decay=1e-3),
    "SGD, Nesterov": lambda p: torch.optim.SGD(p, lr=0.01, momentum=0.9, nesterov=True),
    "Adam": lambda p: torch.optim.Adam(p, lr=0.01),
    "AdamW": lambda p: torch.optim.AdamW(p, lr=0.01),
}
for name, optimizer_of in optimizers.items():
    eager, parameters = train(optimizer_of, False)
    compiled, others = train(optimizer_of, True)
    same = all(abs(a - b) < 1e-4 * (1 + abs(a)) for a, b in zip(eager, compiled))
    close = all(torch.allclose(a, b, atol=1e-3, rtol=1e-3) for a, b in zip(parameters, others))
    print(f"{name}: {eager[0]:.4f} -> {eager[-1]:.4f}, losses agree: {same}, parameters: {close}")
