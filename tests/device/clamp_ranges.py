# Bounds that no element of the type can have, eagerly and compiled: the same everywhere.
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"


def result(run, *arguments):
    try:
        found = run(*arguments)
        return str(found.dtype), found.tolist()
    except RuntimeError as error:
        return str(error)


def clamped(x, least, most):
    return x.clamp(least, most)


def clamped_in_place(x, least, most):
    y = x + 0
    y.clamp_(least, most)
    return y


def at_least(x, least):
    return x.clamp_min(least)


def at_most(x, most):
    return torch.clamp_max(x, most)


for dtype in (torch.uint8, torch.int8, torch.int16, torch.int32):
    x = torch.tensor([0, 1, 5, 100, 7], device=device).to(dtype)
    for bounds in ((-3, 3), (300, None), (None, 300), (None, -300), (-40000, 40000), (300, 200)):
        for run in (clamped, clamped_in_place):
            found = result(run, x, *bounds)
            print(dtype, bounds, found, result(torch.compile(run), x, *bounds) == found)
    for run in (at_least, at_most):
        for bound in (-300, -3, 3, 300):
            found = result(run, x, bound)
            print(dtype, run.__name__, bound, found, result(torch.compile(run), x, bound) == found)

# One compiled function of many bounds.
x = torch.tensor([1, 2], dtype=torch.uint8, device=device)
bounded = torch.compile(lambda x, n: x.clamp(n, 250))
print([result(bounded, x, n) for n in (1, 2, -5, 0, 240, 256, 3)])
