# Tuples and lists are sorted column by column; what is behind equal items decides, then the place.
import bisect
import json
import random
from collections import Counter


class Wrapped:
    """Compares as its value does: sorted through `__lt__`."""

    def __init__(self, value):
        self.value = value

    def __lt__(self, other):
        return self.value < other.value


def agrees(values):
    for reverse in (False, True):
        expected = [one.value for one in sorted([Wrapped(v) for v in values], reverse=reverse)]
        found = sorted(values, reverse=reverse)
        if found != expected or not all(a is b for a, b in zip(found, expected)):
            return False
    return True


random.seed(5)
for n in (0, 1, 2, 13, 40, 700):
    for limit in (2, 10, 100000):
        column = [random.randrange(limit) for _ in range(n)]
        other = [random.randrange(limit) for _ in range(n)]
        rows = [(a, str(b), float(a % 3), [b]) for a, b in zip(column, other)]
        kinds = [
            rows,
            [list(row[:2]) for row in rows],
            [row[:a % 4 + 1] for row, a in zip(rows, column)],
            [(str(a) * 3, b) for a, b in zip(column, other)],
            [str(a) + "\0" * (b % 3) for a, b in zip(column, other)],
            [("é" * (a % 3) + str(b),) for a, b in zip(column, other)],
            [(a % 2 == 0, b) for a, b in zip(column, other)],
            [(a % 2 or 1.0, b) for a, b in zip(column, other)],
            [(a, (b, -a)) for a, b in zip(column, other)],
        ]
        assert all(agrees(values) for values in kinds), (n, limit)
print(sorted([(float("nan"), 1), (1.0, 2)] * 8)[:2])


def show(call):
    try:
        print(call())
    except Exception as error:
        print(f"{type(error).__name__}: {error}")


show(lambda: sorted([(1, "a"), (1, 2)] * 9))
show(lambda: sorted([[1, None], [1, None], [0, {}]] * 9)[-1])
show(lambda: (1, 2) < (1, "a"))
show(lambda: [(1, 2) < (1, 3), (1, "a") < (1, "b"), (1, 2) < (1, 2, 3), [1, [2]] < [1, [3]]])
show(lambda: [(1, 2) == (1, 2.0), (1, "a") != (1, "a"), (1, True) == (1, 1), (1,) == [1]])
show(lambda: [max(1, 3, 2), max("a", "b"), max(2.0, 1), min((1, 2), (0, 3)), max(*[3, 4]), max([1], [2])])
show(lambda: max(1, "a"))
show(lambda: min(1, "a"))
show(lambda: max(*[]))
show(lambda: max(3, 4, default=5))
show(lambda: [1 in [2, [1]], [1] in [2, [1]], 1.0 in (1, 2), "a" in ["b", "a"], None in [0, None]])

places = [1, 3, 3, 5]
bisect.insort(places, 4)
bisect.insort_left(places, 3)
print(places, bisect.bisect(places, 3), bisect.bisect_left(places, 3), bisect.bisect("abd", "c"))
print(bisect.bisect_left([(1, 2), (2, 1)], 2, key=lambda row: row[0]), bisect.bisect(places, 3, lo=1, hi=2))
show(lambda: bisect.bisect(places, 1, -1))
show(lambda: bisect.bisect(places, "a"))
show(lambda: bisect.bisect([1], 2, 0, 5))

counter = Counter("ab")
counter.update("bcc")
print(counter, counter["zz"], Counter([1, 1.0, True]), Counter(Counter("aa")), list(counter))
show(lambda: Counter([[1]]))
print(json.dumps({"a": [1, 2.5, None, True, "é\n\x01\U0001f600"], "b": {}, "c": ()}))
print(json.dumps("é\x7f", ensure_ascii=False), json.dumps("\x7f"), json.dumps({1: 2, None: True}))
print(json.dumps([1e20, 1e-7, 1.0, -0.0]), json.dumps([1, {"a": 2}], separators=(",", ":")))
nested = []
for _ in range(300):
    nested = [nested]
print(len(json.dumps(nested)))
