# tolerance: 1e-4
"""Regression on made-up data: standardise, validate on five folds, train with Adam, report R-squared.

The model and the loop are ordinary PyTorch. The last model is trained three times: eagerly, with the
model compiled, and with the whole step compiled, so that forward, backward and Adam's update are one
graph (`glint show examples/regression.py step --stage graph`). All three give the same loss.
"""
import torch
from torch import nn


def make_data(count, features):
    x = torch.randn(count, features) * torch.tensor([1.0, 5.0, 0.5, 2.0]) + 3
    y = 2 * x[:, 0] - 0.5 * x[:, 1] + torch.sin(x[:, 2]) * x[:, 3] + 0.1 * torch.randn(count)
    return x, y.unsqueeze(1)


def standardise(train, *others):
    mean, std = train.mean(dim=0), train.std(dim=0)
    return [(part - mean) / std for part in (train, *others)]


def make_model(features):
    return nn.Sequential(nn.Linear(features, 32), nn.Tanh(), nn.Linear(32, 1))


def step(model, optimizer, x, y):
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(x), y)
    loss.backward()
    optimizer.step()
    return loss


def fit(model, x, y, epochs, step=step, run=None):
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for epoch in range(epochs):
        loss = step(model if run is None else run, optimizer, x, y)
    return loss.item()


def r_squared(model, x, y):
    with torch.no_grad():
        residual = ((y - model(x)) ** 2).sum()
        total = ((y - y.mean()) ** 2).sum()
    return (1 - residual / total).item()


torch.manual_seed(0)
x, y = make_data(200, 4)
folds = torch.randperm(len(x)).chunk(5)
scores = []
for number, held_out in enumerate(folds):
    others = torch.cat([fold for i, fold in enumerate(folds) if i != number])
    train_x, test_x = standardise(x[others], x[held_out])
    model = make_model(4)
    loss = fit(model, train_x, y[others], epochs=60)
    scores.append(r_squared(model, test_x, y[held_out]))
    print(f"fold {number}: training loss {loss:.3f}, R-squared {scores[-1]:.3f}")
print(f"mean R-squared: {sum(scores) / len(scores):.3f}")

data, = standardise(x)


def train_again(compile_model=False, step=step):
    torch.manual_seed(1)
    model = make_model(4)
    run = torch.compile(model) if compile_model else model
    return fit(model, data, y, epochs=40, step=step, run=run)


eager = train_again()
losses = [train_again(compile_model=True), train_again(step=torch.compile(step))]
print(f"eager {eager:.4f}, compiled model {losses[0]:.4f}, compiled step {losses[1]:.4f}")
print("the same:", all(abs(loss - eager) < 1e-3 for loss in losses))
