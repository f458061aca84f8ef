# What kernels and operators refuse is told with what was wrong, also where each launch is waited for.
import torch
import torch.nn.functional as F

x = torch.arange(12.0, device="cuda").reshape(4, 3)
bad = torch.tensor([1, 9], device="cuda")


def attempt(run):
    try:
        print(run())
    except RuntimeError as error:
        print(type(error).__name__, error)


for run in (lambda: x[bad], lambda: x.clone().index_add_(0, bad, x[:2]), lambda: x.index_copy(0, bad, x[:2]),
            lambda: x.clone().index_fill_(0, bad, 1), lambda: x.index_put((bad,), x[0]),
            lambda: F.one_hot(bad, 3), lambda: F.one_hot(-bad), lambda: F.one_hot(bad[:0]),
            lambda: F.one_hot(bad, 0), lambda: F.embedding(bad, x)):
    attempt(run)
    attempt(torch.compile(run))
print(F.one_hot(bad // 4), F.one_hot(bad // 4, 4).shape, F.one_hot(bad[:0], 2).shape)
