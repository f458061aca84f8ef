"""The names of `typing`, and newer ones: a package that scripts import them from."""
import typing
import warnings
from functools import wraps
from typing import *

TypeIs = typing._Form("TypeIs")
ReadOnly = typing._Form("ReadOnly")


def override(arg):
    """Marks a method that replaces a base's."""
    try:
        arg.__override__ = True
    except (AttributeError, TypeError):
        pass
    return arg


def deprecated(message, /, *, category=DeprecationWarning, stacklevel=1):
    """Marks a function, of which each call warns."""
    def marked(function):
        if isinstance(function, type):
            raise NotImplementedError("@deprecated marks functions; classes that it marks are not there yet")
        function.__deprecated__ = message
        if category is None:
            return function

        @wraps(function)
        def wrapper(*args, **kwargs):
            warnings.warn(message, category, stacklevel=stacklevel + 1)
            return function(*args, **kwargs)
        return wrapper
    return marked


def __getattr__(name):
    return getattr(typing, name)
