"""Negative places in tensors whose sizes vary: counted from the end of the size at hand."""
import torch


@torch.compile(dynamic=True)
def counted(m):
    ones = (m > 0).long()
    return (ones * 2)[-ones - 1], m[-ones - 1]


@torch.compile
def later(m, i):
    return (m * 2)[i * 1], m.t()[i], m[:, 0][i]


for size in (3, 5, 4, 7):
    m = torch.arange(float(size)) - 1
    print(counted(m))
    print(later(m.unsqueeze(1).expand(size, size).contiguous(), -(m > 0).long() - 1))
