"""`ABC` and `abstractmethod`, for classes that say what their subclasses must define."""


class ABC:
    pass


def abstractmethod(function):
    function.__isabstractmethod__ = True
    return function
