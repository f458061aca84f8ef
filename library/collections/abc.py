"""What containers have in common: base classes that add the rest to a few methods, and know whatever has them.

    isinstance([], Sequence), isinstance({}, Mapping), isinstance(3, Iterable)      True, True, False
    class Lazy(Mapping): ...        with __getitem__, __iter__ and __len__ it has keys, items, get, in and ==
"""
from abc import ABCMeta, abstractmethod
from collections import deque

_VIEWS = (type({}.keys()), type({}.values()), type({}.items()))


class _Kinds(ABCMeta):
    """`_methods` make any object an instance of the class itself, `_builtin` are the builtin types that are."""

    def __instancecheck__(cls, value):
        own = vars(cls)
        if isinstance(value, own.get("_builtin", ())):
            return True
        names = own.get("_methods", ())
        return bool(names) and all([_has(type(value), name) for name in names])

    def __subclasscheck__(cls, kind):
        own = vars(cls)
        names = own.get("_methods", ())
        return issubclass(kind, own.get("_builtin", ())) or bool(names) and all(
            [_has(kind, name) for name in names])

    def __getitem__(cls, parameters):
        return cls


def _has(kind, name):
    for each in kind.__mro__:
        if name in vars(each):
            return vars(each)[name] is not None
    return False


class _HashableKinds(_Kinds):
    def __instancecheck__(cls, value):
        if isinstance(value, (list, dict, set, _VIEWS[0], _VIEWS[2])):
            return False
        for each in type(value).__mro__:
            if "__hash__" in vars(each):
                return vars(each)["__hash__"] is not None
        return False


class Hashable(metaclass=_HashableKinds):
    _methods = ("__hash__",)


class _CallableKinds(_Kinds):
    def __instancecheck__(cls, value):
        return callable(value)


class Callable(metaclass=_CallableKinds):
    pass


class Sized(metaclass=_Kinds):
    _methods = ("__len__",)
    _builtin = _VIEWS

    @abstractmethod
    def __len__(self): ...


class Container(metaclass=_Kinds):
    _methods = ("__contains__",)
    _builtin = _VIEWS

    @abstractmethod
    def __contains__(self, item): ...


_ITERATORS = tuple([type(each) for each in (
    iter([]), iter(()), iter({}), iter(set()), iter(""), iter(b""), iter(range(0)), reversed([]), map(len, []),
    filter(None, []), zip(), enumerate([]))])


class Iterable(metaclass=_Kinds):
    _methods = ("__iter__",)
    _builtin = _ITERATORS + _VIEWS

    @abstractmethod
    def __iter__(self): ...


class Iterator(Iterable):
    _methods = ("__iter__", "__next__")
    _builtin = _ITERATORS

    @abstractmethod
    def __next__(self): ...

    def __iter__(self):
        return self


class Generator(Iterator):
    _methods = ()
    _builtin = (type(_ for _ in ()),)


class Reversible(Iterable):
    _methods = ("__iter__", "__reversed__")
    _builtin = (list, tuple, dict, str, bytes, range) + _VIEWS


class Collection(Sized, Iterable, Container):
    _methods = ("__len__", "__iter__", "__contains__")
    _builtin = _VIEWS


class Sequence(Reversible, Collection):
    _methods = ()
    _builtin = (list, tuple, str, bytes, range, deque)

    @abstractmethod
    def __getitem__(self, index): ...

    def __iter__(self):
        i = 0
        try:
            while True:
                yield self[i]
                i += 1
        except IndexError:
            return

    def __contains__(self, item):
        return any([each is item or each == item for each in self])

    def __reversed__(self):
        for i in reversed(range(len(self))):
            yield self[i]

    def index(self, value, start=0, stop=None):
        for i in range(start, len(self) if stop is None else stop):
            if self[i] is value or self[i] == value:
                return i
        raise ValueError

    def count(self, value):
        return sum([each is value or each == value for each in self])


