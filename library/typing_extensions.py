"""The names of `typing`, and newer ones: a package that scripts import them from."""
import typing
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


def __getattr__(name):
    return getattr(typing, name)
