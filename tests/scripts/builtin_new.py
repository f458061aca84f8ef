# `__new__` of a builtin type makes instances of that type and of a script's subclasses, of no other.
import copy
import sys
from collections import namedtuple

import torch

Pair = namedtuple("Pair", "left right")


class Row(tuple):
    pass


class Text(str):
    pass


class Bag(frozenset):
    pass


def told(call):
    try:
        value = call()
        print(type(value).__name__, value)
    except TypeError as error:
        print(error)


found = torch.ones(2, 3).max(0)
kind = type(found)
told(lambda: tuple.__new__(Row, [1, 2]))
told(lambda: tuple.__new__(Pair, [1, 2]))
told(lambda: str.__new__(Text, 5))
told(lambda: sorted(frozenset.__new__(Bag, [1, 2])))
told(lambda: tuple.__new__(tuple, "ab"))
for make in (lambda cls: tuple.__new__(cls, [1, 2]), lambda cls: str.__new__(cls, "a"), lambda cls: frozenset.__new__(cls, [1])):
    for cls in (torch.Size, kind, list, set, dict, int, 3, None, object, type, Exception):
        told(lambda: make(cls))
told(lambda: kind((1, 2)))
told(lambda: kind([found.values, found.indices]).indices)
told(lambda: kind(iter("ab")).values)
told(lambda: kind([1]))
told(lambda: kind("abc"))
told(lambda: copy.copy(found))
told(lambda: copy.deepcopy(found).values)
told(lambda: type(sys.version_info).__name__)
told(lambda: tuple.__new__(type(sys.version_info), [1]))
