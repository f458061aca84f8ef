# A module that is converted keeps its parameters: who holds them goes on with them.
import torch
from torch import nn

net = nn.Linear(2, 1)
nn.init.ones_(net.weight)
nn.init.zeros_(net.bias)
weight = net.weight
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
net(torch.ones(1, 2)).sum().backward()
net.double()
print(weight.dtype, net.weight is weight, weight.grad.dtype, net.weight.grad is None)
optimizer.step()
print(net.weight, net.weight.requires_grad, net.weight.is_leaf, net.weight._version)
net.float()
print(weight.dtype, weight.grad.dtype, net.weight is weight)
net.half().float()
optimizer.zero_grad()
net(torch.ones(1, 2)).sum().backward()
optimizer.step()
print(net.weight, isinstance(net.weight, nn.Parameter))

tied = nn.Sequential(nn.Linear(2, 2, bias=False), nn.Linear(2, 2, bias=False))
tied[1].weight = tied[0].weight
tied.bfloat16()
print(tied[1].weight is tied[0].weight, tied[0].weight.dtype, len(list(tied.parameters())))
norm = nn.BatchNorm1d(3)
norm.to(torch.float64)
print({name: value.dtype for name, value in norm.state_dict().items()})

# A sum of one element begins with 0, compiled too.
minus = torch.tensor([[-0.0]])


@torch.compile(backend="eager")
def sums(x):
    return x.sum(0), x.mean(0), x.sum(), x.cumsum(0), x.sum(1, keepdim=True), x.prod(0)


for i in range(3):
    print(sums(minus))
