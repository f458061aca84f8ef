# tolerance: 1e-5
# Random numbers: PyTorch's own for the same seed.
import torch

torch.manual_seed(0)
print(torch.rand(5), torch.rand(2, 3), torch.randn(4), torch.randn(20), torch.rand(3, dtype=torch.float64), torch.randn(3, dtype=torch.float64), torch.randn(17, dtype=torch.float64))
torch.manual_seed(42)
print(torch.randint(0, 10, (8,)), torch.randint(5, (2, 2)), torch.randperm(8), torch.rand_like(torch.zeros(2)), torch.randn_like(torch.zeros(2)))
for seed in (0, 1, 12345):
    torch.manual_seed(seed)
    print(seed, torch.rand(()).item(), torch.randn(()).item(), torch.rand(1).item())
torch.manual_seed(7)
x = torch.empty(6).uniform_(-1, 1)
y = torch.empty(6).normal_(2, 3)
z = torch.bernoulli(torch.full((6,), 0.5))
print(x, y, z, torch.initial_seed())
a = torch.manual_seed(3)
first = torch.rand(3)
torch.manual_seed(3)
print(torch.equal(first, torch.rand(3)), torch.randn(2, 3).shape)
