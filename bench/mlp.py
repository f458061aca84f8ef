"""The forward pass of a 784-512-256-10 network on a batch of 64."""

import torch
from timing import best, report

torch.set_num_threads(1)
torch.manual_seed(0)
sizes = [784, 512, 256, 10]
weights = [torch.randn(b, a) / a**0.5 for a, b in zip(sizes, sizes[1:])]
biases = [torch.randn(b) for b in sizes[1:]]


def forward(x):
    x = torch.relu(torch.nn.functional.linear(x, weights[0], biases[0]))
    x = torch.relu(torch.nn.functional.linear(x, weights[1], biases[1]))
    return torch.nn.functional.linear(x, weights[2], biases[2])


batch = torch.randn(64, 784)
report("forward", "eager", best(forward, batch, 1.0))
report("forward", "compiled", best(torch.compile(forward), batch, 1.0))
