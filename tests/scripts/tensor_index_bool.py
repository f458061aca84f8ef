"""A Python bool as an index: a new dimension, with everything in it or nothing."""
import torch

a = torch.arange(6.0).reshape(2, 3)


def attempt(run):
    try:
        print(run())
    except (RuntimeError, IndexError) as error:
        print(type(error).__name__, error)


for key in [True, False, (True, 0), (None, True), (0, True), (True, False), (True, slice(1)), (slice(None), True),
            (True, torch.tensor([1, 0])), (..., True)]:
    attempt(lambda: a[key])
a[True] = 1.0
a[False] = 2.0
a[0, True] = torch.tensor([7.0, 8.0, 9.0])
print(a)
attempt(lambda: a.norm(p="x"))
attempt(lambda: a.norm(p="fro"))
