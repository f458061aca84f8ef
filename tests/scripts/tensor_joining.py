# Joining, repeating, sorting of tensors.
import torch

a, b = torch.tensor([[1, 2], [3, 4]]), torch.tensor([[5, 6]])
print(torch.cat([a, b]), torch.cat((a, a), dim=1), torch.stack([a, a]).shape, torch.stack([a[0], b[0]], dim=1), torch.cat([a, torch.zeros(0, 2, dtype=torch.int64)]), a.repeat(2, 2), torch.tile(b, (2, 1)))
print(torch.tril(torch.ones(3, 3)), torch.triu(torch.ones(3, 3), 1), a.roll(1, 0), torch.flip(a, [0, 1]))
x = torch.tensor([3.0, 1.0, 2.0])
print(x.sort(), x.sort(descending=True).values, x.argsort(), torch.topk(x, 2), torch.sort(a, dim=1, descending=True).values)
print(torch.equal(a, a.clone()), torch.equal(a, b), torch.allclose(x, x + 1e-9), torch.isclose(x, torch.tensor([3.0, 1.1, 2.0])), torch.broadcast_tensors(torch.ones(2, 1), torch.ones(3))[0].shape)
for bad in (lambda: torch.cat([a, torch.ones(1, 3)]), lambda: torch.stack([a, b]), lambda: torch.cat([])):
    try:
        bad()
    except (RuntimeError, ValueError) as error:
        print(error)
print(torch.topk(torch.tensor(1.5), 0), torch.topk(torch.tensor(2), 1))
