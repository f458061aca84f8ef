"""A training step of a 784-512-256-10 network on a batch of 64 with Adam, and its parts.

Each sample begins with the first weights again: a network that has learned its batch by heart has
gradients so small that the arithmetic itself becomes slow.
"""

import time

import torch
from timing import report
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(0)
batch = torch.randn(64, 784)
target = torch.randint(0, 10, (64,))


def new_network(fused):
    model = nn.Sequential(
        nn.Linear(784, 512), nn.ReLU(), nn.Linear(512, 256), nn.ReLU(), nn.Linear(256, 10)
    )
    return model, torch.optim.Adam(model.parameters(), lr=1e-3, fused=fused)


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


def timed(part, model, optimizer, steps):
    start = time.perf_counter()
    for _ in range(steps):
        part(model, optimizer)
    return (time.perf_counter() - start) / steps


def measure(case, column, part, fused=False, samples=20, steps=10):
    model, optimizer = new_network(fused)
    initial = {name: value.clone() for name, value in model.state_dict().items()}
    if column == "compiled":
        # The second call finds the state that the first has made, and is compiled once more.
        report(case, "first_compile", 2e3 * timed(part, model, optimizer, 2), "ms")
    step(model, optimizer)
    fastest = 1e9
    for _ in range(samples):
        model.load_state_dict(initial)
        timed(part, model, optimizer, 1)
        fastest = min(fastest, timed(part, model, optimizer, steps))
    report(case, column, fastest * 1e6)


for part in (forward, gradients, update, step):
    measure(part.__name__, "eager", part)
measure("step", "fused", step, fused=True)
measure("step", "compiled", torch.compile(step))
