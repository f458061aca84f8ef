"""Several arrays in one, one in several: stacks, splits, repetitions.

    concatenate([a, b], axis=1), stack([a, b]), vstack([a, b])
    split(a, 3), array_split(a, [2, 5])
    repeat(a, 2), tile(a, (2, 3)), pad(a, 1)
"""
import torch
from numpy import _memory
from numpy._array import wrap
from numpy._axes import one_axis
from numpy._dtypes import converted, dtype_of, promote
from numpy._shapes import atleast_1d, atleast_2d, atleast_3d
from numpy._values import asarray, operand


def _tensors(arrays, what):
    tensors = [operand(each) for each in arrays]
    if not tensors:
        raise ValueError(f"need at least one array to {what}")
    return tensors


def _in_common_dtype(tensors, dtype):
    if dtype is not None:
        return [converted(each, dtype_of(dtype)._torch) for each in tensors]
    common = tensors[0].dtype
    for each in tensors[1:]:
        common = promote(common, each.dtype)
    return [each.to(common) for each in tensors]


def _check_joinable(tensors, axis):
    first = tensors[0]
    for i, each in enumerate(tensors):
        if each.dim() != first.dim():
            raise ValueError("all the input arrays must have same number of dimensions, but the array at index 0 has "
                             f"{first.dim()} dimension(s) and the array at index {i} has {each.dim()} dimension(s)")
    for i, each in enumerate(tensors):
        for k in range(first.dim()):
            if k != axis and each.size(k) != first.size(k):
                raise ValueError("all the input array dimensions except for the concatenation axis must match "
                                 f"exactly, but along dimension {k}, the array at index 0 has size {first.size(k)} "
                                 f"and the array at index {i} has size {each.size(k)}")


def _put(result, out):
    if out is None:
        return wrap(result)
    out[...] = wrap(result)
    return out


def concatenate(arrays, axis=0, out=None, *, dtype=None, casting="same_kind"):
    """One behind the other along an axis that is there."""
    tensors = _tensors(arrays, "concatenate")
    if axis is None:
        tensors, axis = [each.reshape(-1) for each in tensors], 0
    if tensors[0].dim() == 0:
        raise ValueError("zero-dimensional arrays cannot be concatenated")
    axis = one_axis(axis, tensors[0].dim())
    _check_joinable(tensors, axis)
    return _put(_concatenated(_in_common_dtype(tensors, dtype), axis), out)


def _concatenated(tensors, axis):
    # PyTorch passes by empty vectors, whatever the others' dimensions are; here all have the same.
    return torch.cat(tensors, axis)


concat = concatenate


def stack(arrays, axis=0, out=None, *, dtype=None, casting="same_kind"):
    """Side by side along a new axis."""
    tensors = _tensors(arrays, "stack")
    if len(set([tuple(each.shape) for each in tensors])) > 1:
        raise ValueError("all input arrays must have the same shape")
    axis = one_axis(axis, tensors[0].dim() + 1)
    return _put(torch.stack(_in_common_dtype(tensors, dtype), axis), out)


def _all_at_least(function, arrays):
    made = function(*arrays) if len(arrays) != 1 else (function(*arrays),)
    return list(made)


def vstack(tup, *, dtype=None, casting="same_kind"):
    return concatenate(_all_at_least(atleast_2d, list(tup)), 0, dtype=dtype)


row_stack = vstack


def hstack(tup, *, dtype=None, casting="same_kind"):
    arrays = _all_at_least(atleast_1d, list(tup))
    return concatenate(arrays, 0 if arrays and arrays[0].ndim == 1 else 1, dtype=dtype)


def dstack(tup):
    return concatenate(_all_at_least(atleast_3d, list(tup)), 2)


def column_stack(tup):
    tensors = [operand(each) for each in tup]
    return concatenate([wrap(each.reshape(-1, 1) if each.dim() < 2 else each) for each in tensors], 1)


