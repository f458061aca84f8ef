# collections.abc and the protocols of typing: what is an instance of them, and what they add to a class.
import collections
import collections.abc
import sys
import typing
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, MutableMapping, Sequence, Sized
from typing import NamedTuple, Protocol, TypedDict, get_args, get_origin, runtime_checkable

import torch

values = [{}.keys(), {}.values(), collections.deque(), [], (), {}, set(), "ab", b"", range(3), 3, None, len, lambda: 0, iter([]), (i for i in ()), torch.ones(2)]
for kind in (Iterable, Sequence, Mapping, Sized, Hashable, Callable, Iterator, collections.abc.Set,
             collections.abc.MutableSequence, collections.abc.Collection, collections.abc.Generator):
    print(kind.__name__, [isinstance(value, kind) for value in values[:-1]])
print(isinstance(values[-1], Iterable), isinstance(values[-1], Sequence), isinstance(values[-1], Mapping))


def flat(nested):
    for each in nested:
        if isinstance(each, Iterable) and not isinstance(each, (str, bytes)):
            yield from flat(each)
        else:
            yield each


print(list(flat([1, [2, (3, "four", {5})], range(2)])))


class Lazy(Mapping):
    def __init__(self, **makers):
        self.makers = makers

    def __getitem__(self, key):
        return self.makers[key]()

    def __iter__(self):
        return iter(self.makers)

    def __len__(self):
        return len(self.makers)


lazy = Lazy(a=lambda: 1, b=lambda: 2)
print(dict(lazy), lazy.get("a"), lazy.get("z", 0), "b" in lazy, list(lazy.items()), lazy == {"a": 1, "b": 2})
print(isinstance(lazy, Mapping), isinstance({}, Lazy), sorted(lazy.keys()), list(lazy.values()), {**lazy})


class Window(Sequence):
    def __init__(self, items):
        self.items = items

    def __getitem__(self, index):
        return self.items[index]

    def __len__(self):
        return len(self.items)


window = Window([4, 5, 4])
print(list(window), list(reversed(window)), window.index(5), window.count(4), 6 in window, isinstance(window, Iterable))


class Registry(MutableMapping):
    def __init__(self):
        self.kept = {}

    def __getitem__(self, key):
        return self.kept[key.lower()]

    def __setitem__(self, key, value):
        self.kept[key.lower()] = value

    def __delitem__(self, key):
        del self.kept[key.lower()]

    def __iter__(self):
        return iter(self.kept)

    def __len__(self):
        return len(self.kept)


registry = Registry()
registry.update({"A": 1}, B=2)
print(registry.pop("a"), registry.setdefault("C", 3), registry.pop("none", None), dict(registry), "b" in registry)
try:
    Mapping()
except TypeError as error:
    print(error)


@runtime_checkable
class Runs(Protocol):
    speed: int

    def run(self) -> int: ...


class Runner:
    speed = 3

    def run(self):
        return 1


class Walker:
    def run(self):
        return 1


class Plain(Protocol):
    def go(self): ...


print(isinstance(Runner(), Runs), isinstance(Walker(), Runs), isinstance(3, Runs))
try:
    isinstance(3, Plain)
except TypeError as error:
    print(error)


class Options(TypedDict, total=False):
    lr: float
    name: str


options = Options(lr=0.1)
options["name"] = "sgd"
print(options, type(options), get_args(typing.Optional[int]), get_args(typing.Dict[str, int]))
print(get_origin(typing.List[int]), get_origin(int), get_origin(typing.Union[int, str]) is typing.Union)
print(sys.version_info.major, sys.version_info >= (3, 8), sys.version_info[:2], sys.float_info.max, sys.float_info.epsilon)
print([isinstance(each, Iterator) for each in (map(abs, [1]), zip(), enumerate([]), filter(None, []), reversed([]))])
print(issubclass(list, Sequence), issubclass(dict, Mapping), issubclass(int, Iterable), issubclass(Lazy, Sized))
print(list(flat([map(abs, [-1]), {"k": 1}.items(), zip([2], [3])])))
