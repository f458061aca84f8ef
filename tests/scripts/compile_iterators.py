# tolerance: 1e-5
# A region that ends in code which a native calls for each item: every item still comes once.
import torch


def shown(x):
    return f"<{x.tolist()}>"


def numbers(items):
    for each in items:
        yield each.item()


@torch.compile
def joined(items):
    return "[" + ", ".join(map(shown, items)) + "]"


@torch.compile
def generated(items):
    return ", ".join(f"{each.tolist()}" for each in items)


@torch.compile
def nested(value):
    if isinstance(value, list):
        return "[" + ", ".join(map(nested, value)) + "]"
    return shown(value * 2)


@torch.compile
def gathered(items):
    x = items[0] + 1
    found = [0]
    found.extend(numbers(items))
    first, *rest = numbers(items)
    total = sum(numbers(items), 0.5)
    largest = max(items, key=lambda each: float(each))
    table = dict((each.item(), each) for each in items)
    return x, found, first, rest, total, largest, table, 2.0 in numbers(items)


for _ in range(2):
    print(joined([torch.ones(2), torch.zeros(1)]))
    print(generated([torch.ones(2), torch.zeros(1)]))
    print(nested([torch.ones(1), [torch.zeros(1), torch.ones(2)]]))
    print(gathered([torch.tensor(1.0), torch.tensor(2.0), torch.tensor(0.5)]))
