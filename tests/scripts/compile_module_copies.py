# A copy of a compiled module is compiled too: its own, for a deep copy.
import copy

import torch
from torch import nn


torch.manual_seed(0)
model = torch.compile(nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1)), backend="eager")
x = torch.ones(4, 2)
before = model(x).sum().item()
average = copy.deepcopy(model)
print(type(average).__name__, list(average.state_dict()))
with torch.no_grad():
    for p in model.parameters():
        p.mul_(2)
print(average(x).sum().item() == before, model(x).sum().item() == before)

optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
decay = 0.9
for step in range(4):
    loss = (model(x) - 1).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    with torch.no_grad():
        for mine, other in zip(average.parameters(), model.parameters()):
            mine.lerp_(other, 1 - decay)
    print(f"{loss.item():.4f} {average(x).mean().item():.4f}")

shared = copy.copy(model)
print(type(shared).__name__, shared._orig_mod is model._orig_mod)
both = copy.deepcopy([model, model, model._orig_mod])
print(both[0] is both[1], both[0]._orig_mod is both[2], both[0] is model)
print(average)


def twice(x):
    return x * 2


compiled = torch.compile(twice, backend="eager")
compiled.note = [1]
print(copy.deepcopy(compiled) is compiled, copy.copy(compiled) is compiled)
print(copy.deepcopy({"f": compiled, "g": twice, "h": len, "i": torch.relu})["f"] is compiled)

hooked = torch.compile(nn.Linear(2, 1), backend="eager")
hooked.register_forward_hook(lambda module, inputs, output: output * 0)
print(hooked(x).abs().sum().item(), copy.deepcopy(hooked)(x).abs().sum().item())
print(copy.copy(hooked)(x).abs().sum().item())
