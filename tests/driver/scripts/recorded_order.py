# One mistake, which several kernels of a record meet: the one that was launched first tells it.
import torch

x, m = torch.arange(12.0).reshape(4, 3).cuda(), torch.ones(2, 3).cuda()
good, bad = torch.tensor([1, 2]).cuda(), torch.tensor([1, 9]).cuda()
print(x.index_add(0, good, m).sum())  # its check is known before the region's


@torch.compile(mode="reduce-overhead")
def both(x, i, m):
    y = torch.softmax(x[i], 1)
    return (x * y.sum()).index_add(0, i, m).sum(0), y


@torch.compile(mode="reduce-overhead")
def other_way(x, i, m):
    return torch.softmax(x.index_add(0, i, m)[i], 1) @ x.T


for run in (both, other_way, both):
    run(x, good, m), run(x, good, m)
    try:
        lost = run(x, bad, m)
        print("launched")
        torch.cuda.synchronize()
    except RuntimeError as error:
        print(type(error).__name__, error)