def block(arrays):
    """A matrix of blocks, in nested lists."""
    def joined(part, depth):
        if not isinstance(part, list):
            return atleast_2d(part)
        return concatenate([joined(each, depth + 1) for each in part], -1 if not isinstance(part[0], list) else -2)

    made = joined(arrays, 0)
    deep = isinstance(arrays, list) and isinstance(arrays[0], list)
    return made if deep or asarray(made).ndim > 2 or made.shape[0] != 1 else made.reshape(-1)


def append(arr, values, axis=None):
    if axis is None:
        return concatenate([asarray(arr).ravel(), asarray(values).ravel()])
    return concatenate([arr, values], axis)


def insert(arr, obj, values, axis=None):
    """Values before the element at a place."""
    array = asarray(arr)
    if axis is None:
        array, axis = array.ravel(), 0
    axis = one_axis(axis, array.ndim)
    if not hasattr(obj, "__index__"):
        raise NotImplementedError("insert() at several places is not there")
    size, place = array.shape[axis], obj.__index__()
    if not -size <= place <= size:
        raise IndexError(f"index {place} is out of bounds for axis {axis} with size {size}")
    place = place + size if place < 0 else place
    tensor = array._tensor
    between = converted(operand(values), tensor.dtype)
    rest = [*tensor.shape[:axis], *tensor.shape[axis + 1:]]
    if between.dim() < tensor.dim():
        flat_rows = tensor.dim() == 1 and between.dim() == 1
        between = between if flat_rows else between.expand(rest).unsqueeze(axis)
    if tensor.dim() == 1 and between.dim() == 0:
        between = between.reshape(1)
    return wrap(torch.cat([tensor.narrow(axis, 0, place), between, tensor.narrow(axis, place, size - place)], axis))


def delete(arr, obj, axis=None):
    """Without the elements at some places."""
    array = asarray(arr)
    if axis is None:
        array, axis = array.ravel(), 0
    axis = one_axis(axis, array.ndim)
    size = array.shape[axis]
    kept = _memory.ones(size, dtype=torch.bool)
    if isinstance(obj, slice):
        kept[_memory.tensor(list(range(*obj.indices(size))), dtype=torch.int64)] = False
    else:
        places = operand(obj)
        if places.dtype is torch.bool:
            places = places.nonzero().reshape(-1)
        for place in places.reshape(-1).tolist():
            if not -size <= place < size:
                raise IndexError(f"index {place} is out of bounds for axis {axis} with size {size}")
            kept[int(place)] = False
    return wrap(array._tensor.index_select(axis, kept.nonzero().reshape(-1)))


# ---- Splits -------------------------------------------------------------------------------------

def array_split(ary, indices_or_sections, axis=0):
    """As many parts as said, the first ones longer; or parts between places."""
    array = asarray(ary)
    axis = one_axis(axis, array.ndim)
    size = array.shape[axis]
    if hasattr(indices_or_sections, "__len__"):
        places = [0, *[int(each) for each in indices_or_sections], size]
    else:
        parts = int(indices_or_sections)
        if parts <= 0:
            raise ValueError("number sections must be larger than 0.")
        each, longer = divmod(size, parts)
        places = [i * each + min(i, longer) for i in range(parts + 1)]
    whole = (slice(None),) * axis
    return [array[(*whole, slice(start, stop))] for start, stop in zip(places[:-1], places[1:])]


def split(ary, indices_or_sections, axis=0):
    array = asarray(ary)
    if not hasattr(indices_or_sections, "__len__"):
        if array.shape[one_axis(axis, array.ndim)] % indices_or_sections:
            raise ValueError("array split does not result in an equal division")
    return array_split(array, indices_or_sections, axis)


def hsplit(ary, indices_or_sections):
    array = asarray(ary)
    if array.ndim == 0:
        raise ValueError("hsplit only works on arrays of 1 or more dimensions")
    return split(array, indices_or_sections, 1 if array.ndim > 1 else 0)


