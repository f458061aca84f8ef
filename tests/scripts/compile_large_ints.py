# Ints that vary, and what is computed from them, up to the greatest that 64 bits hold.
import torch


def square(x, n):
    return x.long() + n * n


def plus(x, n):
    return x.long() + (n + 2**62)


def minus(x, n):
    return x.long() + (-n - 2**62)


def branch(x, n):
    return x + (1 if n * n > 0 else 0)


def halves(x, n):
    return x.long() + (n * 8 + 3) // 4 + n % 1000


def three(x, n, m):
    return x.long() + n * m * 3 + sum([n, m, n])


def back(x, n):
    return x.long() + (n - 2**62 + 1), n - 1, max(n, 5) * 2


def several(function, *calls):
    compiled = torch.compile(function)
    dynamic = torch.compile(function, dynamic=True)
    for arguments in calls:
        print(function.__name__, arguments, compiled(torch.zeros(1), *arguments), end=" ")
        print(dynamic(torch.zeros(1), *arguments))


several(square, (3,), (4,), (2**31,), (3037000499,), (-3037000499,), (5,), (7,))
several(plus, (3,), (4,), (2**61,), (2**62 - 1,), (-(2**62),), (-(2**62) - 7,), (9,))
several(minus, (3,), (4,), (2**61,), (2**62 - 2**40,), (-(2**62),), (9,))
several(branch, (3,), (4,), (2**31,), (3037000499,), (0,), (-7,))
several(halves, (3,), (4,), (2**40,), (2**59,), (-5,))
several(three, (3, 4), (4, 5), (2**40, 2**20), (2**20, 2**40), (2**58, 9), (6, 7))
several(back, (3,), (4,), (2**61,), (2**62 - 1,), (-(2**60),), (9,))


@torch.compile
def sizes(x):
    n = x.shape[0]
    return x.sum().long() + n * n * n * n


for n in (3, 4, 5, 50000):
    print(sizes(torch.ones(n)))
