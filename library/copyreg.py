"""How an object of a class is taken apart, to be put together again somewhere else.

    reduction(Point(1, 2), 4)    # (__newobj__, (Point,), {"x": 1, "y": 2}, None, None)

That is: call the first with the second; what comes of it is given the state, the items of a list and
those of a dict. A class says otherwise by `__reduce_ex__`, `__reduce__`, `__getstate__` or
`__getnewargs__`; of a class that cannot, `pickle(cls, function)` says it.
"""

import types

dispatch_table = {}
# Packages that say how their types are taken apart in a module of their own.
_PACKAGES = {"torch": "torch._reductions"}


def pickle(ob_type, pickle_function, constructor_ob=None):
    """Objects of the type are taken apart by the function, which returns what `reduction` does."""
    if not callable(pickle_function):
        raise TypeError("reduction functions must be callable")
    dispatch_table[ob_type] = pickle_function


def __newobj__(cls, *args):
    return cls.__new__(cls, *args)


def __newobj_ex__(cls, args, kwargs):
    return cls.__new__(cls, *args, **kwargs)


def has_name(value):
    """Whether it is a class or a function, which its module has by a name. The class of what
    `torch.compile` gives is another one that is called so."""
    kind = type(value)
    return isinstance(value, type) or kind.__module__ == "builtins" and kind.__name__ in _FUNCTIONS


_FUNCTIONS = ("function", "builtin_function_or_method")


def reduction(value, protocol):
    """A tuple of two to six, or a str: the name of the object in its module. A sixth is who sets the state."""
    kind = type(value)
    package = kind.__module__.partition(".")[0]
    if package in _PACKAGES:
        __import__(_PACKAGES.pop(package))
    if kind in dispatch_table:
        return dispatch_table[kind](value)
    return kind.__reduce_ex__(value, protocol)


def reduction_by_class(value, protocol):
    """`object.__reduce_ex__`: as `__reduce__` says where a class has one."""
    if type(value).__reduce__ is not object.__reduce__:
        return value.__reduce__()
    return reduction_of_object(value)


def reduction_of_object(value):
    """`object.__reduce__`"""
    kind = type(value)
    if isinstance(value, (set, frozenset)):
        return kind, (list(value),), getattr(value, "__dict__", None)
    if isinstance(value, tuple) and not hasattr(kind, "__getnewargs__") and hasattr(kind, "_fields"):
        return kind, (tuple(value),)  # what operators return
    if isinstance(value, BaseException):
        return (kind, value.args, value.__dict__) if value.__dict__ else (kind, value.args)
    return _of_attributes(value, kind)


def _of_attributes(value, kind):
    """What becomes of a class that says nothing."""
    items = iter(value) if isinstance(value, list) else None
    pairs = iter(value.items()) if isinstance(value, dict) else None
    if hasattr(kind, "__getnewargs_ex__"):
        args, keywords = value.__getnewargs_ex__()
        return __newobj_ex__, (kind, args, keywords), kind.__getstate__(value), items, pairs
    return __newobj__, (kind, *_new_arguments(value, kind)), kind.__getstate__(value), items, pairs


def _new_arguments(value, kind):
    if hasattr(kind, "__getnewargs__"):
        return value.__getnewargs__()
    for base in (str, bytes, tuple):
        if isinstance(value, base):
            return (base(value),)
    has_state = (isinstance(value, (list, dict)) or hasattr(value, "__dict__")
                 or hasattr(kind, "__slots__") or kind is object)
    if not has_state or kind is types.ModuleType:
        raise TypeError(f"cannot pickle '{kind.__name__}' object")
    return ()


def state_of_object(value):
    """`object.__getstate__`: the attributes; with slots a pair of both."""
    kind = type(value)
    named = _slots(kind)
    attributes = {name: item for name, item in getattr(value, "__dict__", {}).items() if name not in named}
    slots = {name: getattr(value, name) for name in named if hasattr(value, name)}
    return (attributes or None, slots) if slots else attributes or None


def set_state(made, state):
    """Gives an object what `__getstate__` said of another."""
    if hasattr(made, "__setstate__"):
        made.__setstate__(state)
        return
    slots = None
    if isinstance(state, tuple) and len(state) == 2:
        state, slots = state
    if state:
        made.__dict__.update(state)
    if slots:
        for name, value in slots.items():
            setattr(made, name, value)


def _slots(kind):
    found = []
    for base in kind.__mro__:
        names = base.__dict__.get("__slots__", ())
        for name in (names,) if isinstance(names, str) else names:
            if name not in ("__dict__", "__weakref__"):
                found.append(f"_{base.__name__.lstrip('_')}{name}" if _is_private(name) else name)
    return found


def _is_private(name):
    return name.startswith("__") and not name.endswith("__")


# Of types that are not written in a script, how they are made.
pickle(range, lambda value: (range, (value.start, value.stop, value.step)))
pickle(complex, lambda value: (complex, (value.real, value.imag)))
pickle(slice, lambda value: (slice, (value.start, value.stop, value.step)))
pickle(types.MethodType, lambda value: (getattr, (value.__self__, value.__func__.__name__)))
