# `match` in compiled functions: what a pattern reads of its subject is guarded.
import os

# PyTorch's own compiler keeps to some of its first answers here: the record is eager's.
os.environ["TORCH_COMPILE_DISABLE"] = "1"

import torch

x = torch.tensor([1.0])


def check(name, body, *values):
    """The compiled function gives what the function itself gives, for one value after the other."""
    for order in (values, values[::-1]):
        torch._dynamo.reset()
        compiled = torch.compile(body)
        results = [compiled(x, value) for value in order]
        expected = [body(x, value) for value in order]
        print(name, [result.tolist() for result in results], str(results) == str(expected))


class Point:
    __match_args__ = ("x", "y")

    def __init__(self, x, y):
        self.x, self.y = x, y

    @property
    def double(self):
        return self.x * 2


class Nothing:
    pass


def sequence(x, value):
    match value:
        case []:
            return x
        case [first]:
            return x + first
        case [1, *rest]:
            return x + 10 * len(rest)
        case [first, [second, *_]]:
            return x + first * second
        case (first, second) if first > second:
            return x - first
        case [*_, 1]:
            return x - 100
        case _:
            return x * 50


def mapping(x, value):
    match value:
        case {"rate": rate, "kind": "fast"}:
            return x * rate * 2
        case {"rate": float() | int() as rate}:
            return x * rate
        case {"inner": {"rate": rate}}:
            return x + rate
        case {"inner": [rate, *_]}:
            return x - rate
        case {"a": 1, **rest}:
            return x + len(rest) + sum(rest.values())
        case {"b": None}:
            return x + 9
        case {}:
            return x * 5
        case _:
            return x * 7


def instance(x, value):
    match value:
        case Point(2, y):
            return x * y
        case Point(x=3, y=y):
            return x - y
        case Point(double=14):
            return x + 7
        case Point(0 | 1, Point(inner, _)):
            return x + inner
        case Point(first):
            return x + first * 100
        case Nothing(tag=tag):
            return x - tag
        case Nothing():
            return x
        case int(number) | [number]:
            return x + number * 0.5
        case str():
            return x + len(value)
        case _:
            return x * 9


check("sequence", sequence, [], [1], [2], [1, 2], [1, 2, 3], [2, [3]], [2, [4, 5]])
check("sequence again", sequence, (3, 2), [2, 3], [5, 6, 1], [5, 6, 2], "no", (4,))
check("mapping", mapping, {"rate": 2}, {"rate": 3}, {"rate": 3, "kind": "fast"}, {"rate": "x"})
check("mapping again", mapping, {"inner": {"rate": 1}}, {"inner": {"rate": 2}}, {"inner": [3]}, {})
check("mapping rest", mapping, {"a": 1}, {"a": 1, "b": 2}, {"a": 2}, {"b": None}, {"b": 0}, 4)
check("instance", instance, Point(2, 3), Point(2, 4), Point(3, 5), Point(3, 6), Point(5, 1))
check("instance again", instance, Point(7, 3), Point(1, Point(6, 0)), Point(1, Point(7, 0)), Point(8, 1))
tagged = Nothing()
tagged.tag = 4
check("another class", instance, Nothing(), tagged, 3, 4, [5], "text", "texts", None)

# The names that positional patterns stand for belong to the class.
f = torch.compile(instance)
point = Point(2, 6)
print(f(x, point))
Point.__match_args__ = ("y", "x")
print(f(x, point))
