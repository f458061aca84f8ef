# Enumerations: members, values, names, automatic values, texts and numbers as members, flags.
import copy
import enum
from dataclasses import dataclass
from enum import Enum, Flag, IntEnum, IntFlag, StrEnum, auto, unique

import torch


class Color(Enum):
    RED = 1
    GREEN = 2
    BLUE = 3
    CRIMSON = 1  # an alias


print(Color.RED, repr(Color.RED), Color.RED.name, Color.RED.value, Color(2), Color["BLUE"], Color.CRIMSON)
print(list(Color), len(Color), Color.RED is Color(1), Color.RED == Color.GREEN, Color.RED != 1, Color.RED == 1)
print(Color, type(Color.RED), isinstance(Color.RED, Color), Color.RED in Color, [c.name for c in reversed(Color)])
print({Color.RED: "r", Color.BLUE: "b"}[Color.BLUE], f"{Color.RED} {Color.RED!r} {Color.RED:>12}|", "%s" % Color.GREEN)
print(list(Color.__members__), bool(Color.RED), Color.RED is Color.CRIMSON, hash(Color.RED) == hash(Color(1)))
for bad in (lambda: Color(9), lambda: Color["PINK"], lambda: Color.PINK, lambda: Color.RED < Color.BLUE):
    try:
        bad()
    except (ValueError, KeyError, AttributeError, TypeError) as error:
        print(type(error).__name__, error)
try:
    Color.RED = 5
except AttributeError as error:
    print(error)
try:
    class More(Color):
        PINK = 4
except TypeError as error:
    print(error)


class Mode(str, Enum):
    TRAIN = "train"
    EVAL = "eval"

    @property
    def short(self):
        return self.value[0]

    @classmethod
    def default(cls):
        return cls.TRAIN

    def __call__(self, x):
        return x * 2 if self is Mode.TRAIN else x


print(Mode.TRAIN, repr(Mode.TRAIN), Mode.TRAIN == "train", Mode("eval"), Mode.TRAIN.upper(), Mode.EVAL.short)
print(f"{Mode.TRAIN}", Mode.TRAIN + "ing", len(Mode.EVAL), {"train": 1}[Mode.TRAIN], isinstance(Mode.TRAIN, str))
print(Mode.default(), Mode.TRAIN(4), Mode.TRAIN in ("train", "test"), sorted([Mode.TRAIN, Mode.EVAL]), Mode.EVAL.value)


class Level(IntEnum):
    LOW = 1
    MID = auto()
    HIGH = 10


print(Level.LOW, repr(Level.MID), Level.HIGH > Level.LOW, Level.MID + 1, [10, 20, 30][Level.MID], int(Level.HIGH))
print(f"{Level.HIGH:04d} {Level.MID}", max(Level), sorted([Level.HIGH, Level.LOW]), Level(10), Level.LOW == 1, 3 * Level.MID)
print(torch.arange(4)[Level.MID], torch.ones(2) * int(Level.HIGH), list(range(Level.MID)), sum(Level))


class Task(StrEnum):
    CLASSIFY = auto()
    DETECT = "det"


print(Task.CLASSIFY, repr(Task.DETECT), f"{Task.CLASSIFY:>10}", Task("det"), Task.DETECT == "det")


class Planet(Enum):
    EARTH = (5.976e24, 6.37814e6)
    MARS = (6.421e23, 3.3972e6)

    def __init__(self, mass, radius):
        self.mass = mass
        self.radius = radius

    def gravity(self):
        return 6.673e-11 * self.mass / self.radius**2

    @classmethod
    def _missing_(cls, value):
        return cls.EARTH if value == "home" else None


print(f"{Planet.EARTH.gravity():.3f} {Planet.MARS.mass}", Planet.MARS.value, Planet("home"), repr(Planet.MARS))


class Op(Enum):
    ADD = "+"
    MUL = "*"

    def apply(self, a, b):
        return {Op.ADD: a + b, Op.MUL: a * b}[self]

    def __str__(self):
        return f"op {self.value}"

    @staticmethod
    def names():
        return [op.name for op in Op]


print(Op.ADD.apply(2, 3), Op.MUL.apply(2, 3), Op.ADD, Op.names(), [str(op) for op in Op])


class Coded(Enum):
    def __new__(cls, code, text):
        made = object.__new__(cls)
        made._value_ = code
        made.text = text
        return made

    A = 65, "letter a"
    B = 66, "letter b"


print(Coded.A, Coded(66).text, Coded.A.value)


class Auto(Enum):
    def _generate_next_value_(name, start, count, last_values):
        return name.lower() + str(count)

    FIRST = auto()
    SECOND = auto()


print([a.value for a in Auto])


class Perm(Flag):
    R = auto()
    W = auto()
    X = auto()
    RW = R | W


print(Perm.R, repr(Perm.R | Perm.X), Perm.R | Perm.W is Perm.RW, Perm.RW, repr(Perm.RW), bool(Perm.R & Perm.W))
print(Perm.R in Perm.RW, Perm.X in Perm.RW, ~Perm.R, list(Perm), list(Perm.RW), Perm(5), repr(Perm(0)), Perm.R ^ Perm.RW)


class Bits(IntFlag):
    A = 1
    B = 2
    C = 4


print(Bits.A | Bits.B, repr(Bits.A | Bits.C), Bits.A | 2, Bits.B == 2, (Bits.A | Bits.B) & Bits.B, Bits(6), list(Bits(6)))

Animal = Enum("Animal", "CAT DOG")
print(list(Animal), Animal.DOG.value, Enum("Pair", {"X": 10, "Y": 20}).Y.value, Enum("Three", ["A", "B", "C"]).C)
try:
    @unique
    class Twice(Enum):
        A = 1
        B = 1
except ValueError as error:
    print(error)


@dataclass
class Settings:
    mode: Mode = Mode.TRAIN
    color: Color = Color.RED


print(Settings(), Settings(color=Color.BLUE) == Settings(color=Color(3)), copy.deepcopy(Color.RED) is Color.RED)
match Color(2):
    case Color.RED:
        print("matched red")
    case Color.GREEN:
        print("matched green")


@torch.compile
def by_mode(x, mode, level):
    if mode == Mode.TRAIN:
        return x * level.value
    if mode is Mode.EVAL:
        return x + level.value
    return x


x = torch.ones(3)
print(by_mode(x, Mode.TRAIN, Level.HIGH), by_mode(x, Mode.EVAL, Level.LOW), by_mode(x, "test", Level.MID))


class Kind(enum.Enum):
    LINEAR = enum.auto()
    CONV = enum.auto()


class Net(torch.nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.kind = kind
        self.layer = {Kind.LINEAR: torch.nn.Identity(), Kind.CONV: torch.nn.ReLU()}[kind]

    def forward(self, x):
        return self.layer(x) if self.kind == Kind.LINEAR else self.layer(-x)


print(torch.compile(Net(Kind.LINEAR))(x), torch.compile(Net(Kind.CONV))(x), Net(Kind.CONV).kind)

for wrong in (lambda: Perm(9), lambda: Perm.R < Perm.W):
    try:
        print(wrong())
    except (ValueError, TypeError) as error:
        print(error)
print(repr(Bits(12)), repr(Bits(8)), ~Level.LOW, -Level.HIGH, repr(~Bits.A))
