"""Reductions that pass by NaN: `nanmean(a)`, `nanmax(a, axis=0)`."""
import math

import torch
from numpy import _reductions
from numpy._array import wrap, wrap_result
from numpy._axes import axes_of
from numpy._reductions import _as_floats, _given, _with_kept_axes
from numpy._values import operand


def _filled(a, nothing):
    """Without NaN, and where there was one."""
    tensor = operand(a)
    if not tensor.dtype.is_floating_point:
        return tensor, torch.zeros_like(tensor, dtype=torch.bool)
    missing = torch.isnan(tensor)
    return torch.where(missing, torch.full_like(tensor, nothing), tensor), missing


def _without(name, nothing):
    function = getattr(_reductions, name)

    def reduction(a, axis=None, dtype=None, out=None, keepdims=False):
        return function(wrap(_filled(a, nothing)[0]), axis, dtype, out, keepdims)

    def running(a, axis=None, dtype=None, out=None):
        return function(wrap(_filled(a, nothing)[0]), axis, dtype, out)

    return running if name.startswith("cum") else reduction


nansum, nanprod = _without("sum", 0), _without("prod", 1)
nancumsum, nancumprod = _without("cumsum", 0), _without("cumprod", 1)


def _extreme(name, nothing):
    function = getattr(_reductions, name)

    def reduction(a, axis=None, out=None, keepdims=False):
        filled, missing = _filled(a, nothing)
        result = operand(function(wrap(filled), axis, None, keepdims))
        all_missing = operand(_reductions.all(wrap(missing), axis, None, keepdims))
        if result.dtype.is_floating_point:
            result = torch.where(all_missing, torch.full_like(result, math.nan), result)
        return _given(result, out)

    return reduction


nanmax, nanmin = _extreme("max", -math.inf), _extreme("min", math.inf)


def _place(name, nothing):
    function = getattr(_reductions, name)

    def reduction(a, axis=None, out=None, *, keepdims=False):
        filled, missing = _filled(a, nothing)
        if bool(_reductions.any(_reductions.all(wrap(missing), axis))):
            raise ValueError("All-NaN slice encountered")
        return function(wrap(filled), axis, out, keepdims=keepdims)

    return reduction


nanargmax, nanargmin = _place("argmax", -math.inf), _place("argmin", math.inf)


def nanmean(a, axis=None, dtype=None, out=None, keepdims=False):
    tensor = _as_floats(a, dtype)
    filled, missing = _filled(wrap(tensor), 0)
    axes = axes_of(axis, tensor.dim())
    count = (~missing).sum(tuple(axes)) if axes else (~missing).to(torch.int64)
    result = (_reductions.folded("sum", filled, axes) / count).to(tensor.dtype)
    return _given(_with_kept_axes(result, axes, keepdims), out)


def _variance(a, axis, dtype, ddof, keepdims):
    tensor = _as_floats(a, dtype)
    axes = axes_of(axis, tensor.dim())
    filled, missing = _filled(wrap(tensor), 0)
    count = (~missing).sum(tuple(axes)) if axes else (~missing).to(torch.int64)
    mean = _with_kept_axes(_reductions.folded("sum", filled, axes) / count, axes, True)
    distance = torch.where(missing, torch.zeros_like(tensor), filled - mean)
    left = count - ddof
    result = _reductions.folded("sum", distance * distance, axes) / left
    result = torch.where(left <= 0, torch.full_like(result, math.nan), result).to(tensor.dtype)
    return _with_kept_axes(result, axes, keepdims)


def nanvar(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False):
    return _given(_variance(a, axis, dtype, ddof, keepdims), out)


def nanstd(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False):
    return _given(torch.sqrt(_variance(a, axis, dtype, ddof, keepdims)), out)


def nanmedian(a, axis=None, out=None, overwrite_input=False, keepdims=False):
    """The middle of what is there: of each row by itself."""
    from numpy._statistics import _rows_of, median

    rows, axes = _rows_of(a, axis)
    flat = rows.reshape(-1, rows.size(-1))
    medians = [operand(median(wrap(row[~torch.isnan(row)]))) for row in flat]
    result = torch.stack(medians).reshape(rows.shape[:-1]) if medians else rows.sum(-1)
    return _given(_with_kept_axes(result, axes, keepdims), out)


def nanquantile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False):
    from numpy._statistics import quantile

    if axis is not None or keepdims:
        raise NotImplementedError("nanquantile() along an axis is not there")
    tensor = operand(a).reshape(-1)
    return quantile(wrap(tensor[~torch.isnan(tensor)]), q, None, out, method=method)


def nanpercentile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False):
    shares = q / 100 if isinstance(q, (int, float)) else wrap_result(operand(q) / 100)
    return nanquantile(a, shares, axis, out, method=method, keepdims=keepdims)
