# Random numbers of a compiled function are as new as any result: nobody has written them.
import torch

torch.manual_seed(0)
w = torch.ones(3, requires_grad=True)
b = torch.ones(3)


@torch.compile(backend="aot_eager")
def drawn(p):
    b.add_(0.1)
    n = torch.rand(2, 3)
    normal = torch.randn(2, 3)
    mask = torch.bernoulli(p)
    return (n * normal * mask * w).sum()


p = torch.full((2, 3), 0.5)
for i in range(3):
    drawn(p).backward()
    print(w.grad)
print(torch.rand(2)._version, torch.randperm(3)._version, torch.bernoulli(p)._version,
      torch.empty(2).uniform_()._version, torch.zeros(2).normal_()._version,
      torch.multinomial(p, 1)._version)
