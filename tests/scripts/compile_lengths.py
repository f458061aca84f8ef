"""What a region knows of the length of sets, dicts and views from outside, and after its own writes."""
import torch

numbers, table = {1, 2, 3}, {"a": 1}
views, frozen = table.values(), frozenset([1])


@torch.compile
def lengths(x):
    return x * len(numbers) + len(views) + len(frozen)


@torch.compile
def truths(x):
    return x + (1 if numbers else 0) + (1 if views else 0) + (2 in numbers) + (1 in views)


@torch.compile
def contents(x):
    for each in numbers:
        x = x + each
    return x + sum(numbers) + len(sorted(views)) + (numbers == {1}) + len(numbers & {1, 2})


@torch.compile
def removed(x):
    numbers.remove(max(numbers))
    return x * len(numbers)


for step in range(5):
    for function in (lengths, truths, contents):
        print(function.__name__, function(torch.ones(2)))
    if step < 2:
        print(removed(torch.ones(2)), sorted(numbers))
    numbers.discard(step)
    table[str(step)] = step
    if step == 3:
        numbers.clear()
        table.clear()
        numbers.add(7)
        table["z"], frozen = 9, frozenset()


@torch.compile
def keyed(x, d):
    d["k"] = 1
    count = len(d)
    return (x + 1) * count if d else x


@torch.compile
def added(x, s):
    s.add(3)
    return x * len(s) + bool(s)


for names in ("ab", "ak", "kuz", ""):
    print(keyed(torch.ones(1), dict.fromkeys(names, 0)))
    print(added(torch.ones(1), {"abkuz".index(name) + 1 for name in names}))
