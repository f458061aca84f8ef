"""What axes are folded to: sums, means, extremes, truth; and sums so far.

    sum(a)                          all elements; a scalar
    mean(a, axis=0, keepdims=True)
    cumsum(a)

Sums of floats add in NumPy's order (`_numpy.folded`), so that the last digit is the same. A sum of bools or
ints is an int64.
"""
import torch
from numpy import _memory
from numpy._array import wrap, wrap_result
from numpy._axes import axes_of, one_axis
from numpy._dtypes import converted, dtype_of
from numpy._values import operand

import _numpy

# What fills the places that `where` leaves out.
_NOTHING = {"sum": 0, "prod": 1, "any": False, "all": True}


def _given(result, out, operand=None):
    """The result, put into `out` where there is one; a tensor where the operand is one whose own method NumPy
    calls."""
    if out is None:
        return result if isinstance(operand, torch.Tensor) else wrap_result(result)
    out[...] = wrap(result)
    return out


def _with_kept_axes(result, axes, keepdims):
    if keepdims:
        for axis in sorted(axes):
            result = result.unsqueeze(axis)
    return result


def _chosen_only(tensor, where, nothing):
    if where is True:
        return tensor
    return torch.where(operand(where).to(torch.bool), tensor, _memory.full((), nothing, dtype=tensor.dtype))


def _summed_dtype(tensor, dtype, what):
    if dtype is not None:
        return dtype_of(dtype)._torch
    if tensor.dtype is torch.uint8:
        raise TypeError(f"the {what} of uint8 is uint64, which there is not: give dtype=np.int64")
    return tensor.dtype if tensor.dtype.is_floating_point else torch.int64


def folded(what, tensor, axes):
    """The sum or the product along axes, in the tensor's dtype."""
    if tensor.dtype.is_floating_point:
        return _numpy.folded(what, tensor, axes)
    if what == "sum":
        return tensor.sum(tuple(axes)) if axes else tensor.clone()
    for axis in sorted(axes, reverse=True):
        tensor = tensor.prod(axis)
    return tensor


def _fold(what, name, a, axis, dtype, out, keepdims, initial, where):
    tensor = operand(a)
    tensor = converted(tensor, _summed_dtype(tensor, dtype, name))
    tensor = _chosen_only(tensor, where, _NOTHING[name])
    axes = axes_of(axis, tensor.dim())
    result = _with_kept_axes(folded(what, tensor, axes), axes, keepdims)
    if initial is not None:
        start = operand(initial).to(result.dtype)
        result = result + start if what == "sum" else result * start
    return _given(result.to(tensor.dtype), out)


def sum(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=True):
    return _fold("sum", "sum", a, axis, dtype, out, keepdims, initial, where)


def prod(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=True):
    return _fold("product", "prod", a, axis, dtype, out, keepdims, initial, where)


# ---- Means --------------------------------------------------------------------------------------

def _count(tensor, axes):
    count = 1
    for axis in axes:
        count *= tensor.size(axis)
    return count


def _averaged(tensor, axes):
    """The mean along axes; halves are summed as float32."""
    wide = tensor.to(torch.float32) if tensor.dtype is torch.float16 else tensor
    return (_numpy.folded("sum", wide, axes) / _count(tensor, axes)).to(tensor.dtype)


def _as_floats(a, dtype):
    tensor = operand(a)
    if dtype is not None:
        return converted(tensor, dtype_of(dtype)._torch)
    return tensor if tensor.dtype.is_floating_point else tensor.to(torch.float64)


def _all_places(name, where):
    if where is not True:
        raise NotImplementedError(f"{name}() with where= is not there")


def mean(a, axis=None, dtype=None, out=None, keepdims=False, *, where=True):
    _all_places("mean", where)
    tensor = _as_floats(a, dtype)
    axes = axes_of(axis, tensor.dim())
    return _given(_with_kept_axes(_averaged(tensor, axes), axes, keepdims), out)


def _variance(tensor, axes, ddof):
    count = _count(tensor, axes)
    mean = _numpy.folded("sum", tensor, axes)
    for axis in sorted(axes):
        mean = mean.unsqueeze(axis)
    distance = tensor - mean / count
    left = greater_of(count - ddof, 0)
    return _numpy.folded("sum", distance * distance, axes) / left


def greater_of(a, b):
    return a if a > b else b


def var(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=True, correction=None):
    _all_places("var", where)
    tensor = _as_floats(a, dtype)
    axes = axes_of(axis, tensor.dim())
    result = _variance(tensor, axes, ddof if correction is None else correction)
    return _given(_with_kept_axes(result, axes, keepdims), out)


def std(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=True, correction=None):
    _all_places("std", where)
    tensor = _as_floats(a, dtype)
    axes = axes_of(axis, tensor.dim())
    result = torch.sqrt(_variance(tensor, axes, ddof if correction is None else correction))
    return _given(_with_kept_axes(result, axes, keepdims), out)


# ---- Extremes -----------------------------------------------------------------------------------

def _extreme(a, axis, out, keepdims, initial, where, name, of_bools, of_numbers, pairwise):
    tensor = operand(a)
    axes = axes_of(axis, tensor.dim())
    if where is not True:
        if initial is None:
            raise ValueError(f"reduction operation '{name}' does not have an identity, so to use a where mask one has "
                             "to specify 'initial'")
        tensor = torch.where(operand(where), tensor, operand(initial).to(tensor.dtype))
    if _count(tensor, axes) == 0 and initial is None:
        raise ValueError(f"zero-size array to reduction operation {name} which has no identity")
    result = _folded_extreme(tensor, axes, of_bools, of_numbers, initial)
    if initial is not None:
        result = pairwise(result, operand(initial).to(result.dtype))
    return _given(_with_kept_axes(result, axes, keepdims), out)


