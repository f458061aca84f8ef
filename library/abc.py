"""`ABC`, `ABCMeta` and `abstractmethod`, for classes that say what their subclasses must define."""


class ABCMeta(type):
    def __new__(metacls, name, bases, namespace, /, **keywords):
        # What the interpreter goes by: a class that has this is checked when an instance is made.
        return super().__new__(metacls, name, bases, {**namespace, "__abstractmethods__": frozenset()}, **keywords)


class ABC(metaclass=ABCMeta):
    __slots__ = ()


def abstractmethod(function):
    function.__isabstractmethod__ = True
    return function
