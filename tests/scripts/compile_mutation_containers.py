# tolerance: 1e-5
# Writes of a compiled function to lists, dicts and sets from outside.
import torch

x = torch.tensor([1.0, 2.0])


def run(function, *calls):
    compiled = torch.compile(function)
    for arguments in calls:
        print(compiled(*arguments))


history = []


def append(x):
    loss = (x * x).sum()
    history.append(loss)
    history.extend([loss * 2, None])
    return loss + 1


run(append, (x,), (x + 1,), (x,))
print(history)


def window(items, x):
    items.append(x.sum())
    if len(items) > 2:
        items.pop(0)
    total = items[0]
    for item in items[1:]:
        total = total + item
    return total


recent = []
run(window, (recent, x), (recent, x + 1), (recent, x + 2), (recent, x + 3), (recent, x + 4))
print(recent)


def edits(items, x):
    items[0] = x + 1
    items.insert(1, "new")
    last = items.pop()
    del items[-1]
    items += (last, 7)
    items[1:2] = [items[0] * 2, 9]
    return items[0] + len(items)


for n in (3, 3, 4):
    items = [1, 2, 3, 4][:n]
    print(torch.compile(edits)(items, x), items)


def rich(items, names, x):
    items.sort(reverse=True)
    names.remove("b")
    names.reverse()
    names *= 2
    items.clear()
    items.append(len(items))
    items.extend(i * i for i in range(3))
    return x * items[-1]


for i in range(3):
    items, names = [3, 1, 2], ["a", "b", "c"]
    print(torch.compile(rich)(items, names, x), items, names)


def while_iterating(items, x):
    for item in items:
        x = x + item
        if len(items) < 6:
            items.append(item + 10)
        else:
            items[0] += 1
    return x


for i in range(2):
    items = [1, 2, 3]
    print(torch.compile(while_iterating)(items, x), items)

counts = {}


def count(k, x):
    counts[k] = counts.get(k, 0) + 1
    return x * counts[k]


run(count, ("a", x), ("a", x), ("b", x), ("a", x), ("a", x), ("a", x), ("b", x), ("b", x))
print(counts)


def entries(table, x):
    table["new"] = x + 1
    table.update(a=3, other=table["new"] * 2)
    table.update({"z": 1})
    first = table.pop("first", None)
    table.setdefault("a", 100)
    got = table.setdefault("fresh", 5)
    del table["z"]
    table[4] = (1, "x")
    table["new"] = x + 2
    return x * table["a"] + got + (first or 0) + len(table)


for table in ({"first": 2}, {"first": 2}, {}, {"a": 1, "fresh": 2}, {"a": 1, "fresh": 2}):
    print(torch.compile(entries)(table, x), table)


def order(table, x):
    table["b"] = table.pop("a")
    table["a"] = x
    names = [name for name in table]
    return names, x + len(table)


for table in ({"a": 1, "b": 2}, {"a": 1, "b": 2}, {"b": 1, "a": 2}, {"c": 3, "a": 1}):
    print(torch.compile(order)(table, x), table)


def cleared(table, x):
    table.clear()
    table["one"] = x
    return x + len(table)


for table in ({"a": 1}, {"b": 2, "c": 3}, {}):
    print(torch.compile(cleared)(table, x), table)

seen = set()


def elements(x):
    seen.add("a")
    seen.add(len(x))
    seen.discard("b")
    seen.update([1, 2], (3,))
    return x + 1


run(elements, (x,), (x,))
seen.add("b")
run(elements, (x,))
print(sorted(str(each) for each in seen))


def two_lists(a, b, x):
    a.append(1)
    return x * len(b)


one, two = [1], [1, 2]
run(two_lists, (one, two, x), (two, two, x), ([], [1, 2], x), ([5, 5], [1, 2], x))
print(one, two)


def same_list(a, b, x):
    a.append(x)
    b.append(x + 1)
    return a[-1] - b[-2] + b[-1]


for i in range(3):
    both = [x] * 3
    print(torch.compile(same_list)(both, both, x), both)
    print(torch.compile(same_list)([x], [x, x], x))


def nested(state, x):
    state["log"].append(state["step"])
    state["step"] += 1
    inner = [state["step"]]
    state["inner"] = inner
    inner.append(x.sum())
    state["log"][0] = inner
    return x * state["step"]


state = {"log": [None], "step": 0}
run(nested, (state, x), (state, x), (state, x), (state, x))
print(state, state["log"][0] is state["inner"])


def with_break(items, x):
    items.append(1)
    y = x * 2
    print("items", items)
    items.append(2)
    items[0] = y
    return y + len(items)


for i in range(3):
    items = [0] * (i % 2)
    print(torch.compile(with_break)(items, x), items)


def undone(items, table, x):
    items.append(x * 2)
    table["a"] = x * 3
    items.pop(0)
    value = table["missing"]
    items.append(value)
    return value + x


for i in range(3):
    items, table = [1, 2], {"b": 1}
    try:
        torch.compile(undone)(items, table, x)
    except KeyError as error:
        print("KeyError", error, items, table)


def generated(items, x):
    def produce():
        for i in range(3):
            yield i
            print("produced", i)

    items.extend(produce())
    return x + len(items)


for i in range(2):
    items = ["first"]
    print(torch.compile(generated)(items, x), items)


def by_key(items, x):
    items.sort(key=lambda item: -item)
    return x * items[0]


run(by_key, ([1, 3, 2], x), ([1, 3, 2], x), ([1, 3, 5], x))


class Table(dict):
    pass


def subclass(table, x):
    table["a"] = x
    return table["a"] + 1


own = Table()
run(subclass, (own, x), (own, x))
print(own)


def extended_by_itself(items, x):
    items.extend(items)
    items += items
    return x * len(items)


for i in range(2):
    items = [1, x]
    print(torch.compile(extended_by_itself)(items, x), items)


def swapped(items, x):
    items[0], items[1] = items[1], items[0]
    return x + items[0]


items = [1.5, 2.5]
run(swapped, (items, x), (items, x), (items, x))
print(items)
