# More memory than there is, and sizes that no memory has: an error that a script can catch.
import torch

kept = []


def attempt(function):
    try:
        kept.append(function())
    except RuntimeError as error:
        print(str(error))


attempt(lambda: torch.zeros(10**13))
attempt(lambda: torch.ones(10**6, 10**8))
attempt(lambda: torch.zeros(2**40, 2**40))
attempt(lambda: torch.zeros(1, dtype=torch.float64).expand(10**14).clone())
attempt(lambda: torch.arange(10**14))
attempt(lambda: torch.empty(10**15))
x = torch.ones(3).expand(10**14, 3)
attempt(lambda: x + 1)
attempt(lambda: (x * 2).sum(dim=1))
print(x.shape, x[5].sum())
