"""Names of types that have none among the builtins, and `SimpleNamespace`."""
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
