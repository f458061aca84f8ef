# tolerance: 1e-5
# Reductions: whole, along dimensions, kept, over empty tensors.
import torch

x = torch.tensor([[1.0, -2.0, 3.0], [4.0, 5.0, -6.0]])
print(x.sum(), x.sum(0), x.sum(1), x.sum(dim=-1, keepdim=True), x.sum((0, 1)), torch.sum(x, dim=0), x.mean(), x.mean(0), x.prod(), x.prod(1), x.max(), x.min(), x.amax(1), x.amin(0), x.amax((0, 1)))
print(x.argmax(), x.argmin(), x.argmax(0), x.argmax(dim=1, keepdim=True), x.argmin(1), x.std(), x.var(), x.var(0), x.std(dim=1, unbiased=False), x.norm(), (x > 0).all(), (x > 4).any(), (x > 0).all(0), (x > 0).any(dim=1))
values, indices = x.max(dim=1)
print(values, indices, x.min(0), torch.max(x, 0).values, x.cumsum(0), x.cumsum(1), torch.cumsum(torch.tensor([1, 2, 3]), 0), x.cumprod(1), x.logsumexp(1))
i = torch.tensor([[1, 2], [3, 4]])
print(i.sum(), i.sum(0), i.prod(), i.max(), i.float().mean(), (i > 1).sum(), torch.tensor([True, True]).sum(), i.sum(dtype=torch.float64), torch.tensor([1, 2], dtype=torch.int32).sum().dtype)
e = torch.zeros(0, 3)
print(e.sum(), e.sum(0), e.sum(1), e.prod(), e.mean(), e.mean(1).shape, (e > 0).all(), (e > 0).any(), torch.zeros(2, 0).sum(1))
for bad in (lambda: e.max(), lambda: e.argmax(), lambda: x.sum(2), lambda: i.mean(), lambda: e.amax(0)):
    try:
        bad()
    except (RuntimeError, IndexError) as error:
        print(type(error).__name__, error)
n = torch.tensor([1.0, float("nan"), 3.0])
print(n.sum(), n.max(), n.min(), n.argmax(), torch.maximum(n, torch.tensor(2.0)), x.t().sum(0), x[:, ::2].sum(1), torch.tensor(5.0).sum(), torch.tensor(5.0).max(), torch.tensor([2.0, 2.0]).argmax())
big = torch.ones(100003)
print(big.sum(), big.mean(), torch.arange(1000).sum(), torch.ones(3, 5, 7).sum((0, 2)), torch.ones(3, 5, 7).mean(1).shape, torch.ones(1000, dtype=torch.bfloat16).sum())
