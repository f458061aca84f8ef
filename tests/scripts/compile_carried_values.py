# Values that a region makes and hands out are made again by later calls: named tuples, containers of
# classes of their own, sets, views of dicts.
import torch
from collections import Counter, OrderedDict, namedtuple

Point = namedtuple("Point", "a b")


def compiled(f):
    return torch.compile(f, fullgraph=True, backend="eager")


def three(f, x):
    g = compiled(f)
    results = [g(x + i) for i in range(3)]
    print(type(results[0]).__name__, *results)
    return results


x = torch.tensor([3.0, 1.0, 2.0])
best = three(lambda x: x.max(dim=0), x)
print(best[2].values, best[2].indices, isinstance(best[2], tuple))
three(lambda x: torch.sort(x), x)
three(lambda x: x.topk(2), x)
three(lambda x: Point(x + 1, b=3)._replace(b=[x]), x)
three(lambda x: OrderedDict(a=x + 1, b=x), x)
three(lambda x: frozenset((1, 2)), x)
three(lambda x: Counter("aab"), x)
three(lambda x: list({"a": x + 1}.keys()), x)

views = three(lambda x: {"a": x + 1, "b": 2}.values(), x)
print([len(view) for view in views])
made = three(lambda x: {1} | {int(x.shape[0])}, x)
made[0].add(7)
print(sorted(made[0]), sorted(made[1]))


@compiled
def shared(x):
    table = OrderedDict(a=[x * 2])
    return table, table["a"], table.items()


table, inner, items = shared(x)
table, inner, items = shared(x)
table["b"] = 1
print(table["a"] is inner, len(items), type(table).__name__)


@torch.compile(backend="eager")
def over_a_break(x):
    found = x.max(dim=0)
    seen = {"x", "y"}
    order = OrderedDict(found=found)
    print("here")
    order["more"] = found.values + 1
    seen.add("z")
    return order["more"] + found.indices, len(seen), order["found"] is found


for i in range(3):
    print(over_a_break(x + i))
