# glint only
# What is computed from an int that varies, where 64 bits do not hold it: as in eager execution.
import torch


def product(x, n):
    return x + n * n


def sum_of(x, n):
    return x * (n + 2**62)


def opposite(x, n):
    return x + -n * 3


def only_python(x, n):
    return x, n * n


def branch(x, n):
    return x + (1 if n * n > 0 else 0)


def whole(x, n):
    return x.new_zeros(1).long() + n * n


def full(x, n):
    return torch.full((1,), n * n)


def builtin(x, n):
    return x + sum([n, n, n])


def absolute(x, n):
    return x + abs(n) * 2


def cancels(x, n):
    return x + (n * n - n * n + n)


def shifted(x, n):
    return x + (n << 40) + n**2


def outcome(function, n):
    try:
        return str(function(torch.zeros(1), n))
    except (OverflowError, ValueError) as error:
        return f"{type(error).__name__}: {error}"


functions = (product, sum_of, opposite, only_python, branch, whole, full, builtin, absolute, cancels, shifted)
for function in functions:
    compiled = {None: torch.compile(function), True: torch.compile(function, dynamic=True)}
    results = []
    for n in (3, 5, 2**31, 2**32, 7, 2**62, -(2**62), 9):
        eager = outcome(function, n)
        results.append(eager)
        for dynamic, each in compiled.items():
            if outcome(each, n) != eager:
                print(function.__name__, n, dynamic, outcome(each, n), "instead of", eager)
    print(function.__name__, "raises" if any("Overflow" in each for each in results) else "", results[1])


@torch.compile(dynamic=True)
def of_sizes(x):
    n = x.shape[0]
    return x.sum() + n * n * n


for n in (3, 4, 3_000_000, 5):
    try:
        print(of_sizes(torch.zeros(n)))
    except OverflowError as error:
        print(f"OverflowError: {error}")
