"""Rounding and bounds: `round(a, 2)`, `clip(a, 0, 1)`, `nan_to_num(a)`."""
import math

import torch
from numpy import _memory, _ufuncs
from numpy._array import wrap_result
from numpy._dtypes import int_range
from numpy._reductions import _given
from numpy._values import operand


def round(a, decimals=0, out=None):
    """To so many places, halves to the even neighbour, by way of a product."""
    if getattr(type(a), "_is_complex_number", False):
        return a.round(decimals)
    tensor = operand(a)
    if tensor.dtype is torch.bool:
        result = tensor.to(torch.float16)
    elif not tensor.dtype.is_floating_point:
        result = tensor if decimals >= 0 else _to_tens(tensor, decimals)
    elif decimals == 0:
        result = torch.round(tensor)
    else:
        scale = _memory.tensor(10.0 ** abs(decimals), dtype=tensor.dtype)
        result = torch.round(tensor * scale) / scale if decimals > 0 else torch.round(tensor / scale) * scale
    return _given(result.clone() if result is tensor else result, out, a)


def _to_tens(tensor, decimals):
    scale = 10.0 ** -decimals
    return (torch.round(tensor.to(torch.float64) / scale) * scale).to(tensor.dtype)


around = round


def fix(x, out=None):
    return _ufuncs.trunc(x, out=out)


def clip(a, a_min=None, a_max=None, out=None, *, min=None, max=None):
    """Not below the one and not above the other."""
    least, greatest = a_min if min is None else min, a_max if max is None else max
    least, greatest = _bounds_that_bound(a, least, greatest)
    result = a
    if least is not None:
        result = _ufuncs.maximum(result, least)
    if greatest is not None:
        result = _ufuncs.minimum(result, greatest)
    if result is a:
        result = _ufuncs.positive(a)
    return result if out is None else _ufuncs.positive(result, out=out)


def _bounds_that_bound(a, least, greatest):
    """Without those that no int of the dtype reaches."""
    dtype = operand(a).dtype
    if dtype.is_floating_point or dtype is torch.bool:
        return least, greatest
    lowest, highest = int_range(dtype)
    return (None if type(least) is int and least < lowest else least,
            None if type(greatest) is int and greatest > highest else greatest)


def nan_to_num(x, copy=True, nan=0.0, posinf=None, neginf=None):
    """Finite numbers only."""
    tensor = operand(x)
    if not tensor.dtype.is_floating_point:
        return wrap_result(tensor.clone())
    made = torch.nan_to_num(tensor, nan, posinf, neginf)
    if copy:
        return wrap_result(made)
    x[...] = wrap_result(made)
    return x


def isposinf(x):
    return wrap_result(operand(x) == math.inf)


def isneginf(x):
    return wrap_result(operand(x) == -math.inf)
