# Comparisons, hashes and operators on sets read all of what they are given, however deep it lies.
import dataclasses
import itertools
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


sets = {1}, {1, 2}, {3}, set(), {2, 1}, {1}
check("and", lambda x, s: x * len({1, 2} & s), *sets)
check("or", lambda x, s: x * len(s | {1}), *sets)
check("minus", lambda x, s: x * len({1, 2} - s), *sets)
check("xor", lambda x, s: x * len(s ^ {1}), *sets)
check("frozen", lambda x, s: x * len(s & {1}), *map(frozenset, sets))
check("compared", lambda x, s: x * (s == {1}) + (s < {1, 2}), *sets)
check("member", lambda x, s: x * (2 in s), *sets)
check("sum of a set", lambda x, s: x * sum(s), *sets)
check("loop over a set", lambda x, s: sum([x * e for e in s], x), *sets)
check("union", lambda x, s: x * len(s.union([5])), *sets)
check("names", lambda x, s: x * ("b" in s) + len(s), {"a"}, {"a", "b"}, {"b"}, {None, 1.5, "b"})
check("true is not one", lambda x, s: x * [type(e) is bool for e in s].count(True), {1}, {True})


def set_in_place(x, s):
    own = {1}
    own |= s
    own -= {2}
    own ^= s
    return x * sum(own) + len(own)


check("in place", set_in_place, *sets)

lists = [1, 2], [1, 3], [1], [], [1, 2]
check("list of it", lambda x, s: x * ([s] == [[1, 2]]), *lists)
check("tuple of it", lambda x, s: x * ((1, s) == (1, [1, 2])), *lists)
check("order", lambda x, s: x * ([0, s] < [0, [1, 3]]), *lists)
check("in", lambda x, s: x * (s in [[1], [1, 2]]), *lists)
check("in it", lambda x, s: x * ([1] in [s, s]), *lists)
check("dict of it", lambda x, s: x * ({"k": s} == {"k": [1, 2]}), *lists)
check("copy", lambda x, s: x * ([s].copy() == [[1, 2]]), *lists)
check("count", lambda x, s: x * [s, s, [1]].count([1]), *lists)
check("index", lambda x, s: x * [s, [1, 2]].index([1, 2]), *lists)
check("max", lambda x, s: x * sum(max([s, [1, 2, 0]])), *lists)
check("max of two", lambda x, s: x * len(max(s, [1, 2, 0])), *lists)
check("generator", lambda x, s: x * sum(max(each for each in [s, [1, 2, 0]])), *lists)
check("sorted", lambda x, s: x * sum(sorted([[1, 2, 0], s])[0]), *lists)
check("flattened", lambda x, s: x * sum(sum([s, [4]], [])), *lists)
check("chained", lambda x, s: x * sum(itertools.chain.from_iterable([s, [4]])), *lists)
check("text", lambda x, s: x * len(f"{[s]}") + len("%s %s" % (s, 1)), *lists, [1, 20])
check("tensor", lambda x, s: x * torch.tensor([s, s]).sum(), [1, 2], [1, 3])

nested = [[1], {"a": [2]}], [[1], {"a": [3]}], [[4], {"a": [3]}], [[1], {"b": [2]}]
check("nested", lambda x, s: x * ((s, 0) == ([[1], {"a": [2]}], 0)), *nested)
check("nested copy", lambda x, s: x * (s.copy() == [[1], {"a": [2]}]), *nested)
check("dict copy", lambda x, s: x * (dict(s[1]) == {"a": [2]}), *nested)
check("views", lambda x, s: x * ([*s[1].values()] == [[2]]), *nested)
check("zip", lambda x, s: x * (sorted(zip(s, s))[0] == ([1], [1])), [[1]], [[2]], [[3], [1]])

keys = ((1, 2), 3), ((1, 3), 3), ((1, 2), 4), (1, 2)
check("get", lambda x, t: x * {((1, 2), 3): 5}.get(t, 6), *keys)
check("item", lambda x, t: x * (t in {((1, 2), 3): 5}), *keys)
check("set of it", lambda x, t: x * len({t, ((1, 2), 3)}), *keys)
check("key of it", lambda x, t: x * len({(0, t): 1, (0, ((1, 2), 3)): 2}), *keys)
check("setdefault", lambda x, t: x * {((1, 2), 3): 5}.setdefault(t, 6), *keys)
check("pop", lambda x, t: x * {((1, 2), 3): 5}.pop(t, 6), *keys)
check("hash", lambda x, t: x * (hash((t, 1)) == hash((((1, 2), 3), 1))), *keys)


@dataclasses.dataclass(order=True)
class Options:
    sizes: list
    rate: int = 1


@dataclasses.dataclass(frozen=True)
class Key:
    at: tuple


options = Options([1]), Options([2]), Options([1], 2), Options([1, 2])
check("dataclass ==", lambda x, o: x * (o == Options([1])), *options)
check("dataclass <", lambda x, o: x * (o < Options([1, 1])), *options)
check("asdict", lambda x, o: x * (dataclasses.asdict(o) == {"sizes": [1], "rate": 1}), *options)
check("astuple", lambda x, o: x * (dataclasses.astuple(o) == ([1], 1)), *options)
check("replace", lambda x, o: x * (dataclasses.replace(o, rate=1) == Options([1])), *options)
check("repr", lambda x, o: x * len(repr(o)), *options)
check("frozen", lambda x, k: x * {Key((1, 2)): 3}.get(k, 4), Key((1, 2)), Key((1, 3)))


def slices(x, s):
    own = [0, 0, 0]
    own[0:1] = s
    other = [0, 0, 0, 0]
    other[::2] = (s + [7, 8])[:2]
    return x * sum(own) + other[0] - other[2]


check("slices", slices, [2], [3], [3, 4], [])


def in_place(x, t):
    t += (1,)
    return x * sum(t)


check("a tuple in place", in_place, (1,), (2,), (2, 3))


def text_in_place(x, t):
    text = "%s"
    text %= t
    return x * len(text)


check("a text in place", text_in_place, ([1],), ([10],), ([1, 2],))
check("yield from", lambda x, s: x * sum((lambda: (yield from s))()), *lists)


class Loose:
    def __getattr__(self, name):
        return 5


class Base:
    pass


class Child(Base):
    def __init__(self):
        self.own = 2


# A name that `__getattr__` gave, until the class or a base has it.
loose = Loose()
f = torch.compile(lambda x: x * loose.missing)
print(f(x))
Loose.missing = 8
print(f(x))
del Loose.missing
print(f(x))

child = Child()
g = torch.compile(lambda x: x * getattr(child, "absent", 3) + child.own)
print(g(x))
Base.absent = 4
print(g(x))
Base.own = property(lambda self: 11, lambda self, value: None)
print(g(x))


# A native that is handed its arguments as a list reads the attribute too.
class Box:
    def __init__(self, value):
        self.value = value


check("getattr", lambda x, o: x * getattr(*[o, "value"]), Box(1), Box(2))
check("hasattr", lambda x, o: x * hasattr(*(o, "value")), Box(1), Loose(), Base())
