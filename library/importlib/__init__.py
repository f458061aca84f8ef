"""Imports whose names are known when the script runs.

    module = importlib.import_module("tasks." + name)
    if importlib.util.find_spec("matplotlib") is not None: ...
"""
import sys

from importlib import metadata, util


def import_module(name, package=None):
    if name.startswith("."):
        if not package:
            raise TypeError("the 'package' argument is required to perform a relative import for "
                            f"{name!r}")
        name = util.resolve_name(name, package)
    __import__(name)
    return sys.modules[name]


def reload(module):
    """Runs the file of a module again, into the same module."""
    with open(module.__file__) as file:
        exec(compile(file.read(), module.__file__, "exec"), module.__dict__)
    return module


def invalidate_caches():
    """There is none: a module is looked for in the folders each time."""
