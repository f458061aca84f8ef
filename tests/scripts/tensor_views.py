# Views alias their base: writes are seen through every one of them.
import torch

x = torch.arange(12).reshape(3, 4)
row, column, part, t = x[1], x[:, 2], x[1:, ::2], x.t()
x[1, 2] = 100
print(row, column, part, t)
row += 1
print(x)
part[:] = 0
print(x, t[0])
v = x.view(2, 6)
v[0, 0] = -1
print(x[0, 0], v.shape, x.view(-1), x.reshape(4, 3), x.view(2, -1).shape, x.flatten(), x.unsqueeze(0).shape, x.unsqueeze(-1).shape, x.squeeze().shape)
print(t.is_contiguous(), t.contiguous().is_contiguous(), t.stride(), x.stride(), column.stride(), x[::2].stride(), t.reshape(-1), x.permute(1, 0).shape, x.transpose(0, 1).shape)
e = torch.ones(3, 1).expand(3, 4)
print(e, e.stride(), e.shape, torch.ones(2).expand(3, -1).shape, torch.ones(3).broadcast_to((2, 3)))
print(torch.zeros(1, 3, 1).squeeze().shape, torch.zeros(1, 3, 1).squeeze(0).shape, torch.zeros(2, 3, 4).permute(2, 0, 1).shape, torch.zeros(2, 3, 4).transpose(-1, -2).shape, torch.zeros(2, 3, 4).flatten(1).shape, x.T.shape, x.mT.shape)
a, b = x.chunk(2, dim=1)
a.zero_()
print(x, [s.shape for s in torch.split(x, 2)], [s.tolist() for s in x.unbind(0)], x.narrow(1, 1, 2), x.select(0, 1), x.diagonal(), x.split([1, 2]))
c = x.clone()
c.fill_(5)
print(x.sum(), c.sum(), x.data_ptr() == x.view(-1).data_ptr(), x[1:].storage_offset(), x.view(3, 2, 2)[:, 1].shape, x.flip(0), torch.movedim(torch.zeros(2, 3, 4), 0, -1).shape)
for bad in (lambda: t.view(-1), lambda: x.view(5, 2), lambda: x.reshape(7), lambda: x.expand(2, 4), lambda: x.view(-1, -1), lambda: x.transpose(0, 2), lambda: x.squeeze(5), lambda: x.permute(0, 0)):
    try:
        bad()
    except (RuntimeError, IndexError) as error:
        print(type(error).__name__, error)