def vsplit(ary, indices_or_sections):
    if asarray(ary).ndim < 2:
        raise ValueError("vsplit only works on arrays of 2 or more dimensions")
    return split(ary, indices_or_sections, 0)


def dsplit(ary, indices_or_sections):
    if asarray(ary).ndim < 3:
        raise ValueError("dsplit only works on arrays of 3 or more dimensions")
    return split(ary, indices_or_sections, 2)


def unstack(x, /, *, axis=0):
    array = asarray(x)
    return tuple([wrap(each) for each in array._tensor.unbind(one_axis(axis, array.ndim))])


# ---- Repetitions --------------------------------------------------------------------------------

def repeat(a, repeats, axis=None):
    """Each element so many times."""
    tensor = operand(a)
    if axis is None:
        tensor, axis = tensor.reshape(-1), 0
    axis = one_axis(axis, tensor.dim())
    counts = operand(repeats)
    if counts.dtype.is_floating_point:
        raise TypeError("Cannot cast array data from dtype('float64') to dtype('int64') according to the rule 'safe'")
    if counts.numel() not in (1, tensor.size(axis)):
        raise ValueError(f"operands could not be broadcast together with shape ({tensor.size(axis)},) "
                         f"({counts.numel()},)")
    if bool((counts < 0).any()):
        raise ValueError("repeats may not contain negative values.")
    counts = counts.reshape(-1).to(torch.int64).expand(tensor.size(axis))
    places = torch.repeat_interleave(_memory.arange(tensor.size(axis)), counts)
    result = tensor.index_select(axis, places)
    return result if isinstance(a, torch.Tensor) else wrap(result)


def tile(A, reps):
    """The whole array so many times along each axis."""
    tensor = operand(A)
    counts = [int(each) for each in reps] if hasattr(reps, "__len__") else [int(reps)]
    counts = [1] * (tensor.dim() - len(counts)) + counts
    return wrap(tensor.repeat(counts))


def pad(array, pad_width, mode="constant", **kwargs):
    """An array with a border: of a value, of its edge, or of itself mirrored or wrapped around."""
    tensor = operand(array)
    widths = operand(pad_width).expand(tensor.dim(), 2).tolist()
    if any([each < 0 for pair in widths for each in pair]):
        raise ValueError("index can't contain negative values")
    if mode == "constant":
        values = operand(kwargs.get("constant_values", 0)).expand(tensor.dim(), 2)
        for axis, pair in enumerate(widths):
            ends = [converted(values[axis, k], tensor.dtype).expand(
                [*tensor.shape[:axis], pair[k], *tensor.shape[axis + 1:]]) for k in (0, 1)]
            tensor = torch.cat([ends[0], tensor, ends[1]], axis)
        return wrap(tensor.contiguous())
    if mode not in _PLACES:
        raise NotImplementedError(f"mode '{mode}' of pad() is not there")
    for axis, (before, behind) in enumerate(widths):
        size = tensor.size(axis)
        if size == 0 and before + behind:
            raise ValueError(f"can't extend empty axis {axis} using modes other than 'constant' or 'empty'")
        places = [_PLACES[mode](i, size) for i in range(-before, size + behind)]
        tensor = tensor.index_select(axis, _memory.tensor(places, dtype=torch.int64))
    return wrap(tensor)


def _mirrored(place, size):
    """Without the edge twice."""
    if size == 1:
        return 0
    place = place % (2 * size - 2)
    return place if place < size else 2 * size - 2 - place


def _mirrored_with_edge(place, size):
    place = place % (2 * size)
    return place if place < size else 2 * size - 1 - place


# Which element stands at a place beyond the edges.
_PLACES = {
    "edge": lambda place, size: min(max(place, 0), size - 1),
    "wrap": lambda place, size: place % size,
    "reflect": _mirrored,
    "symmetric": _mirrored_with_edge,
}
