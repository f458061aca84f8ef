"""Names of types that have none among the builtins, `SimpleNamespace` and `MappingProxyType`."""
import sys


class SimpleNamespace:
    """An object whose attributes are what it is called with."""

    def __init__(self, /, **keywords):
        self.__dict__.update(keywords)

    def __reduce__(self):
        return type(self), (), self.__dict__

    def __repr__(self):
        shown = [f"{name}={value!r}" for name, value in self.__dict__.items()]
        return f"{'namespace' if type(self) is SimpleNamespace else type(self).__name__}({', '.join(shown)})"

    def __eq__(self, other):
        if isinstance(self, SimpleNamespace) and isinstance(other, SimpleNamespace):
            return self.__dict__ == other.__dict__
        return NotImplemented


class MappingProxyType:
    """A mapping that is read through this and written by nobody."""
    __slots__ = ("_mapping",)

    def __init__(self, mapping):
        if not hasattr(mapping, "keys"):
            raise TypeError(f"mappingproxy() argument must be a mapping, not {type(mapping).__name__}")
        self._mapping = mapping

    def __getitem__(self, key):
        return self._mapping[key]

    def __contains__(self, key):
        return key in self._mapping

    def __iter__(self):
        return iter(self._mapping)

    def __reversed__(self):
        return reversed(self._mapping)

    def __len__(self):
        return len(self._mapping)

    def get(self, key, default=None):
        return self._mapping.get(key, default)

    def keys(self):
        return self._mapping.keys()

    def values(self):
        return self._mapping.values()

    def items(self):
        return self._mapping.items()

    def copy(self):
        return self._mapping.copy()

    def __or__(self, other):
        return self._mapping | (other._mapping if isinstance(other, MappingProxyType) else other)

    def __ror__(self, other):
        return other | self._mapping

    def __eq__(self, other):
        return self._mapping == (other._mapping if isinstance(other, MappingProxyType) else other)

    def __hash__(self):
        return hash(self._mapping)

    def __str__(self):
        return str(self._mapping)

    def __repr__(self):
        return f"mappingproxy({self._mapping!r})"


# The class is named as CPython names it, which is what errors say.
MappingProxyType.__name__ = MappingProxyType.__qualname__ = "mappingproxy"


class _Bound:
    def method(self):
        pass


FunctionType = LambdaType = type(lambda: None)
MethodType = type(_Bound().method)
BuiltinFunctionType = type(len)
BuiltinMethodType = type([].append)
GeneratorType = type(_ for _ in ())
ModuleType = type(sys)
CodeType = type((lambda: None).__code__)
NoneType = type(None)
EllipsisType = type(...)
NotImplementedType = type(NotImplemented)
UnionType = type(int | str)
