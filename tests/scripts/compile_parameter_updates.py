# tolerance: 1e-4
# Many parameters of few shapes, and of many, updated in a compiled step: like updates run together.
import torch
from torch import nn


def network(widths):
    layers = []
    for a, b in zip(widths, widths[1:]):
        layers += [nn.Linear(a, b), nn.LayerNorm(b), nn.Tanh()]
    return nn.Sequential(*layers)


def train(widths, optimizer_of, compiled):
    torch.manual_seed(0)
    model = network(widths)
    optimizer = optimizer_of(model.parameters())
    x, y = torch.randn(16, widths[0]), torch.randn(16, widths[-1])

    def step(x, y):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        return loss.detach()

    run = torch.compile(step) if compiled else step
    losses = [run(x, y).item() for _ in range(8)]
    return losses, torch.cat([p.detach().flatten() for p in model.parameters()])


cases = {
    "momentum": ([8] * 6, lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.9)),
    "AdamW": ([4, 32, 16, 8, 2], lambda p: torch.optim.AdamW(p, lr=0.01, weight_decay=0.1)),
}
for name, (widths, optimizer_of) in cases.items():
    eager, parameters = train(widths, optimizer_of, False)
    losses, updated = train(widths, optimizer_of, True)
    far = max(abs(a - b) for a, b in zip(eager, losses))
    print(name, [round(loss, 4) for loss in losses], far < 1e-5, updated.numel(),
          torch.allclose(parameters, updated, atol=1e-4))

# A parameter that stands in two places is one; one without a gradient stays as it is.
torch.manual_seed(0)
shared = nn.Linear(4, 4)
model = nn.Sequential(shared, nn.Tanh(), shared, nn.Linear(4, 4), nn.Linear(4, 4))
model[4].weight.requires_grad_(False)
before = model[4].weight.clone()
optimizer = torch.optim.Adam(model.parameters(), lr=0.1)


@torch.compile
def step(x):
    optimizer.zero_grad()
    loss = (model(x) ** 2).sum()
    loss.backward()
    optimizer.step()
    return loss.detach()


x = torch.randn(3, 4)
print([round(step(x).item(), 3) for _ in range(5)], torch.equal(before, model[4].weight))
