# Attributes that a module does not have, asked for in a compiled function: until it has them.
import math
import sys

import torch

x = torch.ones(1)


@torch.compile
def asks(x):
    if hasattr(torch, "nope"):
        return x
    return x + 1


@torch.compile
def otherwise(x):
    return x + getattr(torch.nn.functional, "nope", 5) + getattr(math, "nope", 2.5)


@torch.compile
def raises(x):
    try:
        return x + torch.nope
    except AttributeError as error:
        return x, str(error)


@torch.compile
def several(x):
    return (
        x,
        hasattr(math, "pi"),
        hasattr(math, "nope"),
        hasattr(sys, "nope"),
        hasattr(torch.nn, "Nope"),
        hasattr(torch.nn, "Linear"),
    )


def whole(x):
    return x * (2 if hasattr(torch, "nope") else 3)


print(asks(x), otherwise(x), raises(x), several(x))
print(asks(x), otherwise(x), raises(x), several(x))
print(torch.compile(whole, fullgraph=True)(x))

torch.nope = 7
math.nope = 1.5
print(asks(x), otherwise(x), raises(x), several(x))
del torch.nope
print(asks(x), otherwise(x), raises(x), several(x))

name = "now"
late = torch.compile(lambda x: x + (here.value if hasattr(here, "value") else -1))
here = sys.modules[__name__]
print(late(x))
value = 3
print(late(x))
value = 4
print(late(x))
del value
print(late(x))
