"""`ABC` and `abstractmethod`, for classes that say what their subclasses must define."""


class ABC:
    __slots__ = ()
    # What the interpreter goes by: a class that has this is checked when an instance is made.
    __abstractmethods__ = frozenset()


def abstractmethod(function):
    function.__isabstractmethod__ = True
    return function
