# Several bases: the order of lookup, super() along it, mixins of modules, layouts that do not go together.
import abc
from abc import ABC, abstractmethod
from typing import Generic, TypeVar

import torch
import torch.nn as nn


class Base:
    def __init__(self, **options):
        self.options = options
        print("Base", sorted(options))

    def describe(self):
        return ["Base"]

    def only_base(self):
        return "only in Base"


class Left(Base):
    side = "left"

    def __init__(self, left=0, **options):
        print("Left", left)
        super().__init__(**options)
        self.left = left

    def describe(self):
        return ["Left"] + super().describe()


class Right(Base):
    side = "right"
    only = "right"

    def __init__(self, right=0, **options):
        print("Right", right)
        super().__init__(**options)
        self.right = right

    def describe(self):
        return ["Right"] + super().describe()


class Both(Left, Right):
    def describe(self):
        return ["Both"] + super().describe()


both = Both(left=1, right=2, other=3)
print(both.describe(), both.left, both.right, both.options, both.side, both.only, both.only_base())
print([c.__name__ for c in Both.__mro__], [c.__name__ for c in Both.__bases__], Both.__base__.__name__)
print([c.__name__ for c in Both.mro()], isinstance(both, Right), issubclass(Both, Base), issubclass(Left, Right))
print([c.__name__ for c in Right.__subclasses__()], super(Left, both).describe(), super(Both, both).describe())
Right.late = "set later"
print(both.late, Both.late)


# a diamond of four, and a class attribute changed after the methods were found
class Top:
    def name(self):
        return "Top"


class A(Top):
    pass


class B(Top):
    def name(self):
        return "B" + super().name()


class Bottom(A, B):
    pass


bottom = Bottom()
print(bottom.name())
A.name = lambda self: "A" + super(A, self).name()
print(bottom.name())
del A.name
print(bottom.name())


# mixins
class Named:
    label = "unnamed"

    def __repr__(self):
        return f"{type(self).__name__}({self.label})"

    @classmethod
    def make(cls, *args):
        return cls(*args)

    @property
    def shouted(self):
        return self.label.upper()


class Registry:
    known = {}

    def __init_subclass__(cls, **keywords):
        super().__init_subclass__(**keywords)
        Registry.known[cls.__name__] = cls


class Numbers(Named, list):
    label = "numbers"


class Counted(Named, dict, Registry):
    label = "counted"


numbers = Numbers.make([3, 1, 2])
numbers.sort()
print(numbers, len(numbers), numbers[0], numbers.shouted, isinstance(numbers, list), numbers == [1, 2, 3])
counted = Counted(a=1)
counted["b"] = 2
print(counted, dict(counted), counted.shouted, list(Registry.known))


class WithSlots:
    __slots__ = ("a",)


class Empty:
    __slots__ = ()


class Slotted(WithSlots, Empty):
    __slots__ = ("b",)


slotted = Slotted()
slotted.a, slotted.b = 1, 2
try:
    slotted.c = 3
except AttributeError as error:
    print(error)


# exceptions of two kinds
class ConfigError(ValueError, KeyError):
    pass


class Tagged:
    tag = "tagged"


class TaggedError(Tagged, RuntimeError):
    def __str__(self):
        return f"[{self.tag}] {self.args[0]}"


for error in (ConfigError("bad"), TaggedError("worse")):
    try:
        raise error
    except (LookupError, RuntimeError) as caught:
        print(type(caught).__name__, caught, isinstance(caught, ValueError))


# abstract classes beside modules
class Encoder(nn.Module, ABC):
    @abstractmethod
    def encode(self, x): ...

    def forward(self, x):
        return self.encode(x).sum()


class Saving:
    def count(self):
        return sum(p.numel() for p in self.parameters())


class Linear(Saving, Encoder):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.arange(6.0).reshape(2, 3))

    def encode(self, x):
        return self.weight @ x


try:
    Encoder()
except TypeError as error:
    print(error)
linear = Linear()
print(linear, linear.count(), linear(torch.ones(3)))
linear(torch.ones(3)).backward()
print(linear.weight.grad)
compiled = torch.compile(Linear())
print(compiled(torch.ones(3)).item(), compiled(torch.full((3,), 2.0)).item())


@torch.compile
def run(it, x):
    return x * len(it.describe()) + it.left


print(run(both, torch.ones(2)))
Right.describe = lambda self: ["Right", "again"] + super(Right, self).describe()
print(run(both, torch.ones(2)))

Item = TypeVar("Item")


class Stack(Base, Generic[Item]):
    def push(self, item: Item) -> "Stack[Item]":
        self.options.setdefault("items", []).append(item)
        return self


print(Stack().push(1).push(2).options)


class Plain(Base, object):
    pass


print([c.__name__ for c in Plain.__mro__])
print(type("Made", (Left, Named), {"label": "made"})(left=5))


# what does not go together
def refused(make):
    try:
        make()
    except TypeError as error:
        print(error)


refused(lambda: type("X", (Base, Left), {}))
refused(lambda: type("X", (Base, Base), {}))
refused(lambda: type("X", (list, dict), {}))
refused(lambda: type("X", (Numbers, str), {}))
refused(lambda: type("X", (type("P", (A, B), {}), type("Q", (B, A), {})), {}))
