"""A tensor that requires gradients is written in place under `no_grad` only."""
import torch

weight = torch.nn.Parameter(torch.ones(3))


def assign(key, value):
    def write():
        weight[key] = value
    return write


def augmented():
    global weight
    weight += 1


WRITES = [
    lambda: weight.add_(1), augmented, assign(0, 1), assign(slice(None), 1), assign(torch.tensor([0]), 1.0),
    assign(torch.tensor([True, False, True]), 0.0), assign((0,), 1), lambda: weight.zero_(), lambda: weight.fill_(1),
    lambda: weight.copy_(torch.ones(3)), lambda: weight.uniform_(), lambda: weight.masked_fill_(torch.ones(3, dtype=torch.bool), 1),
    lambda: torch.add(weight, 1, out=torch.ones(3)), lambda: torch.add(torch.ones(3), 1, out=weight),
    lambda: weight.data.add_(1), lambda: weight.detach().mul_(2),
]

for write in WRITES:
    try:
        write()
        print("written", weight.tolist())
    except RuntimeError as error:
        print(error)
with torch.no_grad():
    for write in WRITES[:5]:
        write()
        print("under no_grad", weight.tolist())
weight.requires_grad_(False).add_(1)
print(weight)
