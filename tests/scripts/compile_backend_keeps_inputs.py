"""A backend of the script's own, and regions that hand on or store what they were given."""

import torch


@torch.compile(backend=lambda gm, inputs: gm.forward)
def handed_on(x, s, values):
    return x * 2, s, x, values


class Holder:
    pass


holder = Holder()


@torch.compile(backend=lambda gm, inputs: gm.forward)
def stored(x, name):
    holder.last = x
    holder.name = name
    return x + 1


for i in range(4):
    x = torch.full((3,), float(i))
    double, text, same, values = handed_on(x, "text", [i, x])
    print(double, text, same is x, values[1] is x)
    y = stored(x, f"call {i}" if i > 2 else "call")
    print(y, holder.last is x, holder.name)
