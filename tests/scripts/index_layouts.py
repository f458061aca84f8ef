# Reading and writing by indices of every layout, in every dimension: repeated, turned, empty, out of range.
import torch

torch.manual_seed(0)
x = torch.arange(24.0).reshape(2, 3, 4)
i = torch.tensor([1, 0, 1])
for dim in range(3):
    index = i.clamp(max=x.size(dim) - 1)
    shape = [1, 1, 1]
    shape[dim] = 3
    sizes = list(x.shape)
    sizes[dim] = 3
    spread = index.reshape(shape).expand(sizes)
    source = torch.arange(1.0, 1.0 + spread.numel()).reshape(sizes)
    print(dim, x.index_select(dim, index), x.gather(dim, spread))
    print(x.index_add(dim, index, source), x.scatter_add(dim, spread, source), x.scatter(dim, spread, source))
    print(x.index_copy(dim, index[:2], source.narrow(dim, 0, 2)))
turned = torch.tensor([[0, 1], [2, 0], [1, 2], [0, 0]]).t()
m = torch.arange(12.0).reshape(3, 4)
print(m.gather(0, turned), m.scatter_add(0, turned, torch.ones(2, 4)), m.t().gather(1, turned.t()))
print(m.gather(1, torch.tensor([[3], [0], [2]]).expand(3, 2)), m[:, ::2].gather(1, torch.tensor([[1], [0], [1]])))
print(torch.tensor(5.0).gather(0, torch.tensor(0)), (i * 10).gather(0, torch.tensor(2)), torch.zeros(3).scatter(0, torch.tensor(1), 7.0), torch.zeros(3).scatter_add(0, torch.tensor(2), torch.tensor(4.0)), m.gather(1, torch.zeros(3, 0, dtype=torch.long)).shape, m.index_select(1, i[:0]).shape)
print(m.int().index_select(1, i), m.bool().index_select(1, i), m.half().index_select(1, i))
for bad in (lambda: m.gather(1, torch.tensor([[4]])), lambda: m.gather(0, torch.tensor([[-1]]).expand(1, 4)),
            lambda: m.scatter(1, torch.tensor([[0, 9]]), 1.0), lambda: m.index_select(0, torch.tensor([3]))):
    try:
        bad()
    except (RuntimeError, IndexError) as error:
        print(type(error).__name__, error)
print(x.sum((0, 2)), x.sum((0, 2), keepdim=True).shape, x.amax((0, 2)), x.mean((0, 2)), x.repeat(2, 1, 2).sum((0, 1)))
print(x.reshape(2, 1, 3, 4).sum((0, 1, 3)), x[:, :1].sum((0, 1)), x[:1, :, :1].amax((0, 2)), x.long().sum((0, 2)), (x > 5).all(2).any(0))
y = torch.ones(2, 3, requires_grad=True)
(y.repeat(2, 2) * torch.arange(24.0).reshape(4, 6)).sum().backward()
print(y.grad)
