"""New arrays: of one value, of numbers in a row, of coordinates.

    zeros((2, 3)), ones(4, dtype=np.float32), full(3, 7)
    arange(0, 1, 0.25), linspace(0, 1, 5)
    eye(3), diag([1, 2]), meshgrid(x, y)
"""
import math

import torch
from numpy import _memory, _scalars
from numpy._array import locked, ndarray, wrap
from numpy._dtypes import FLOAT64, OF_TORCH, dtype_of, is_complex_dtype, result_type
from numpy._values import array, asarray, operand


def _sizes(shape):
    if type(shape) is int and shape >= 0:
        return shape
    if isinstance(shape, (list, tuple, ndarray)):
        sizes = [_size(each) for each in shape]
    elif isinstance(shape, float):
        raise TypeError(f"expected a sequence of integers or a single integer, got '{shape}'")
    else:
        sizes = [_size(shape)]
    if any([size < 0 for size in sizes]):
        raise ValueError("negative dimensions are not allowed")
    return tuple(sizes)


def _size(given):
    if not hasattr(given, "__index__"):
        raise TypeError(f"'{_kind(given)}' object cannot be interpreted as an integer")
    return given.__index__()


def _kind(value):
    name = type(value).__name__
    return f"numpy.{name}" if isinstance(value, (_scalars.generic, ndarray)) else name


# ---- Of one value -------------------------------------------------------------------------------

def _complex_filled(shape, value, dtype):
    from numpy._complex_arrays import filled

    sizes = _sizes(shape)
    return filled((sizes,) if type(sizes) is int else sizes, value, dtype)


def zeros(shape, dtype=float, order="C", *, device=None, like=None):
    if dtype is not float and is_complex_dtype(dtype):
        return _complex_filled(shape, 0, dtype)
    return wrap(_memory.zeros(_sizes(shape), dtype=dtype_of(dtype)._torch))


def ones(shape, dtype=None, order="C", *, device=None, like=None):
    if dtype is not float and is_complex_dtype(dtype):
        return _complex_filled(shape, 1, dtype)
    return wrap(_memory.ones(_sizes(shape), dtype=dtype_of(dtype)._torch))


def empty(shape, dtype=float, order="C", *, device=None, like=None):
    if dtype is not float and is_complex_dtype(dtype):
        return _complex_filled(shape, 0, dtype)
    return wrap(_memory.empty(_sizes(shape), dtype=dtype_of(dtype)._torch))


def full(shape, fill_value, dtype=None, order="C", *, device=None, like=None):
    values = array(fill_value, dtype)._tensor
    made = wrap(_memory.empty(_sizes(shape), dtype=values.dtype))
    made[...] = wrap(values)
    return made


def _like(a, dtype, shape):
    given = operand(a)
    wanted = OF_TORCH[given.dtype] if dtype is None else dtype_of(dtype)
    return tuple(given.shape) if shape is None else shape, wanted


def zeros_like(a, dtype=None, order="K", subok=True, shape=None, *, device=None):
    return zeros(*_like(a, dtype, shape))


def ones_like(a, dtype=None, order="K", subok=True, shape=None, *, device=None):
    return ones(*_like(a, dtype, shape))


def empty_like(prototype, dtype=None, order="K", subok=True, shape=None, *, device=None):
    return empty(*_like(prototype, dtype, shape))


def full_like(a, fill_value, dtype=None, order="K", subok=True, shape=None, *, device=None):
    sizes, wanted = _like(a, dtype, shape)
    made = empty(sizes, wanted)
    made[...] = fill_value
    return made


def copy(a, order="K", subok=False):
    return array(a)


def fromiter(iter, dtype, count=-1, *, like=None):
    items = []
    for item in iter:
        if len(items) == count:
            break
        items.append(item)
    return array(items, dtype)


def fromfunction(function, shape, *, dtype=float, like=None, **kwargs):
    return function(*indices(shape, dtype), **kwargs)


# ---- Numbers in a row ---------------------------------------------------------------------------

