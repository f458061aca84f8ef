# Things that a region reads without an instruction that loads them: slices, defaults of functions,
# classes reached by a computation, special methods, what is in a `__dict__`.
# PyTorch's own compiler misses some of the changes: its eager execution is what is recorded.
import math
import os

os.environ["TORCHDYNAMO_DISABLE"] = "1"

import torch


def show(name, f, *changes):
    g = torch.compile(f)
    out = [g(torch.ones(1)).tolist()]
    for change in changes:
        change()
        out.append(g(torch.ones(1)).tolist())
    print(name, out)


# Slices and ranges.
@torch.compile
def part(x, s):
    return x[s]


x = torch.arange(6.0)
print(part(x, slice(0, 2)), part(x, slice(2, 5)), part(x, slice(None, None, 3)))
z = x.view(2, 3)
print(part(z, (0, slice(0, 2))), part(z, (0, slice(1, 3))), part(z, (slice(0, 2), 1)))
BOUNDS = slice(0, 2)
ROOM = range(3)


def set_global(**values):
    return lambda: globals().update(values)


show("slice of a list", lambda x: x + sum([1, 2, 3, 4][BOUNDS]), set_global(BOUNDS=slice(1, 4)),
     set_global(BOUNDS=slice(2, 3)))
show("stop", lambda x: x + BOUNDS.stop, set_global(BOUNDS=slice(0, 9)), set_global(BOUNDS=slice(7)))
show("range", lambda x: x + sum(ROOM) + len(ROOM), set_global(ROOM=range(5)),
     set_global(ROOM=range(0, 10, 3)))

# Defaults of a function that is called.
CONF = [1.0]
TABLE = {"k": 2.0}


def scale(x, conf=CONF):
    return x * conf[0]


def keyword(x, *, conf=TABLE):
    return x * conf["k"]


def number(x, by=2.0):
    return x * by


class Holder:
    value = 3.0

    def method(self, x, conf=CONF):
        return x + conf[0]

    @staticmethod
    def static(x, conf=CONF):
        return x + conf[0]

    @classmethod
    def of_class(cls, x, conf=CONF):
        return x + conf[0]

    def __call__(self, x, conf=CONF):
        return x - conf[0]


def steps(x, conf=CONF):
    yield x + conf[0]


holder = Holder()


def set_conf(value):
    def change():
        CONF[0] = value
        TABLE["k"] = value
    return change


def set_defaults():
    scale.__defaults__ = ([100.0],)
    number.__defaults__ = (3.0,)


show("default", lambda x: scale(x) + 1, set_conf(5.0), set_conf(7.0), set_defaults)
show("keyword default", lambda x: keyword(x), set_conf(6.0), set_conf(8.0))
show("number", lambda x: number(x), lambda: setattr(number, "__defaults__", (4.0,)))
show("method", lambda x: holder.method(x), set_conf(1.5), set_conf(2.5))
show("static", lambda x: holder.static(x), set_conf(1.5), set_conf(2.5))
show("class method", lambda x: Holder.of_class(x), set_conf(1.5), set_conf(2.5))
show("call", lambda x: holder(x), set_conf(1.5), set_conf(2.5))
show("generator", lambda x: sum(list(steps(x))), set_conf(1.5), set_conf(2.5))
show("lambda", lambda x: (lambda y, c=CONF: y * c[0])(x), set_conf(1.5), set_conf(2.5))


def counting(x, calls=[0]):
    calls[0] += 1
    return x + calls[0]


count = torch.compile(lambda x: counting(x) * 2)
print("written", [count(torch.ones(1)).item() for _ in range(4)], counting.__defaults__)


class Cached(torch.nn.Module):
    def forward(self, x, cache={}):
        cache["k"] = x if "k" not in cache else torch.cat([cache["k"], x])
        return cache["k"].sum()


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Cached()

    def forward(self, x):
        return x + self.inner(x)


net = torch.compile(Net())
print("cache", [net(torch.ones(1)).item() for _ in range(4)])


# Classes that no plain reading leads to.
class Base:
    rate = 1.0

    def by_type(self, x):
        return x * type(self).rate

    def by_class(self, x):
        return x * self.__class__.rate

    def size(self):
        return 1.0


class Derived(Base):
    def size(self):
        return super().size() + 1


def set_on(owner, name, value):
    return lambda: setattr(owner, name, value)


derived = Derived()
show("type", lambda x: derived.by_type(x), set_on(Base, "rate", 5.0), set_on(Derived, "rate", 6.0))
show("class", lambda x: derived.by_class(x), set_on(Derived, "rate", 5.0), set_on(Base, "rate", 0))
show("super", lambda x: x * derived.size(), set_on(Base, "size", lambda self: 10.0))
show("made inside", lambda x: x * Derived().size(), set_on(Derived, "size", lambda self: 20.0))


class Items:
    def __iter__(self):
        return iter([1, 2])

    def __getattr__(self, name):
        return len(name)

    def __len__(self):
        return 3


items = Items()
show("iter", lambda x: x + sum(v for v in items), set_on(Items, "__iter__", lambda s: iter([0])))
show("getattr", lambda x: x + items.abc, set_on(items, "abc", 50), lambda: delattr(items, "abc"),
     set_on(Items, "__getattr__", lambda s, name: 9))
show("len", lambda x: x + len(items), set_on(Items, "__len__", lambda s: 4))
show("iter made inside", lambda x: x + sum(v for v in Items()),
     set_on(Items, "__iter__", lambda s: iter([7])))

# What is in a `__dict__`.
show("dict", lambda x: x + derived.__dict__.get("k", 1), set_on(derived, "k", 7),
     set_on(derived, "k", 8))
show("dict item", lambda x: x + derived.__dict__["k"], set_on(derived, "k", 9))
show("dict len", lambda x: x + len(derived.__dict__), set_on(derived, "m", 9))
show("vars", lambda x: x + vars(derived)["k"], set_on(derived, "k", 10), set_on(derived, "k", 11))
show("dir", lambda x: x + len([n for n in dir(derived) if n.startswith("z")]),
     set_on(derived, "zz", 9))


def helper(x):
    return x


show("name", lambda x: x * len(helper.__name__), set_on(helper, "__name__", "abc"))
show("doc", lambda x: x * len(helper.__doc__ or ""), set_on(helper, "__doc__", "abcd"))
show("absent", lambda x: x + getattr(helper, "n", 0), set_on(helper, "n", 5), set_on(helper, "n", 6))
show("function dict", lambda x: x + helper.__dict__["n"], set_on(helper, "n", 7))
show("class name", lambda x: x * len(type(derived).__name__), set_on(Derived, "__name__", "D"))
math.zz = 1
show("module", lambda x: x + math.zz, set_on(math, "zz", 5), set_on(math, "zz", 6))


@torch.compile
def counted(x):
    counted.n = getattr(counted, "n", 0) + 1
    return x * counted.n


print("itself", [counted(torch.ones(1)).item() for _ in range(3)])


# A function made anew, with another default.
def multiplier(by):
    def multiply(x, by=by):
        return x * by
    return multiply


@torch.compile
def apply(x, f):
    return f(x)


print("closures", [apply(torch.ones(1), multiplier(k)).item() for k in (2, 3, 4, 5)])
