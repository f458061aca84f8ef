# `__slots__` is enforced: which attributes there may be, and what is said of the others.
from dataclasses import dataclass


class Point:
    __slots__ = ("x", "y", "__hidden")
    size = 2

    def __init__(self, x, y):
        self.x = x
        self.y = y
        self.__hidden = x + y

    def total(self):
        return self.__hidden


class Point3(Point):
    __slots__ = ["z"]


class Loose(Point):
    pass


class WithDict:
    __slots__ = ("a", "__dict__")


class One:
    __slots__ = "value"


def attempt(action):
    try:
        print(action())
    except (AttributeError, TypeError, ValueError) as error:
        print(type(error).__name__, error)


p = Point(1, 2)
print(p.x, p.y, p.total(), p.size)
attempt(lambda: setattr(p, "z", 3))
attempt(lambda: setattr(p, "size", 3))
attempt(lambda: p.__dict__)
attempt(lambda: vars(p))
attempt(lambda: p.z)
del p.x
attempt(lambda: p.x)
p.x = 5
print(p.x, hasattr(p, "__dict__"))

q = Point3(1, 2)
attempt(lambda: q.z)
q.z = 3
print(q.x, q.y, q.z)
attempt(lambda: setattr(q, "w", 3))

loose = Loose(1, 2)
loose.anything = 4
print(loose.anything, loose.x)
w = WithDict()
w.a, w.b = 1, 2
print(w.a, w.b)
o = One()
o.value = 1
attempt(lambda: setattr(o, "v", 1))
for i in range(3):
    o.value += i
print(o.value)


def conflicting():
    class C:
        __slots__ = ("x",)
        x = 1


def numbers():
    class C:
        __slots__ = (1,)


def no_names():
    class C:
        __slots__ = ("a b",)


for make in (conflicting, numbers, no_names):
    attempt(make)


@dataclass(slots=True)
class Pair:
    left: int
    right: int = 2


pair = Pair(1)
print(pair, pair == Pair(1, 2), Pair.__slots__)
attempt(lambda: setattr(pair, "middle", 3))
p.nosuch = 1
