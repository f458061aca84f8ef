"""Copies of objects: `copy` of the outer object, `deepcopy` of everything below it too.

What is no container of the language is taken apart as for a pickle (`copyreg`), and put together again:
a class says by the same methods how it is copied.
"""
import copyreg
import types

_ATOMS = {type(None), type(...), type(NotImplemented), bool, int, float, complex, str, bytes, range, slice, property}


class Error(Exception):
    pass


def copy(x):
    kind = type(x)
    if kind in _ATOMS or kind is tuple or kind is frozenset or copyreg.has_name(x):
        return x
    if kind is list or kind is dict or kind is set:
        return x.copy()
    method = getattr(kind, "__copy__", None)
    if method is not None:
        return method(x)
    return _reconstructed(x, None)


def deepcopy(x, memo=None):
    kind = type(x)
    if kind in _ATOMS or copyreg.has_name(x):
        return x
    if memo is None:
        memo = {}
    if id(x) in memo:
        return memo[id(x)]
    if kind in _CONTAINERS:
        made = _CONTAINERS[kind](x, memo)
    else:
        method = getattr(x, "__deepcopy__", None)
        made = method(memo) if method is not None else _reconstructed(x, memo)
    memo[id(x)] = made
    # The original is kept too: its id must not be given to another object meanwhile.
    memo.setdefault(id(memo), []).append(x)
    return made


def _deep_list(x, memo):
    made = []
    memo[id(x)] = made
    for item in x:
        made.append(deepcopy(item, memo))
    return made


def _deep_dict(x, memo):
    made = {}
    memo[id(x)] = made
    for name, value in x.items():
        made[deepcopy(name, memo)] = deepcopy(value, memo)
    return made


def _deep_tuple(x, memo):
    items = [deepcopy(item, memo) for item in x]
    if id(x) in memo:  # it holds itself, and was copied on the way
        return memo[id(x)]
    if all(item is old for item, old in zip(items, x)):
        return x
    return tuple(items)


def _deep_method(x, memo):
    return types.MethodType(x.__func__, deepcopy(x.__self__, memo))


_CONTAINERS = {list: _deep_list, dict: _deep_dict, tuple: _deep_tuple, types.MethodType: _deep_method}


def _reconstructed(x, memo):
    """What `copyreg` took apart put together again; deeply with a memo."""
    taken = copyreg.reduction(x, 4)
    if isinstance(taken, str):
        return x
    function, arguments, state, items, pairs, set_state = taken + (None,) * (6 - len(taken))
    part = (lambda value: value) if memo is None else (lambda value: deepcopy(value, memo))
    made = function(*[part(argument) for argument in arguments])
    if memo is not None:
        memo[id(x)] = made
    if state is not None:
        (set_state or copyreg.set_state)(made, part(state))
    for item in items or ():
        made.append(part(item))
    for key, value in pairs or ():
        made[part(key)] = part(value)
    return made


# Which attributes an object has is no part of a region.
_reconstructed._torchdynamo_disable = True
deepcopy._torchdynamo_disable = True


def replace(x, **changes):
    return x.__replace__(**changes)
