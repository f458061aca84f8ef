# How often each int occurs, and sums of weights; what cannot be counted.
import torch

n = torch.tensor([3, 1, 3, 0, 7, 3])


def attempt(run):
    try:
        print(run())
    except (RuntimeError, NotImplementedError) as error:
        print(type(error).__name__, error)


attempt(lambda: torch.bincount(n))
attempt(lambda: torch.bincount(n, minlength=10))
attempt(lambda: n.byte().bincount(torch.arange(6.0)))
attempt(lambda: n.bincount(torch.arange(6), 2))
attempt(lambda: n[::2].bincount(torch.arange(6).half()[::2]))
attempt(lambda: torch.bincount(n[:0]))
attempt(lambda: torch.bincount(n[:0], minlength=3))
attempt(lambda: torch.bincount(n - 2))
attempt(lambda: torch.bincount(n.float()))
attempt(lambda: torch.bincount(n > 2))
attempt(lambda: torch.bincount(n.reshape(2, 3)))
attempt(lambda: torch.bincount(n, minlength=-1))
attempt(lambda: n.bincount(torch.ones(3)))
attempt(lambda: n.bincount(torch.ones(2, 3)))
counted = torch.compile(lambda x: torch.bincount(x * 2) + 1)
for x in (n, n[:2], n):
    attempt(lambda: counted(x))
