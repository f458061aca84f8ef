# Objects of classes in pickles: by what they are made of, or as their class says.
import collections
import datetime
import enum
import functools
import io
import pathlib
import pickle
import types
from dataclasses import dataclass, field


class Point:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __repr__(self):
        return f"Point({self.x}, {self.y})"

    def sum(self):
        return self.x + self.y

    class Inner:
        level = 2


class Slotted:
    __slots__ = ("a", "_b", "__c")

    def __init__(self):
        self.a, self.__c = 1, 3

    def shown(self):
        return self.a, hasattr(self, "_b"), self.__c


class Mixed(Slotted):
    def __init__(self):
        super().__init__()
        self.extra = [1]


class Chosen:
    def __init__(self, path):
        self.path, self.handle = path, "open"

    def __getstate__(self):
        return {"path": self.path}

    def __setstate__(self, state):
        self.path, self.handle = state["path"], "opened again"


class Reduced:
    def __init__(self, n):
        self.n = n

    def __reduce__(self):
        return Reduced, (self.n + 1,)


class Many(list):
    pass


class Table(dict):
    def __init__(self, *args):
        super().__init__(*args)
        self.name = "t"


class Bag(set):
    pass


class Text(str):
    pass


class New:
    def __new__(cls, n, *, scale=1):
        made = super().__new__(cls)
        made.n = n * scale
        return made

    def __getnewargs_ex__(self):
        return (self.n,), {"scale": 2}


@dataclass
class Config:
    size: int = 3
    names: list = field(default_factory=lambda: ["a"])


@dataclass(frozen=True)
class Frozen:
    size: int = 3


class Colour(enum.Enum):
    RED = 1
    BLUE = "b"


class Flags(enum.Flag):
    A = 1
    B = 2


Pair = collections.namedtuple("Pair", "left right")


class Failed(Exception):
    pass


def doubled(x):
    return 2 * x


def factory():
    return 0


failed = Failed("why", 3)
failed.note = "here"
counted = collections.Counter("abca")
missing = collections.defaultdict(list, a=[1])
ordered = collections.OrderedDict([("b", 1), ("a", 2)])
queue = collections.deque([1, 2, 3], maxlen=3)
objects = [
    Point(1, [2]), Point.Inner, Point.Inner(), Point, Slotted(), Mixed(), Chosen("p"), Reduced(1), Many([1, 2]), Table({"a": 1}), Bag({1}), Text("t"),
    New(2), Config(), Frozen(4), Colour.RED, Colour, Flags.A | Flags.B, Pair(1, "r"), failed, KeyError("k"), doubled, factory, print, counted,
    missing, ordered, queue, functools.partial(doubled, 3), types.SimpleNamespace(a=1), Point(1, 2).sum, datetime.date(2024, 2, 29),
    datetime.timedelta(days=-1, seconds=3), datetime.datetime(2024, 1, 2, 3, 4, 5, 6), pathlib.PurePosixPath("a/b"),
    {"points": [Point(1, 2)] * 2, "kinds": (Point, Config)},
]
for each in objects:
    for protocol in (2, 4):
        again = pickle.loads(pickle.dumps(each, protocol))
        state = again is each
        if type(each).__module__ == "__main__" and not isinstance(each, (enum.Enum, tuple, Slotted)):
            state = getattr(again, "__dict__", None)
        print(type(again).__name__, type(again) is type(each),
              "" if "<" in repr(again) else again, state)
for each in (Point(1, [2]), Many([1, 2]), Table({"a": 1}), Mixed(), Colour.RED, Config(), ordered, missing, counted, queue, Pair(1, 2), Point.Inner,
             types.SimpleNamespace(a=1), failed):
    print(pickle.dumps(each))
again = pickle.loads(pickle.dumps(Mixed()))
print(again.shown(), again.extra, pickle.loads(pickle.dumps(functools.partial(doubled, 3)))(), pickle.loads(pickle.dumps(Point(3, 4).sum))())
print(pickle.loads(pickle.dumps(missing))["new"], pickle.loads(pickle.dumps(queue)).maxlen)


# One after the other in a file; one memo for several; names for what is kept elsewhere.
file = io.BytesIO()
for each in (1, "two", [3]):
    pickle.dump(each, file)
file.seek(0)
print(pickle.load(file), pickle.load(file), pickle.load(file))
try:
    pickle.load(file)
except EOFError as error:
    print("EOFError", error)


class Keeping(pickle.Pickler):
    def persistent_id(self, obj):
        return ("kept", obj.x) if isinstance(obj, Point) else None


class Finding(pickle.Unpickler):
    def persistent_load(self, pid):
        return f"found {pid}"

    def find_class(self, module, name):
        if name == "OrderedDict":
            return super().find_class(module, name)
        raise pickle.UnpicklingError(f"{module}.{name} is not for here")


file = io.BytesIO()
Keeping(file, 4).dump([Point(1, 2), ordered])
file.seek(0)
print(Finding(file).load())
try:
    Finding(io.BytesIO(pickle.dumps(Point(1, 2)))).load()
except pickle.UnpicklingError as error:
    print(error)


def told(call):
    try:
        print(call())
    except Exception as error:
        print(type(error).__name__, str(error).split(" at 0x")[0].split(" from ")[0])


def local():
    class Local:
        pass

    return Local


told(lambda: pickle.dumps(lambda: 0))
told(lambda: pickle.dumps(local()))
told(lambda: pickle.dumps(local()()))
told(lambda: pickle.dumps(x for x in []))
told(lambda: pickle.dumps([1, {2: open}, pickle]))
told(lambda: pickle.dumps(1, 9))
told(lambda: pickle.loads(b""))
told(lambda: pickle.loads(b"\x80\x04"))
told(lambda: pickle.loads(b"hello"))
told(lambda: pickle.loads(b"\xff"))
told(lambda: pickle.loads(b"\x80\x04cnowhere\nName\n."))
told(lambda: pickle.loads(b"\x80\x04c__main__\nNowhere\n."))
told(lambda: pickle.loads(b"\x80\x04X\xff\x00\x00\x00abc."))
told(lambda: pickle.loads(b"\x80\x09N."))
told(lambda: pickle.loads(b"\x80\x04h\x05."))
told(lambda: pickle.loads(b"\x80\x04e."))
told(lambda: pickle.dump(1, "name"))
told(lambda: pickle.load("name"))
told(lambda: pickle.loads("text"))
