"""Integers of a range: what `randint` and `integers` have in common.

    draw(stream, 0, 10, (2, 3), int, "randint", endpoint=False)     an array of 0 to 9
"""
import torch
from numpy._array import wrap
from numpy._dtypes import dtype_of
from numpy._scalars import make
from numpy.random._arguments import any_of, is_tensor, of_int64, parameters

_INTEGERS = (torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64)


def _torch_dtype(dtype, who):
    found = dtype_of(dtype)
    if found._torch not in _INTEGERS:
        raise TypeError(f"Unsupported dtype {found!r} for {who}")
    return found._torch


def _bounds(kind):
    if kind is torch.bool:
        return 0, 1
    info = torch.iinfo(kind)
    return info.min, info.max


def _is_above(low, high):
    try:
        return low > high
    except RuntimeError:
        raise ValueError("operands could not be broadcast together with shapes "
                         f"{tuple(low.shape)} {tuple(high.shape)} ") from None


def _check(low, high, kind, name, endpoint):
    """`high` is included."""
    least, greatest = _bounds(kind)
    if any_of(low < least):
        raise ValueError(f"low is out of bounds for {name}")
    if any_of(high > greatest):
        raise ValueError(f"high is out of bounds for {name}")
    if any_of(_is_above(low, high)):
        sign = ">" if endpoint else ">="
        raise ValueError(f"low {sign} high" if any_of(low != 0) else f"high {'<' + sign[1:]} 0")


def draw(stream, low, high, size, dtype, who, endpoint):
    """An int or bool of Python's where `dtype` is one, else a scalar or an array of it."""
    kind = torch.int64 if dtype is int else _torch_dtype(dtype, who)
    if high is None:
        low, high = 0, low
    if type(low) is not int or type(high) is not int:
        low, high = of_int64(low), of_int64(high)
    high = high if endpoint else high - 1
    _check(low, high, kind, str(kind)[6:], endpoint)
    if is_tensor(low) or is_tensor(high):
        size, (low, high) = parameters(size, (low, high), (of_int64, of_int64), size_place=2)
    drawn = stream.integers(low, high, size, kind)
    if size is not None:
        return wrap(drawn)
    if dtype is int or dtype is bool:
        return dtype(drawn)
    return make(kind, bool(drawn) if kind is torch.bool else drawn)
