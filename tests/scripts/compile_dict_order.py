# A dict with the same keys in another order is another dict to whoever goes through it.
import collections
import os

# PyTorch's own compiler keeps to some of its first answers here: the record is eager's.
os.environ["TORCH_COMPILE_DISABLE"] = "1"

import torch

x = torch.tensor([1.0])


def check(name, body, *values):
    """The compiled function gives what the function itself gives, for one value after the other."""
    torch._dynamo.reset()
    compiled = torch.compile(body)
    results = [compiled(x, value) for value in values]
    expected = [body(x, value) for value in values]
    print(name, [result.tolist() for result in results], str(results) == str(expected))


ab, ba, other = {"a": 1, "b": 2}, {"b": 2, "a": 1}, {"a": 1, "c": 2}
orders = ab, ba, other, {}, ab


def digits(items):
    number = 0
    for item in items:
        number = number * 10 + (item if isinstance(item, int) else ord(item) - 96)
    return number


def named(**values):
    return digits(values.values()) + digits(values)


check("values", lambda x, d: x * digits(d.values()), *orders)
check("items", lambda x, d: x * digits([v for _, v in d.items()]), *orders)
check("keys", lambda x, d: x * digits(d.keys()), *orders)
check("iteration", lambda x, d: x * digits(d), *orders)
check("loop", lambda x, d: sum([x * (10**i) * d[k] for i, k in enumerate(d)], x), *orders)
check("list", lambda x, d: x * digits(list(d)), *orders)
check("tuple", lambda x, d: x * digits(tuple(d.values())), *orders)
check("reversed", lambda x, d: x * digits(reversed(d)), *orders)
check("unpacked", lambda x, d: x * digits([*d.values()]), *orders)
check("keywords", lambda x, d: x * named(**d), *orders)
check("merged", lambda x, d: x * digits({**d, "z": 3}.values()), *orders)
check("union", lambda x, d: x * digits((d | {"z": 3}).values()), *orders)
check("dict()", lambda x, d: x * digits(dict(d).values()), *orders)
check("copy", lambda x, d: x * digits(d.copy()), *orders)
check("comprehension", lambda x, d: x * digits({k: v for k, v in d.items()}), *orders)
check("next", lambda x, d: x * digits(next(iter(d), "z")), *orders)
check("first", lambda x, d: x * digits(min(d, key=lambda k: 1, default="z")), *orders)
check("zip", lambda x, d: x * sum([i * v for i, v in zip([1, 10], d.values())]), *orders)
check("star", lambda x, d: x * (lambda first="z", *rest: digits([first, *rest]))(*d), *orders)
check("text", lambda x, d: x * digits(d and next(iter(str(d).split("'")[1:]))), *orders)
check("Counter", lambda x, d: x * digits(collections.Counter(d).values()), *orders)
check("fromkeys", lambda x, d: x * digits(dict.fromkeys(d, 3)), *orders)
check("tensors", lambda x, d: torch.cat([v for v in d.values()]), {"a": x, "b": x * 2}, {"b": x * 2, "a": x})
check("numbers as keys", lambda x, d: x * digits(d), {1: 2, 3: 4}, {3: 4, 1: 2}, {1: 2})
check("length alone", lambda x, d: x * len(d) + d["a"], ab, ba, other)


class Settings:
    def __init__(self, *names):
        for number, name in enumerate(names):
            setattr(self, name, number + 1)


check("vars", lambda x, o: x * digits(vars(o)), Settings("a", "b"), Settings("b", "a"))
check("__dict__", lambda x, o: x * digits(o.__dict__.values()), Settings("a", "b"), Settings("c"))

ordered = collections.OrderedDict(a=1, b=2)
f = torch.compile(lambda x: x * digits(ordered))
print(f(x))
ordered.move_to_end("a")
print(f(x))

table = {"a": 1, "b": 2, "c": 3}
f = torch.compile(lambda x: x * digits(table.values()))
print(f(x))
table["a"] = table.pop("a")
print(f(x))
table["b"] = 7
print(f(x))


# What the region writes itself goes behind what was there.
@torch.compile
def write_and_read(x, d):
    d["new"] = 5
    d["a"] = 6
    return x * digits(d.values())


for d in ({"a": 1, "b": 2}, {"b": 2, "a": 1}, {"b": 2}, {"new": 1, "a": 2}):
    print(write_and_read(x, d), d)