def arange(start, stop=None, step=1, dtype=None, *, device=None, like=None):
    """`arange(5)`, `arange(1, 2, 0.25)`: each number is the first and so many steps."""
    if stop is None:
        start, stop = 0, start
    start, stop, step = [each.item() if hasattr(each, "item") else each for each in (start, stop, step)]
    if step == 0:
        raise ZeroDivisionError("division by zero")
    if all([isinstance(each, int) for each in (start, stop, step)]):
        made = _memory.arange(start, stop, step) if (stop - start) * step > 0 else _memory.empty(0, dtype=torch.int64)
        return array(wrap(made), dtype, copy=None)
    count = max(math.ceil((stop - start) / step), 0)
    # As much as the second number differs from the first, which rounding may have changed.
    delta = (start + step) - start
    made = start + _memory.arange(count, dtype=torch.float64) * delta
    if count > 1:
        made[1] = start + step
    return array(wrap(made), dtype, copy=None)


def linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0, *, device=None):
    """`num` numbers from one to another."""
    num = _size(num)
    if num < 0:
        raise ValueError(f"Number of samples, {num}, must be non-negative.")
    work = _float_of(start, stop)._torch
    first, last = operand(start).to(work), operand(stop).to(work)
    first, last = torch.broadcast_tensors(first, last)
    parts = num - 1 if endpoint else num
    steps = _memory.arange(num, dtype=work).reshape((num,) + (1,) * first.dim())
    distance = last - first
    step = distance / parts if parts > 0 else torch.full_like(distance, math.nan)
    if parts > 0 and not bool((step == 0).any()):
        made = steps * step
    else:
        made = steps / parts * distance if parts > 0 else steps * distance
    made = made + first
    if endpoint and num > 1:
        made[-1] = last
    given = dtype_of(dtype) if dtype is not None else _float_of(start, stop)
    if given.kind in "iu":
        made = torch.floor(made)
    result = wrap(made.movedim(0, axis)).astype(given, copy=False)
    return (result, _scalars.of_array(wrap(step))) if retstep else result


def _float_of(*values):
    common = result_type(*values, 1.0)
    return common if common.kind == "f" else FLOAT64


def logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0):
    """Powers of a base; the exponents are `linspace`'s."""
    exponents = linspace(start, stop, num, endpoint, axis=axis)
    made = torch.pow(operand(base).to(torch.float64), exponents._tensor)
    return wrap(made).astype(_float_of(start, stop) if dtype is None else dtype, copy=False)


def geomspace(start, stop, num=50, endpoint=True, dtype=None):
    """Numbers with one quotient."""
    if start == 0 or stop == 0:
        raise ValueError("Geometric sequence cannot include zero")
    if start * stop < 0:
        raise ValueError("a geometric sequence from a negative number to a positive one is complex")
    sign = -1 if start < 0 else 1
    made = sign * logspace(math.log10(abs(start)), math.log10(abs(stop)), num, endpoint, 10.0)
    if num > 0:
        made[0] = start
        if num > 1 and endpoint:
            made[-1] = stop
    return made if dtype is None else made.astype(dtype)


# ---- Matrices and coordinates -------------------------------------------------------------------

def eye(N, M=None, k=0, dtype=float, order="C", *, device=None, like=None):
    height, width = _sizes((N, N if M is None else M))
    rows, columns = _memory.arange(height).unsqueeze(1), _memory.arange(width)
    return wrap((columns - rows == k).to(dtype_of(dtype)._torch))


def identity(n, dtype=None, *, like=None):
    return eye(n, dtype=dtype)


def diag(v, k=0):
    """The matrix of a diagonal, or the diagonal of a matrix."""
    tensor = operand(v)
    if tensor.dim() == 1:
        return wrap(torch.diag(tensor, k))
    if tensor.dim() == 2:
        return locked(tensor.diagonal(k))
    raise ValueError("Input must be 1- or 2-d.")


def diagflat(v, k=0):
    return wrap(torch.diag(operand(v).reshape(-1), k))


def tri(N, M=None, k=0, dtype=float, *, like=None):
    height, width = _sizes((N, N if M is None else M))
    return wrap((_memory.arange(width) - _memory.arange(height).unsqueeze(1) <= k).to(dtype_of(dtype)._torch))


