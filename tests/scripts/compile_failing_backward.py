# A backward that meets what an earlier one has freed: what it leaves of gradients is the same,
# wherever the earlier one ran.
import torch
from torch import nn


class State:
    hidden = torch.zeros(2, 3)


torch.manual_seed(0)
linear = nn.Linear(3, 3)
other = nn.Linear(3, 3)
optimizer = torch.optim.SGD([*linear.parameters(), *other.parameters()], lr=0.1)


@torch.compile(backend="eager")
def step(x, through_other):
    optimizer.zero_grad()
    State.hidden = torch.tanh(linear(x) + State.hidden)
    seen = other(State.hidden) if through_other else State.hidden
    seen.pow(2).mean().backward()


def gradients():
    return [None if p.grad is None else round(p.grad.sum().item(), 4) for p in linear.parameters()]


x = torch.ones(2, 3)
for through_other in (False, True):
    State.hidden = torch.zeros(2, 3)
    for i in range(3):
        try:
            step(x, through_other)
            print(i, "fine", gradients())
        except RuntimeError as error:
            print(i, str(error)[:50], gradients(), other.weight.grad is None)
