# Copies as a class says them for pickles: reductions, states, slots, what holds itself, what cannot be copied.
import collections
import copy
import enum
import functools
import types

import torch


class Reduced:
    def __init__(self, n):
        self.n = n

    def __reduce__(self):
        return Reduced, (self.n,), {"again": [self.n]}


class Slotted:
    __slots__ = ("a", "b")


class Listed(list):
    pass


class Named(dict):
    def __init__(self, *args):
        super().__init__(*args)
        self.names = ["x"]


class Sets(set):
    pass


class Chosen:
    def __init__(self):
        self.kept, self.dropped = [1], [2]

    def __getstate__(self):
        return {"kept": self.kept}

    def __setstate__(self, state):
        self.__dict__.update(state)
        self.dropped = None


class Own:
    def __copy__(self):
        return "copy"

    def __deepcopy__(self, memo):
        return "deep copy"


class Node:
    def __init__(self):
        self.next, self.items = self, (self, [self])


class Level(enum.Enum):
    LOW = 1


class Failed(Exception):
    pass


Pair = collections.namedtuple("Pair", "left right")
slotted = Slotted()
slotted.a = [1]
named = Named({"k": [1]})
failed = Failed("why", [2])
failed.extra = [3]
for made in (copy.copy, copy.deepcopy):
    print(made.__name__)
    for x in (Reduced(3), Listed([[1]]), named, Sets({1}), Chosen(), collections.deque([[1]], 2), collections.OrderedDict(a=[1]),
              collections.defaultdict(list, a=[1]), collections.Counter("ab"), types.SimpleNamespace(a=[1]), failed, Pair([1], 2),
              frozenset({1}), {1, 2}, [1, [2]], (1, [2]), range(3)):
        y = made(x)
        state = {k: v for k, v in vars(y).items() if not k.startswith("_")} if type(x).__module__ == "__main__" and not isinstance(x, tuple) else None
        print(type(y).__name__, y is x, "" if "<" in repr(y) else y, state)
    y = made(slotted)
    print(y.a, y.a is slotted.a, hasattr(y, "b"), made(Own()), made(Level.LOW) is Level.LOW, made(len) is len, made(Level) is Level)
    y = made(named)
    print(y["k"] is named["k"], y.names is named.names, made(...), made(None))
    bound = made([1, 2].append)
    bound(3)
    print(bound.__self__ if made is copy.deepcopy else "", made(functools.partial(max, 3))(2))
    x = torch.arange(3.0)
    y = made(x)
    y[0] = 5
    print(x, y is x, made(torch.float32), made(torch.device("cpu")), made(x.shape))
node = copy.deepcopy(Node())
print(node.next is node, node.items[0] is node, node.items[1][0] is node)
knot = ([],)
knot[0].append(knot)
tied = copy.deepcopy(knot)
print(tied is not knot, tied[0][0] is tied)
fixed = (1, ("a", 2.5))
print(copy.deepcopy(fixed) is fixed, copy.deepcopy((1, [2])) == (1, [2]))
memo = {}
shared = [1]
print(copy.deepcopy([shared, shared], memo)[0] is memo[id(shared)] if isinstance(memo.get(id(shared)), list) else "", len(memo) > 0)
for x in ((i for i in ()), copy, open):
    for made in (copy.copy, copy.deepcopy):
        try:
            print(type(made(x)).__name__)
        except TypeError as error:
            print(error)
