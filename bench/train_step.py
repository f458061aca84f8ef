"""A training step of a 784-512-256-10 network on a batch of 64 with Adam, and its parts.

Each sample begins with a new network: one that has learned its batch by heart has gradients so
small that the arithmetic itself becomes slow.
"""

import time

import torch
from timing import report
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(0)
batch = torch.randn(64, 784)
target = torch.randint(0, 10, (64,))


def new_network():
    model = nn.Sequential(
        nn.Linear(784, 512), nn.ReLU(), nn.Linear(512, 256), nn.ReLU(), nn.Linear(256, 10)
    )
    return model, torch.optim.Adam(model.parameters(), lr=1e-3)


def forward(model, optimizer):
    return nn.functional.cross_entropy(model(batch), target)


def gradients(model, optimizer):
    optimizer.zero_grad()
    forward(model, optimizer).backward()


def update(model, optimizer):
    optimizer.step()


def step(model, optimizer):
    gradients(model, optimizer)
    optimizer.step()


def best(part, samples=20, steps=10):
    fastest = 1e9
    for _ in range(samples):
        model, optimizer = new_network()
        step(model, optimizer)
        start = time.perf_counter()
        for _ in range(steps):
            part(model, optimizer)
        fastest = min(fastest, (time.perf_counter() - start) / steps)
    return fastest * 1e6


report("forward", "eager", best(forward))
report("gradients", "eager", best(gradients))
report("update", "eager", best(update))
report("step", "eager", best(step))
