# Indexing: ints, slices, None, ellipsis, masks, index tensors; reading and writing.
import torch

x = torch.arange(24).reshape(2, 3, 4)
print(x[0], x[0, 1], x[0, 1, 2], x[-1, -1, -1], x[:, 1], x[..., 0], x[0, ..., 1], x[:, None].shape, x[None, ..., None].shape, x[1:, :2, ::2], x[:, :, -1], x[0][1][2])
print(x[0, 1:2].shape, x[..., 1:3].shape, x[5:].shape, x[:, 0:0].shape, x[()].shape, x[[0, 1], [1, 2]], x[torch.tensor([1, 0])].shape, x[:, [2, 0]], x[0, torch.tensor([0, 2])])
m = x > 20
print(x[m], x[0][x[0] % 2 == 0], x[torch.tensor([True, False])].shape, m.nonzero(), torch.nonzero(torch.tensor([0, 1, 1])), m.sum())
y = torch.zeros(3, 4)
y[0] = 1
y[:, 1] = torch.tensor([5.0, 6.0, 7.0])
y[1, 2:] = 9
y.masked_fill_(y > 8, -1)
y[-1, -1] = 3.5
print(y)
y[1] += 10
y[:, ::2] *= 2
y[...] -= 1
print(y, len(y), [r.sum().item() for r in y], torch.tensor(5)[None], 3 in torch.tensor([1, 2, 3]))
print(x.index_select(1, torch.tensor([2, 0])).shape, torch.gather(torch.tensor([[1, 2], [3, 4]]), 1, torch.tensor([[0, 0], [1, 0]])), torch.take(x, torch.tensor([0, 23])), torch.tensor([5, 6, 7])[torch.tensor(1)])
i = torch.tensor(1)
print(x[i].shape, [10, 20, 30][i], x[0, i, i], list(range(5))[i:], torch.arange(5)[i:])
for bad in (lambda: x[2], lambda: x[0, 0, 0, 0], lambda: x[1.5], lambda: torch.tensor(5)[0], lambda: x[torch.tensor([5])], lambda: x[::-1], lambda: x[..., ...], lambda: y.__setitem__(0, torch.ones(3))):
    try:
        bad()
    except (IndexError, TypeError, ValueError, RuntimeError) as error:
        print(type(error).__name__, str(error).splitlines()[0])
for bad in (lambda: x[0, 3], lambda: x[0, 0, 4], lambda: x[:, :, 9], lambda: x[..., -5], lambda: x[0, ..., 7], lambda: x[None, 0, 5], lambda: x[:, None, 3]):
    try:
        bad()
    except IndexError as error:
        print(error)
z = torch.zeros(2, 3, 4, dtype=torch.long)
z[:, [0, 2]] = 5
z[:, torch.tensor([1]), 1:3] = torch.tensor([7, 8])
print(z)
z[:, :, [3, 0]] = torch.arange(12).reshape(2, 3, 2)
z[0, :, [1, 2]] = torch.tensor([[-1, -2], [-3, -4], [-5, -6]])
print(z)
z[:, [[0, 1], [1, 2]], 0] = torch.arange(8).reshape(2, 2, 2) + 100
z[..., torch.tensor([True, False, False, True])] = -9
print(z)
z[[0, 1], :, [0, 1]] = torch.tensor([[1, 2, 3], [4, 5, 6]])
z[:, [0, 2], [1, 3]] += 1000
print(z)
for source in (torch.zeros(2, 3), torch.zeros(5), torch.zeros(4, 1, 1, 1, 1)):
    for key in ((slice(None), [0, 1]), ([0, 1, 1],), ([0, 1], [2, 2])):
        try:
            z[key] = source
            print("assigned")
        except RuntimeError as error:
            print(error)
w = torch.arange(24).reshape(2, 3, 4)
print(w[:, [0, 2], [1, 3]], w[[0, 1], :, [0, 3]], w[:, torch.tensor([[0, 1], [1, 2]])].shape, w[:, :, [[0], [3]]].shape, w[..., torch.tensor([True, False, False, True])], w[:, torch.tensor([[True] * 4, [False] * 4, [True] * 4])])
print(w[[1, 0], torch.tensor([True, False, True])], w[0, :, [1, 2]], w[:, None, [0, 1], [2, 3]].shape, w[[0], :, [[1], [2]]].shape, w[torch.tensor([True, False]), :, [3]], w[:, 1, [0, -1]])