class MutableSequence(Sequence):
    _methods = ()
    _builtin = (list, deque)

    @abstractmethod
    def __setitem__(self, index, value): ...

    @abstractmethod
    def __delitem__(self, index): ...

    @abstractmethod
    def insert(self, index, value): ...

    def append(self, value):
        self.insert(len(self), value)

    def extend(self, values):
        for value in list(values):
            self.append(value)

    def clear(self):
        while len(self):
            self.pop()

    def pop(self, index=-1):
        value = self[index]
        del self[index]
        return value

    def remove(self, value):
        del self[self.index(value)]

    def reverse(self):
        for i, value in enumerate(list(self)[::-1]):
            self[i] = value

    def __iadd__(self, values):
        self.extend(values)
        return self


class Set(Collection):
    _methods = ()
    _builtin = (set, frozenset, type({}.keys()), type({}.items()))

    @classmethod
    def _from_iterable(cls, items):
        return cls(items)

    def __le__(self, other):
        return all([item in other for item in self])

    def __lt__(self, other):
        return len(self) < len(other) and self <= other

    def __ge__(self, other):
        return all([item in self for item in other])

    def __gt__(self, other):
        return len(self) > len(other) and self >= other

    def __eq__(self, other):
        if not isinstance(other, Set):
            return NotImplemented
        return len(self) == len(other) and self <= other

    def __and__(self, other):
        return self._from_iterable([item for item in other if item in self])

    def __or__(self, other):
        return self._from_iterable(list(self) + list(other))

    def __sub__(self, other):
        return self._from_iterable([item for item in self if item not in other])

    def __xor__(self, other):
        return (self - other) | self._from_iterable([item for item in other if item not in self])

    def isdisjoint(self, other):
        return not any([item in self for item in other])


class MutableSet(Set):
    _methods = ()
    _builtin = (set,)

    @abstractmethod
    def add(self, item): ...

    @abstractmethod
    def discard(self, item): ...

    def remove(self, item):
        if item not in self:
            raise KeyError(item)
        self.discard(item)

    def pop(self):
        for item in self:
            self.discard(item)
            return item
        raise KeyError

    def clear(self):
        for item in list(self):
            self.discard(item)


class Mapping(Collection):
    _methods = ()
    _builtin = (dict,)

    @abstractmethod
    def __getitem__(self, key): ...

    def get(self, key, default=None):
        try:
            return self[key]
        except KeyError:
            return default

    def __contains__(self, key):
        try:
            self[key]
        except KeyError:
            return False
        return True

    def keys(self):
        return {key: None for key in self}.keys()

    def values(self):
        return {key: self[key] for key in self}.values()

    def items(self):
        return {key: self[key] for key in self}.items()

    def __eq__(self, other):
        if not isinstance(other, Mapping):
            return NotImplemented
        return dict(self.items()) == dict(other.items())


class MutableMapping(Mapping):
    _methods = ()
    _builtin = (dict,)

    @abstractmethod
    def __setitem__(self, key, value): ...

    @abstractmethod
    def __delitem__(self, key): ...

    def pop(self, key, *default):
        if key not in self and default:
            return default[0]
        value = self[key]
        del self[key]
        return value

    def popitem(self):
        for key in self:
            return key, self.pop(key)
        raise KeyError

    def clear(self):
        for key in list(self):
            del self[key]

    def update(self, other=(), /, **keywords):
        pairs = [(key, other[key]) for key in other.keys()] if hasattr(other, "keys") else list(other)
        for key, value in pairs + list(keywords.items()):
            self[key] = value

    def setdefault(self, key, default=None):
        if key not in self:
            self[key] = default
        return self[key]


class KeysView(metaclass=_Kinds):
    _builtin = (type({}.keys()),)


class ValuesView(metaclass=_Kinds):
    _builtin = (type({}.values()),)


class ItemsView(metaclass=_Kinds):
    _builtin = (type({}.items()),)
