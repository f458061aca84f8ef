# IntEnum, IntFlag and enumerations of a data type: their members are such numbers.
import copy
import json
import pickle
from dataclasses import dataclass
from enum import Enum, Flag, IntEnum, IntFlag, ReprEnum, auto, unique

import torch


class Level(IntEnum):
    LOW = 1
    HIGH = auto()
    TOP = 5

    @property
    def doubled(self):
        return self * 2

    def next(self):
        return Level(self + 1)


print(isinstance(Level.LOW, int), issubclass(Level, int), Level.__mro__, Level.LOW.__class__, type(Level.LOW))
print(Level.LOW, repr(Level.LOW), f"{Level.HIGH}", f"{Level.HIGH:03d}", f"{Level.HIGH!r}", "%d %s" % (Level.TOP, Level.TOP), str(Level.TOP), format(Level.TOP, ">4"), [Level.TOP])
print(Level.LOW + 1, 1 + Level.LOW, Level.TOP - Level.LOW, -Level.TOP, Level.TOP / 2, Level.TOP // 2, 2 ** Level.TOP, ~Level.LOW, Level.LOW | Level.HIGH, type(Level.LOW + 1).__name__, divmod(Level.TOP, 2), abs(Level.LOW))
print(Level.LOW == 1, 1 == Level.LOW, Level.LOW < Level.HIGH, Level.LOW < 2, 0 < Level.LOW, Level.LOW is Level(1), Level(2) is Level.HIGH, Level["TOP"], Level.LOW != 2, Level.LOW == 1.0, hash(Level.LOW) == hash(1))
print({1: "one"}[Level.LOW], {Level.LOW: "low"}[1], Level.LOW in {1, 2}, 1 in {Level.LOW}, 1 in [Level.LOW], {Level.LOW, 1}, sorted([Level.TOP, Level.LOW, 3]), max(Level), sum(Level), min(Level, key=lambda x: -x))
print("abcdef"[Level.HIGH], [0, 1, 2][Level.LOW], list(range(Level.TOP)), [7] * Level.HIGH, "ab" * Level.HIGH, "abcdef"[Level.LOW:Level.TOP], bool(Level.LOW), int(Level.TOP), float(Level.TOP), complex(Level.LOW), bin(Level.TOP), chr(Level.TOP + 60))
print(json.dumps({"level": Level.TOP, "all": list(Level)}), json.dumps({Level.LOW: Level.HIGH}), pickle.loads(pickle.dumps(Level.TOP)) is Level.TOP, copy.deepcopy(Level.TOP) is Level.TOP, copy.copy(Level.LOW) is Level.LOW)
print(Level.LOW.name, Level.LOW.value, type(Level.LOW.value).__name__, Level.TOP.doubled, Level.LOW.next(), list(Level), len(Level), Level.TOP.bit_length(), Level.TOP.real, Level.TOP.to_bytes(1, "big"))
for bad in (3, "x", 2.5):
    try:
        Level(bad)
    except ValueError as error:
        print(error)
match 2:
    case Level.LOW:
        print("low")
    case Level.HIGH:
        print("high")
match Level.TOP:
    case int(n):
        print("int", n)


class Perm(IntFlag):
    R = 4
    W = 2
    X = 1
    RW = R | W


print(isinstance(Perm.R, int), Perm.R | Perm.X, Perm.RW, repr(Perm.RW), Perm.R | 8, repr(Perm.R | 8), 8 | Perm.R, Perm.R & 6, Perm.R ^ Perm.RW, ~Perm.R, repr(~Perm.R), Perm(0), repr(Perm(0)), Perm.R + 1, type(Perm.R + 1).__name__)
print(Perm.R in Perm.RW, bool(Perm(0)), list(Perm), list(Perm.RW), len(Perm.RW), Perm(7), repr(Perm(7)), Perm(16), repr(Perm(16)), Perm.R == 4, Perm.R < 5, hash(Perm.R) == hash(4), f"{Perm.RW:03b}", int(Perm.RW), {4: "r"}[Perm.R])
flags = Perm.R
flags |= Perm.W
print(flags, flags is Perm.RW, type(flags).__name__, flags & ~Perm.W, json.dumps(flags), torch.zeros(Perm.X).shape)


class Kind(int, Enum):
    A = 1
    B = 2


class Ratio(float, Enum):
    HALF = 0.5
    THIRD = 1 / 3


class Exact(float, ReprEnum):
    ONE = 1.0


class Fixed(int, Enum):
    TEN = "1010", 2

    def __str__(self):
        return "fixed"


class Named(int, Enum):
    def __new__(cls, number, label):
        made = int.__new__(cls, number)
        made._value_ = number
        made.label = label
        return made

    FIRST = 1, "the first"
    SECOND = 2, "the second"


print(Kind.A, repr(Kind.A), f"{Kind.A}", Kind.A + 1, Kind.A == 1, isinstance(Kind.A, int), Kind(2), json.dumps(Kind.B), "%d" % Kind.B, sorted([Kind.B, Kind.A]))
print(Ratio.HALF, repr(Ratio.HALF), Ratio.HALF * 4, Ratio.HALF == 0.5, Ratio(0.5), isinstance(Ratio.HALF, float), torch.full((1,), Ratio.HALF), Exact.ONE, repr(Exact.ONE), f"{Exact.ONE:.2f}")
print(Fixed.TEN + 0, Fixed.TEN, Fixed.TEN.value, Named.FIRST.label, Named.SECOND + 1, Named(2).label, repr(Named.FIRST), list(Named))


class Colour(Flag):
    RED = auto()
    BLUE = auto()


for action in (lambda: Colour.RED | 1, lambda: 1 | Colour.RED, lambda: Colour.RED + 1, lambda: Level.LOW + "a", lambda: Level.LOW < "a"):
    try:
        print(action())
    except TypeError as error:
        print(error)


@dataclass
class Config:
    level: Level = Level.LOW
    perm: Perm = Perm.RW


print(Config(), Config(level=Level.TOP) == Config(5), torch.tensor([Level.LOW, Level.TOP]), torch.arange(Level.TOP), torch.ones(2, 3).sum(Level.LOW), torch.ones(Level.HIGH, Level.TOP).shape)
made = IntEnum("Made", "A B C")
print(made.B, repr(made.B), made.B + 1, made(3), list(made))


@unique
class Once(IntEnum):
    A = 1
    B = 2


print(Once.A, [m for m in Once if m > 1], Once.__members__)
