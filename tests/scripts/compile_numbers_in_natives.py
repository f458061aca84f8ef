# Ints and floats that vary between the calls of a compiled function, handed to what reads numbers:
# special methods of classes, builtin functions over iterators, containers with methods of their own.
import bisect
import collections
import functools
import heapq
import itertools
import math
import operator
import statistics

import torch

x = torch.ones(1)


class Number:
    n = 2
    v = 2.5

    def __len__(self):
        return self.n

    def __index__(self):
        return self.n

    def __hash__(self):
        return self.n

    def __int__(self):
        return self.n

    def __float__(self):
        return self.v

    def __round__(self, digits=0):
        return self.v

    def __abs__(self):
        return self.v

    def __floor__(self):
        return self.n

    def __trunc__(self):
        return self.n

    def __iter__(self):
        yield self.v
        yield self.n

    def __contains__(self, item):
        return self.n - 3

    def __eq__(self, other):
        return self.n - 3

    def __lt__(self, other):
        return self.n - 3


class Length:
    def __len__(self):
        return number.n - 2


class Item:
    def __getitem__(self, place):
        if place > 2:
            raise IndexError(place)
        return number.v + place


number = Number()
window = collections.deque(maxlen=3)
lengths = collections.deque(maxlen=3)


def moving_average(x):
    window.append(number.v)
    return x * (sum(window) / len(window))


def lengths_of_deque(x):
    lengths.append(len(lengths))
    return x + sum(lengths)


cases = {
    "len": lambda x: x + len(number),
    "bool by len": lambda x: x + (1 if Length() else 2),
    "index": lambda x: x + list(range(50))[number],
    "slice": lambda x: x + sum(list(range(50))[:number]),
    "range": lambda x: x + sum(range(number)),
    "times": lambda x: x + len("ab" * number.n) + len([0] * number),
    "hash": lambda x: x + hash(number),
    "key": lambda x: x + {number: 5, 100: 2}[100],
    "int": lambda x: x + int(number),
    "float": lambda x: x + float(number),
    "round": lambda x: x + round(number, 1),
    "abs": lambda x: x + abs(number),
    "floor": lambda x: x + math.floor(number) + math.trunc(number),
    "sqrt": lambda x: x + math.sqrt(number),
    "in": lambda x: x + (4 in number),
    "equal": lambda x: x + (number == 4),
    "less": lambda x: x + (1 if number < 4 else 2),
    "index in list": lambda x: x + ([7, number, 8].index(number)),
    "sum": lambda x: x + sum(number),
    "sum getitem": lambda x: x + sum(Item()),
    "sum map": lambda x: x + sum(map(lambda q: q * 2, [number.v, number.n])),
    "sum repeat": lambda x: x + sum(itertools.repeat(number.v, 2)),
    "sum chain": lambda x: x + sum(itertools.chain([number.v], [number.n])),
    "sum generator": lambda x: x + sum(q * q for q in (number.v, number.n)),
    "prod": lambda x: x + math.prod(q + 1 for q in number),
    "fsum": lambda x: x + math.fsum(q for q in number),
    "max": lambda x: x + max(q for q in number) + min(iter([number.v, number.n])),
    "max key": lambda x: x + max([number.v, 4.0], key=lambda q: -q),
    "max default": lambda x: x + max((q for q in number if q > 3), default=number.v),
    "sorted": lambda x: x + sorted(q for q in (number.v, 3.0, number.n))[1],
    "sorted pairs": lambda x: x + sorted((q, 1) for q in (number.v, 3.0, number.n))[2][0],
    "sorted key": lambda x: x + sorted([number.v, 4.0, 3.0], key=lambda q: (-q, q))[0],
    "any": lambda x: x + any(q - 3 for q in (number.n, 3)) + all(q - 2 for q in (number.n, 4)),
    "filter": lambda x: x + sum(filter(None, [number.n - 2, number.v])),
    "filter loop": lambda x: x + len([q for q in filter(None, [number.n - 2, number.v])]),
    "set": lambda x: x + len(set(q for q in (number.n, 3, 4))),
    "dict": lambda x: x + dict((q, q) for q in (number.n, 30))[30],
    "counter": lambda x: x + collections.Counter(q for q in (number.n, 3))[3],
    "tuple": lambda x: x + tuple(q for q in number)[0] + list(q for q in number)[1],
    "zip": lambda x: x + sum(a * b for a, b in zip(number, [number.v, 2])),
    "enumerate": lambda x: x + sum(i for i, _ in enumerate("abc", number.n)),
    "divmod": lambda x: x + sum(divmod(number.n, 3)) + pow(number.n, 2, 3),
    "gcd": lambda x: x + math.gcd(number, 6) + math.gcd(*(q for q in (number.n, 8))),
    "format": lambda x: x + len(f"{number.n:>{number.n}}") + float(f"{number.v:.1f}"),
    "percent": lambda x: x + len("%d %5.1f" % (number, number)),
    "join": lambda x: x + len(",".join(str(q) for q in number)),
    "chr": lambda x: x + ord(chr(number.n + 60)) + int(hex(number), 16),
    "bytes": lambda x: x + bytes(q for q in (number.n, 3))[0],
    "reduce": lambda x: x + functools.reduce(operator.mul, number),
    "accumulate": lambda x: x + list(itertools.accumulate(number))[-1],
    "islice": lambda x: x + sum(itertools.islice(range(20), number.n)),
    "bisect": lambda x: x + bisect.bisect([1, 2, 3, 4], number.n),
    "heapq": lambda x: x + heapq.nsmallest(2, [number.v, 3.0, number.n])[0],
    "mean": lambda x: x + statistics.mean([number.v, number.n]) + statistics.median(number),
    "default": lambda x: x + collections.defaultdict(lambda: number.v)["q"],
    "partial": lambda x: functools.partial(lambda a, b: a + b, number.v)(x),
    "next": lambda x: x + next(iter(number)) + next(q for q in number),
    "deque": lambda x: x + sum(collections.deque([number.v, number.n], maxlen=1)),
    "moving average": moving_average,
    "lengths": lengths_of_deque,
}

for name, function in cases.items():
    compiled = torch.compile(function)
    results = []
    for i in range(5):
        number.n, number.v = i + 2, i + 2.5
        results.append([round(value, 4) for value in compiled(x).tolist()])
    print(name, results)