def _triangle(m, k, keep):
    tensor = operand(m)
    if tensor.dim() == 1:
        tensor = tensor.expand(tensor.size(0), tensor.size(0))
    height, width = tensor.shape[-2:]
    kept = keep(_memory.arange(width) - _memory.arange(height).unsqueeze(1), k)
    return wrap(torch.where(kept, tensor, torch.zeros_like(tensor)))


def tril(m, k=0):
    return _triangle(m, k, torch.le)


def triu(m, k=0):
    return _triangle(m, k, torch.ge)


def tril_indices(n, k=0, m=None):
    return tri(n, m, k, bool).nonzero()


def triu_indices(n, k=0, m=None):
    return (~tri(n, m, k - 1, bool)).nonzero()


def vander(x, N=None, increasing=False):
    tensor = operand(x)
    count = tensor.numel() if N is None else N
    powers = _memory.arange(count) if increasing else _memory.arange(count - 1, -1, -1)
    return wrap(torch.pow(tensor.unsqueeze(1), powers.to(tensor.dtype)))


def meshgrid(*xi, copy=True, sparse=False, indexing="xy"):
    """Coordinates of a grid, one array for each axis."""
    if indexing not in ("xy", "ij"):
        raise ValueError("Valid values for `indexing` are 'xy' and 'ij'.")
    axes = [operand(each).reshape(-1) for each in xi]
    count = len(axes)
    shaped = [each.reshape((1,) * i + (-1,) + (1,) * (count - 1 - i)) for i, each in enumerate(axes)]
    if indexing == "xy" and count > 1:
        shaped = [each.transpose(0, 1) for each in shaped]
    if not sparse:
        shaped = torch.broadcast_tensors(*shaped) if shaped else []
    return tuple([wrap(each.clone() if copy else each) for each in shaped])


def ix_(*args):
    """Index arrays of which each lies along its own axis: `a[np.ix_(rows, columns)]` is a part of a grid."""
    made = []
    for i, each in enumerate(args):
        places = operand(each)
        if places.dim() != 1:
            raise ValueError("Cross index must be 1 dimensional")
        if places.dtype is torch.bool:
            places = places.nonzero().reshape(-1)
        elif places.numel() == 0:
            places = places.to(torch.int64)
        made.append(wrap(places.reshape((1,) * i + (-1,) + (1,) * (len(args) - 1 - i))))
    return tuple(made)


def indices(dimensions, dtype=int, sparse=False):
    axes = meshgrid(*[arange(each, dtype=dtype) for each in dimensions], indexing="ij", sparse=sparse)
    return axes if sparse else wrap(torch.stack([each._tensor for each in axes]))


class _Grid:
    """`mgrid[0:3, 0:1:5j]` is written in a complex number, which there is not: steps only."""

    def __init__(self, sparse):
        self._sparse = sparse

    def __getitem__(self, key):
        parts = key if isinstance(key, tuple) else (key,)
        axes = [arange(each.start or 0, each.stop, 1 if each.step is None else each.step) for each in parts]
        if len(axes) == 1 and not isinstance(key, tuple):
            return axes[0]
        common = result_type(*axes)
        grid = meshgrid(*[each.astype(common) for each in axes], indexing="ij", sparse=self._sparse)
        return grid if self._sparse else wrap(torch.stack([each._tensor for each in grid]))


mgrid, ogrid = _Grid(False), _Grid(True)


class _Joined:
    """`np.r_[a, 0, 1:4]`: joined along the first axis; `np.c_[a, b]`: as columns."""

    def __init__(self, as_columns):
        self._as_columns = as_columns

    def __getitem__(self, key):
        from numpy._joining import column_stack, concatenate

        parts = [arange(each.start or 0, each.stop, 1 if each.step is None else each.step)
                 if isinstance(each, slice) else asarray(each) for each in (key if isinstance(key, tuple) else (key,))]
        if self._as_columns:
            return column_stack(parts)
        return concatenate([each.reshape(1) if each.ndim == 0 else each for each in parts])


r_, c_ = _Joined(False), _Joined(True)
