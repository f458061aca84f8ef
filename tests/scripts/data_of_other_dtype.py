# A leaf that gets memory of another dtype while a graph from before still leads to it.
import torch
from torch import nn

leaf = torch.ones(2, requires_grad=True)
before = (leaf * 2).sum()
leaf.data = leaf.data.double()
(leaf * 3).sum().backward()
print(leaf.grad)
before.backward()
print(leaf.grad)

module = nn.Linear(2, 2, bias=False)
before = module(torch.ones(1, 2)).sum()
module.double()
module(torch.ones(1, 2, dtype=torch.float64)).sum().backward()
print(module.weight.grad)

same = torch.ones(2, requires_grad=True)
before = (same * 2).sum()
same.data = torch.zeros(2)
(same * 3).sum().backward()
before.backward()
print(same.grad)
