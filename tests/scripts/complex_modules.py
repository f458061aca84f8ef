# tolerance: 1e-3
# Complex parameters and buffers: modules, optimisers, states, copies.
import copy

import torch
from torch import nn


class Layer(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(n, n, dtype=torch.cfloat) * 0.3)
        self.bias = nn.Parameter(torch.zeros(n))
        self.register_buffer("turn", torch.polar(torch.ones(n), torch.arange(n).float()))
        self.register_buffer("still", torch.ones(n, dtype=torch.cfloat), persistent=False)

    def forward(self, x):
        return ((x * self.turn) @ self.weight * self.still).abs() + self.bias


torch.manual_seed(0)
model = Layer(3)
x, y = torch.randn(8, 3), torch.rand(8, 3)
print([(name, tuple(p.shape), p.dtype) for name, p in model.named_parameters()], [name for name, _ in model.named_buffers()])
print(sum(p.numel() for p in model.parameters()), list(model.state_dict()), model.turn.requires_grad)
start = copy.deepcopy(model.state_dict())
for make in (lambda p: torch.optim.SGD(p, lr=0.1), lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.9, weight_decay=0.01),
             lambda p: torch.optim.Adam(p, lr=0.05), lambda p: torch.optim.AdamW(p, lr=0.05), lambda p: torch.optim.Adagrad(p, lr=0.05)):
    model.load_state_dict(start)
    optimizer = make(model.parameters())
    for step in range(4):
        optimizer.zero_grad()
        loss = ((model(x) - y) ** 2).mean()
        loss.backward()
        optimizer.step()
    print(loss.item(), model.weight.detach()[0], model.bias.detach())
print(model.load_state_dict(start), model.weight.grad.dtype)
norm = nn.utils.clip_grad_norm_(model.parameters(), 0.1)
print(norm, model.weight.grad.abs().max() < 0.1)
nn.utils.clip_grad_value_(model.bias, 0.01)
again = copy.deepcopy(model)
print(torch.equal(again.weight, model.weight), again.weight is model.weight, again.weight.requires_grad, type(again.weight))
model.double()
print(model.weight.dtype, model.bias.dtype, model.turn.dtype)
model.float().to("cpu")
model.requires_grad_(False)
print(model.weight.requires_grad, model.turn.dtype)
model.zero_grad()

# With gradient accumulation over two steps
model.requires_grad_(True)
for _ in range(2):
    model(x).sum().backward()
print(model.weight.grad[0])
model.zero_grad(set_to_none=False)
print(model.weight.grad[0])

# The state of an optimiser, of complex parameters
optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
model(x).sum().backward()
optimizer.step()
state = optimizer.state_dict()
print(state["state"][0]["exp_avg"].dtype, state["state"][0]["exp_avg"].shape, state["param_groups"][0]["params"])
optimizer.load_state_dict(state)
optimizer.step()
print(model.weight.detach()[0])

