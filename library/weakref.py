"""References that keep nothing alive.

    r = ref(x)                     r() is x, and None when x is dead
    cache = WeakValueDictionary()  loses an entry when its value dies
    finalize(x, print, "gone")     is called when x dies

Each goes by the `ref` of the interpreter, whose callback runs as the object dies.
"""
import itertools as _itertools
from collections.abc import MutableMapping as _MutableMapping, MutableSet as _MutableSet

from _weakref import getweakrefcount, getweakrefs, ref, settle as _settle

__all__ = ["ref", "getweakrefcount", "getweakrefs", "WeakKeyDictionary", "ReferenceType", "WeakValueDictionary",
           "WeakSet", "WeakMethod", "finalize"]

ReferenceType = ref


class WeakMethod:
    """Of a bound method, which itself is made anew each time that it is looked up."""

    def __init__(self, meth, callback=None):
        if not (hasattr(meth, "__self__") and hasattr(meth, "__func__")):
            raise TypeError(f"argument should be a bound method, not {type(meth)}")
        self._type, self._alive = type(meth), True

        def died(_):
            if self._alive:
                self._alive = False
                if callback is not None:
                    callback(self)
        self._self, self._function = ref(meth.__self__, died), ref(meth.__func__, died)

    def __call__(self):
        owner, function = self._self(), self._function()
        return None if owner is None or function is None else self._type(function, owner)

    def __eq__(self, other):
        if not isinstance(other, WeakMethod):
            return NotImplemented
        if not self._alive or not other._alive:
            return self is other
        return self._self == other._self and self._function == other._function

    def __hash__(self):
        return hash((self._self, self._function))


class WeakValueDictionary(_MutableMapping):
    def __init__(self, other=(), /, **kw):
        self.data = {}
        self.update(other, **kw)

    def _reference(self, key, value):
        data = self.data

        def died(reference):
            if data.get(key) is reference:
                del data[key]
        return ref(value, died)

    def __getitem__(self, key):
        value = self.data[key]()
        if value is None:
            raise KeyError(key)
        return value

    def __setitem__(self, key, value):
        self.data[key] = self._reference(key, value)

    def __delitem__(self, key):
        del self.data[key]

    def __len__(self):
        _settle()
        return len(self.data)

    def __contains__(self, key):
        return key in self.data and self.data[key]() is not None

    def __iter__(self):
        return self.keys()

    def __repr__(self):
        return f"<{type(self).__name__} at {id(self):#x}>"

    def keys(self):
        for key, reference in list(self.data.items()):
            if reference() is not None:
                yield key

    def values(self):
        for reference in list(self.data.values()):
            value = reference()
            if value is not None:
                yield value

    def items(self):
        for key, reference in list(self.data.items()):
            value = reference()
            if value is not None:
                yield key, value

    def valuerefs(self):
        return list(self.data.values())

    itervaluerefs = valuerefs

    def copy(self):
        return WeakValueDictionary(self)

    __copy__ = copy

    def get(self, key, default=None):
        value = self.data[key]() if key in self.data else None
        return default if value is None else value

    def pop(self, key, *default):
        value = self.data.pop(key)() if key in self.data else None
        if value is not None:
            return value
        if default:
            return default[0]
        raise KeyError(key)

    def popitem(self):
        while True:
            key, reference = self.data.popitem()
            value = reference()
            if value is not None:
                return key, value

    def setdefault(self, key, default=None):
        value = self.get(key)
        if value is None:
            self[key] = value = default
        return value


class WeakKeyDictionary(_MutableMapping):
    def __init__(self, dict=None):
        self.data = {}
        if dict is not None:
            self.update(dict)

    def _forget(self, reference):
        self.data.pop(reference, None)

    def __getitem__(self, key):
        return self.data[ref(key)]

    def __setitem__(self, key, value):
        data = self.data
        self.data[ref(key, lambda reference: data.pop(reference, None))] = value

    def __delitem__(self, key):
        del self.data[ref(key)]

    def __len__(self):
        _settle()
        return len(self.data)

    def __contains__(self, key):
        try:
            return ref(key) in self.data
        except TypeError:
            return False

    def __iter__(self):
        return self.keys()

    def __repr__(self):
        return f"<{type(self).__name__} at {id(self):#x}>"

    def keys(self):
        for reference in list(self.data):
            key = reference()
            if key is not None:
                yield key

    def values(self):
        for reference, value in list(self.data.items()):
            if reference() is not None:
                yield value

    def items(self):
        for reference, value in list(self.data.items()):
            key = reference()
            if key is not None:
                yield key, value

    def keyrefs(self):
        return list(self.data)

    def copy(self):
        return WeakKeyDictionary(self)

    __copy__ = copy

    def get(self, key, default=None):
        return self.data.get(ref(key), default)

    def pop(self, key, *default):
        return self.data.pop(ref(key), *default)

    def popitem(self):
        while True:
            reference, value = self.data.popitem()
            key = reference()
            if key is not None:
                return key, value

    def setdefault(self, key, default=None):
        if key not in self:
            self[key] = default
        return self[key]


class WeakSet(_MutableSet):
    def __init__(self, data=None):
        self.data = set()
        for item in () if data is None else data:
            self.add(item)

    def add(self, item):
        data = self.data
        self.data.add(ref(item, lambda reference: data.discard(reference)))

    def discard(self, item):
        self.data.discard(ref(item))

    def remove(self, item):
        self.data.remove(ref(item))

    def clear(self):
        self.data.clear()

    def pop(self):
        while self.data:
            item = self.data.pop()()
            if item is not None:
                return item
        raise KeyError("pop from empty WeakSet")

    def update(self, other):
        for item in other:
            self.add(item)

    def copy(self):
        return WeakSet(self)

    def union(self, other):
        return WeakSet([*self, *other])

    def __len__(self):
        _settle()
        return len(self.data)

    def __contains__(self, item):
        try:
            return ref(item) in self.data
        except TypeError:
            return False

    def __iter__(self):
        for reference in list(self.data):
            item = reference()
            if item is not None:
                yield item

    def __repr__(self):
        return repr(self.data)


class finalize:
    """Calls a function when an object dies, or at the program's end, once."""

    _registry = {}
    _numbers = _itertools.count()

    def __init__(self, obj, func, /, *args, **kwargs):
        if not finalize._registry:
            import atexit
            atexit.register(finalize._exit)
        self._number = next(finalize._numbers)
        finalize._registry[self._number] = self
        self._call = func, args, kwargs
        self.atexit = True
        number = self._number
        self._reference = ref(obj, lambda _: finalize._run(number))

    @staticmethod
    def _run(number):
        if number in finalize._registry:
            finalize._registry[number]()

    @staticmethod
    def _exit():
        for number in sorted(finalize._registry, reverse=True):
            if number in finalize._registry and finalize._registry[number].atexit:
                finalize._run(number)

    def __call__(self, _=None):
        if not self.alive:
            return None
        del finalize._registry[self._number]
        func, args, kwargs = self._call
        return func(*args, **kwargs)

    @property
    def alive(self):
        _settle()
        return self._number in finalize._registry

    def detach(self):
        parts = self.peek()
        if parts is not None:
            del finalize._registry[self._number]
        return parts

    def peek(self):
        obj = self._reference() if self.alive else None
        return None if obj is None else (obj, *self._call)

    def __repr__(self):
        obj = self._reference() if self.alive else None
        if obj is None:
            return f"<finalize object at {id(self):#x}; dead>"
        return f"<finalize object at {id(self):#x}; for {type(obj).__name__!r} at {id(obj):#x}>"
