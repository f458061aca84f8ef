# tolerance: 1e-5
# torch.nn: modules, parameters, containers, forward only.
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.first = nn.Linear(n, 2 * n)
        self.second = nn.Linear(2 * n, n)
        self.norm = nn.LayerNorm(n)

    def forward(self, x):
        return self.norm(x + self.second(torch.relu(self.first(x))))


torch.manual_seed(0)
block = Block(4)
x = torch.randn(2, 4)
with torch.no_grad():
    print(block(x), [name for name, _ in block.named_parameters()], sum(p.numel() for p in block.parameters()))
    net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3), nn.Softmax(dim=-1))
    print(net(x), len(net), net[0].weight.shape, net[0].bias.shape)
    block.eval()
    print(block.training, net.training, nn.Identity()(x) is x, nn.Tanh()(x), nn.GELU()(x), nn.Sigmoid()(x))
print(nn.LayerNorm(4), nn.LayerNorm((2, 3), bias=False), nn.LayerNorm(3, elementwise_affine=False))
