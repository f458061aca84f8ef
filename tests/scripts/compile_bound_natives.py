"""Methods of builtin types that come from outside a region, and natives that look at a number that varies."""
import functools

import torch

history, table = [], {"a": torch.ones(2), 3: "three"}
push, look = history.append, table.get
both = functools.partial(history.extend, [1, 2])


@torch.compile
def written(x):
    push(x + 1)
    both()
    return x * look("a")


for number in range(3):
    print(written(torch.ones(2)), history)
    table["a"] = torch.full((2,), float(number))


class Box:
    items = [1]


@torch.compile
def inserted(x):
    Box.items.insert(x[0].argmax().item() % 2, x * x)
    return len(Box.items)


for number in range(3):
    print(inserted(torch.arange(4.0).view(2, 2) - number), Box.items)


@torch.compile(dynamic=True)
def varied(x, n):
    own, names = [1, 2], {n: "n", 4: "four"}
    own.insert(x.shape[0] % 2, n)
    own.insert(*(n % 3, "unpacked"))
    list.insert(own, n % 2, "unbound")
    first = names.setdefault(n + 1, "next")
    return x * 2, own, names, first, names.get(n), look(n), names.get(n * 2, n), dict.get(names, n)


for number in (5, 3, 4, 6, 7):
    print(varied(torch.ones(number), number))
