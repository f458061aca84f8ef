"""Copies of objects: `copy` of the outer object, `deepcopy` of everything below it too."""

_atomic = (type(None), bool, int, float, str, bytes, type, range, slice, type(lambda: 0), type(len))


class Error(Exception):
    pass


class _Owner:
    def method(self):
        pass


_method = type(_Owner().method)


def copy(x):
    if isinstance(x, _atomic) or callable(x) and not hasattr(x, "__dict__"):
        return x
    method = getattr(x, "__copy__", None)
    if method is not None:
        return method()
    kind = type(x)
    if kind is list or kind is dict or kind is set:
        return x.copy()
    if kind is tuple or kind is frozenset:
        return x
    if isinstance(x, (list, set)):
        return _with_attributes(kind(x), x)
    if isinstance(x, dict):
        return _with_attributes(x.copy(), x)
    if not hasattr(x, "__dict__") or hasattr(x, "__code__"):
        return x
    return _with_attributes(object.__new__(kind), x)


def _state_of(x):
    """What a copy begins with: the attributes, or what the class says instead."""
    if hasattr(type(x), "__getstate__"):
        return x.__getstate__()
    return getattr(x, "__dict__", {})


def _set_state(made, state):
    if state is None:
        return made
    if hasattr(type(made), "__setstate__"):
        made.__setstate__(state)
    else:
        for name, value in state.items():
            made.__dict__[name] = value
    return made


def _with_attributes(made, x):
    return _set_state(made, _state_of(x))


# Which attributes an object has is no part of a region.
_with_attributes._torchdynamo_disable = True


def deepcopy(x, memo=None):
    if isinstance(x, _atomic):
        return x
    if memo is None:
        memo = {}
    key = id(x)
    if key in memo:
        return memo[key][0]
    made = _deep(x, memo)
    # The original is kept too: its id must not be given to another object meanwhile.
    memo[key] = (made, x)
    return made


deepcopy._torchdynamo_disable = True


def _deep(x, memo):
    method = getattr(x, "__deepcopy__", None)
    if method is not None:
        return method(memo)
    kind = type(x)
    if kind is list:
        made = []
        memo[id(x)] = (made, x)
        for item in x:
            made.append(deepcopy(item, memo))
        return made
    if kind is dict:
        made = {}
        memo[id(x)] = (made, x)
        for name, value in x.items():
            made[deepcopy(name, memo)] = deepcopy(value, memo)
        return made
    if kind is tuple:
        return tuple([deepcopy(item, memo) for item in x])
    if kind is set or kind is frozenset:
        return kind([deepcopy(item, memo) for item in x])
    if kind is _method:
        return _method(x.__func__, deepcopy(x.__self__, memo))
    if hasattr(x, "__code__") or not hasattr(x, "__dict__"):
        return x
    if isinstance(x, dict):
        made = x.copy()
        made.clear()
        for name, value in x.items():
            made[deepcopy(name, memo)] = deepcopy(value, memo)
    elif isinstance(x, list):
        made = kind([deepcopy(item, memo) for item in x])
    else:
        made = object.__new__(kind)
    memo[id(x)] = (made, x)
    return _set_state(made, deepcopy(_state_of(x), memo))


def replace(x, **changes):
    return x.__replace__(**changes)