def _folded_extreme(tensor, axes, of_bools, of_numbers, initial):
    if not axes:
        return tensor.clone()
    if _count(tensor, axes) == 0:
        kept = [size for i, size in enumerate(tensor.shape) if i not in axes]
        return operand(initial).to(tensor.dtype).expand(kept)
    if tensor.numel() == 0:
        return tensor.sum(tuple(axes)).to(tensor.dtype)
    if tensor.dtype is torch.bool:
        for axis in sorted(axes, reverse=True):
            tensor = of_bools(tensor, axis)
        return tensor
    return of_numbers(tensor, tuple(axes))


def max(a, axis=None, out=None, keepdims=False, initial=None, where=True):
    return _extreme(a, axis, out, keepdims, initial, where, "maximum", torch.any, torch.amax, torch.maximum)


def min(a, axis=None, out=None, keepdims=False, initial=None, where=True):
    return _extreme(a, axis, out, keepdims, initial, where, "minimum", torch.all, torch.amin, torch.minimum)


amax, amin = max, min


def ptp(a, axis=None, out=None, keepdims=False):
    """The greatest less the least."""
    from numpy._ufuncs import subtract

    return subtract(max(a, axis, None, keepdims), min(a, axis, None, keepdims), out=out)


def _place_of_extreme(name, find, a, axis, out, keepdims):
    tensor = operand(a)
    if tensor.dtype is torch.bool:
        tensor = tensor.to(torch.uint8)
    if tensor.dim() == 0 and axis in (0, -1):
        axis = None
    size = tensor.numel() if axis is None else tensor.size(one_axis(axis, tensor.dim()))
    if size == 0:
        raise ValueError(f"attempt to get {name} of an empty sequence")
    if axis is None:
        result = find(tensor.reshape(-1), 0)
        if keepdims:
            result = result.reshape((1,) * tensor.dim())
    else:
        result = find(tensor, one_axis(axis, tensor.dim()))
        result = result.unsqueeze(axis) if keepdims else result
    return _given(result, out, a)


def argmax(a, axis=None, out=None, *, keepdims=False):
    return _place_of_extreme("argmax", torch.argmax, a, axis, out, keepdims)


def argmin(a, axis=None, out=None, *, keepdims=False):
    return _place_of_extreme("argmin", torch.argmin, a, axis, out, keepdims)


# ---- Truth --------------------------------------------------------------------------------------

def _truth(name, fold, a, axis, out, keepdims, where):
    tensor = _chosen_only(operand(a) != 0, where, _NOTHING[name])
    axes = axes_of(axis, tensor.dim())
    result = tensor
    for each in sorted(axes, reverse=True):
        result = fold(result, each)
    return _given(_with_kept_axes(result, axes, keepdims), out)


def any(a, axis=None, out=None, keepdims=False, *, where=True):
    return _truth("any", torch.any, a, axis, out, keepdims, where)


def all(a, axis=None, out=None, keepdims=False, *, where=True):
    return _truth("all", torch.all, a, axis, out, keepdims, where)


def count_nonzero(a, axis=None, *, keepdims=False):
    tensor = operand(a) != 0
    axes = axes_of(axis, tensor.dim())
    return wrap_result(_with_kept_axes(tensor.sum(tuple(axes)), axes, keepdims))


# ---- So far -------------------------------------------------------------------------------------

def _running(what, name, of_ints, a, axis, dtype, out):
    tensor = operand(a)
    tensor = converted(tensor, _summed_dtype(tensor, dtype, name))
    if axis is None or tensor.dim() == 0:
        tensor, axis = tensor.reshape(-1), axis or 0
    axis = one_axis(axis, tensor.dim())
    if tensor.dtype.is_floating_point:
        result = _numpy.running(what, tensor.movedim(axis, -1).contiguous()).movedim(-1, axis)
    else:
        result = of_ints(tensor, axis)
    return _given(result, out, a)


def cumsum(a, axis=None, dtype=None, out=None):
    return _running("sum", "cumsum", torch.cumsum, a, axis, dtype, out)


def cumprod(a, axis=None, dtype=None, out=None):
    return _running("product", "cumprod", torch.cumprod, a, axis, dtype, out)


def diff(a, n=1, axis=-1, prepend=None, append=None):
    """What each element has more than the one before it."""
    tensor = operand(a)
    if tensor.dim() == 0:
        raise ValueError("diff requires input that is at least one dimensional")
    axis = one_axis(axis, tensor.dim())
    parts = [_as_part_of(tensor, each, axis) for each in (prepend, append)]
    tensor = torch.cat([each for each in (parts[0], tensor, parts[1]) if each is not None], axis)
    if n < 0:
        raise ValueError(f"order must be non-negative but got {n}")
    for _ in range(n):
        behind = tensor.narrow(axis, 1, greater_of(tensor.size(axis) - 1, 0)) if tensor.size(axis) else tensor
        before = tensor.narrow(axis, 0, greater_of(tensor.size(axis) - 1, 0))
        tensor = behind ^ before if tensor.dtype is torch.bool else behind - before
    return wrap(tensor)


def _as_part_of(tensor, given, axis):
    if given is None:
        return None
    part = operand(given).to(tensor.dtype)
    if part.dim() == 0:
        shape = list(tensor.shape)
        shape[axis] = 1
        part = part.expand(shape)
    return part
