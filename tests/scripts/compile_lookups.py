# tolerance: 1e-5
"""What is looked up in a kernel's own results: rows of a tensor that waits for a reduction, and elements of a scan."""
import torch


@torch.compile
def normed(m, i):
    n = m / (1 + m.abs().sum(1, keepdim=True))
    return n[i] / (1 + n.abs().sum(1, keepdim=True))


@torch.compile
def within_rows(m, i):
    n = m.softmax(1)
    return n.gather(1, i.expand(3, -1)) + n.amax(1, keepdim=True)


@torch.compile
def columns(m, i):
    n = (m - m.mean(1, keepdim=True)).t()
    n = n + n[:, i]
    return n.index_select(1, i).masked_fill((m > 1) & (n != 1), 0.5)


@torch.compile
def sums(m, i):
    total = m.sum(1)
    return total[i] + total, m - total[i].unsqueeze(1)


@torch.compile
def running(m, i):
    steps = m.cumsum(0)
    return steps[i] + steps, steps.sort(0)[0].gather(0, m.argsort(0))


@torch.compile
def first_needs_library(x, i):
    return x.take(i) + x.diff().sum()


m = torch.tensor([[1.0, -4.0, 9.0], [0.5, 2.0, -3.0], [7.0, 0.25, 6.0]])
for places in ([2, 1, 0], [0, 0, 2]):
    i = torch.tensor(places)
    for f in (normed, within_rows, columns, sums, running):
        print(f.__name__, f(m, i))
    print(first_needs_library(m[0], i))
