"""Where something is: conditions, orders, sets, places.

    where(a > 0, a, 0), nonzero(a), argwhere(a)
    sort(a), argsort(a), unique(a, return_counts=True)
    searchsorted(a, v), isin(a, [1, 2]), take(a, [0, 2])
"""
import torch
from numpy import _memory
from numpy._array import ndarray, wrap, wrap_result
from numpy._axes import one_axis
from numpy._dtypes import check_range, promote, weak_dtype
from numpy._quick import fitting
from numpy._values import asarray, operand

_NUMBERS = (int, float, bool)


# ---- Conditions ---------------------------------------------------------------------------------

def where(condition, *choices):
    """The one where a condition holds and the other elsewhere; of a condition alone the places."""
    if len(choices) == 0:
        return nonzero(condition)
    if len(choices) != 2:
        raise ValueError("either both or neither of x and y should be given")
    found = _of_one_dtype(condition, *choices)
    if found is not None:
        return found
    first, second = _in_common_dtype(*choices)
    holds = operand(condition)
    try:
        return wrap(torch.where(holds if holds.dtype is torch.bool else holds != 0, first, second))
    except RuntimeError:
        from numpy._ufuncs import _shapes_do_not_fit

        raise _shapes_do_not_fit([holds, first, second]) from None


def _of_one_dtype(condition, x, y):
    """Where the dtype is that of an array, or of a condition's bools beside float numbers; None for others."""
    if type(condition) is not ndarray or condition._tensor.dtype is not torch.bool:
        return None
    dtype = (x._tensor.dtype if type(x) is ndarray else y._tensor.dtype if type(y) is ndarray
             else torch.float64 if type(x) is float and type(y) is float else None)
    if dtype is None:
        return None
    first, second = fitting(x, dtype), fitting(y, dtype)
    if first is None or second is None:
        return None
    if type(first) is not torch.Tensor:
        first = torch.tensor(first, dtype=dtype, device="cpu")
    if type(second) is not torch.Tensor:
        second = torch.tensor(second, dtype=dtype, device="cpu")
    try:
        return wrap(torch.where(condition._tensor, first, second))
    except RuntimeError:
        return None


def _in_common_dtype(x, y):
    """Two operands in their common dtype, where Python's numbers give way."""
    strong = [operand(each) for each in (x, y) if type(each) not in _NUMBERS]
    weak = [each for each in (x, y) if type(each) in _NUMBERS]
    if not strong:
        strong = [operand(weak[0])]
    common = strong[0].dtype
    for each in strong[1:]:
        common = promote(common, each.dtype)
    for number in weak:
        common = weak_dtype(common, number)
    for number in weak:
        check_range(number, common)
    return [_memory.tensor(each, dtype=common) if type(each) in _NUMBERS else operand(each).to(common)
            for each in (x, y)]


def select(condlist, choicelist, default=0):
    """For each element the choice of the first condition that holds."""
    if len(condlist) != len(choicelist):
        raise ValueError("list of cases must be same length as list of conditions")
    if not condlist:
        raise ValueError("select with an empty condition list is not possible")
    result = default
    for condition, choice in zip(reversed(condlist), reversed(choicelist)):
        result = where(condition, choice, result)
    return result


def choose(a, choices):
    places = operand(a).to(torch.int64)
    given = torch.broadcast_tensors(places, *[operand(each) for each in choices])
    if bool(((places < 0) | (places >= len(choices))).any()):
        raise ValueError("invalid entry in choice array")
    return wrap(torch.stack(given[1:]).gather(0, given[0].unsqueeze(0)).squeeze(0))


def nonzero(a):
    tensor = operand(a)
    if tensor.dim() == 0:
        raise ValueError("Calling nonzero on 0d arrays is not allowed. Use np.atleast_1d(scalar).nonzero() instead. If "
                         "the context of this error is of the form `arr[nonzero(cond)]`, just use `arr[cond]`.")
    return tuple([wrap(each.contiguous()) for each in tensor.nonzero().unbind(1)])


def argwhere(a):
    return wrap(operand(a).nonzero())


def flatnonzero(a):
    return nonzero(asarray(a).ravel())[0]


def extract(condition, arr):
    return asarray(arr).ravel()[asarray(condition).ravel().astype(bool)]


def compress(condition, a, axis=None):
    """The parts where a condition holds."""
    array = asarray(a)
    if axis is None:
        array, axis = array.ravel(), 0
    kept = asarray(condition).astype(bool)._tensor.nonzero().reshape(-1)
    return wrap(array._tensor.index_select(one_axis(axis, array.ndim), kept))


# ---- Places -------------------------------------------------------------------------------------

def take(a, indices, axis=None, mode="raise"):
    array = asarray(a)
    if axis is None:
        array, axis = array.ravel(), 0
    axis, places = one_axis(axis, array.ndim), operand(indices)
    size = array.shape[axis]
    if mode == "clip":
        places = places.clamp(0, size - 1)
    elif mode == "wrap":
        places = places % size
    return array[(*(slice(None),) * axis, wrap(places))]


def take_along_axis(arr, indices, axis=-1):
    """Along an axis the elements at places, one place an element: what `argsort` gives sorts."""
    tensor, places = operand(arr), operand(indices)
    if axis is None:
        tensor, axis = tensor.reshape(-1), 0
    if tensor.dim() != places.dim():
        raise ValueError("`indices` and `arr` must have the same number of dimensions")
    axis = one_axis(axis, tensor.dim())
    return wrap(torch.take_along_dim(tensor, _from_front(places, tensor.size(axis), axis), axis))


def _from_front(places, size, axis):
    if bool(((places < -size) | (places >= size)).any()):
        bad = places[(places < -size) | (places >= size)].reshape(-1)[0].item()
        raise IndexError(f"index {bad} is out of bounds for axis {axis} with size {size}")
    return torch.where(places < 0, places + size, places).to(torch.int64)


def put_along_axis(arr, indices, values, axis):
    tensor, places = arr.writable_tensor(), operand(indices)
    axis = one_axis(axis, tensor.dim())
    tensor.scatter_(axis, _from_front(places, tensor.size(axis), axis),
                    operand(values).to(tensor.dtype).expand(places.shape))


def diagonal(a, offset=0, axis1=0, axis2=1):
    from numpy._array import locked

    tensor = operand(a)
    if tensor.dim() < 2:
        raise ValueError("diag requires an array of at least two dimensions")
    return locked(tensor.diagonal(offset, one_axis(axis1, tensor.dim()), one_axis(axis2, tensor.dim())))


def fill_diagonal(a, val):
    tensor = a.writable_tensor()
    if tensor.dim() < 2:
        raise ValueError("array must be at least 2-d")
    if tensor.dim() > 2:
        raise NotImplementedError("fill_diagonal() of more than two dimensions is not there")
    diagonal = tensor.diagonal()
    diagonal.copy_(operand(val).to(tensor.dtype).expand(diagonal.shape))


def unravel_index(indices, shape):
    places = operand(indices)
    count = 1
    for each in shape:
        count *= each
    if bool(((places < 0) | (places >= count)).any()):
        bad = places[(places < 0) | (places >= count)].reshape(-1)[0].item()
        raise ValueError(f"index {bad} is out of bounds for array with size {count}")
    found = []
    for size in reversed(shape):
        found.append(wrap_result(places % size))
        places = places // size
    return tuple(reversed(found))


def ravel_multi_index(multi_index, dims):
    total = None
    for each, size in zip(multi_index, dims):
        places = operand(each)
        if bool(((places < 0) | (places >= size)).any()):
            raise ValueError("invalid entry in coordinates array")
        total = places if total is None else total * size + places
    return wrap_result(total)


# ---- Orders -------------------------------------------------------------------------------------

def sort(a, axis=-1, kind=None, order=None, *, stable=None):
    tensor = operand(a)
    if axis is None:
        tensor, axis = tensor.reshape(-1), 0
    return wrap(torch.sort(tensor, one_axis(axis, tensor.dim()))[0])


def argsort(a, axis=-1, kind=None, order=None, *, stable=None):
    """Equal elements stay in order, whatever the kind."""
    tensor = operand(a)
    if axis is None or tensor.dim() == 0:
        tensor, axis = tensor.reshape(-1), axis or 0
    order = torch.sort(tensor, stable=True, dim=one_axis(axis, tensor.dim()))[1]
    return order if isinstance(a, torch.Tensor) else wrap(order)


def lexsort(keys):
    """The order by the last key, then the one before it."""
    order = None
    for key in keys:
        tensor = operand(key)
        if tensor.dim() != 1:
            raise NotImplementedError("lexsort() of more than one dimension is not there")
        if order is None:
            order = _memory.arange(tensor.numel())
        order = order[torch.sort(tensor[order], stable=True)[1]]
    return wrap(order)


def searchsorted(a, v, side="left", sorter=None):
    """Where elements would have to stand in a sorted array."""
    if side not in ("left", "right"):
        raise ValueError(f"search side must be 'left' or 'right' (got '{side}')")
    row, values = operand(a), operand(v)
    if row.dim() != 1:
        raise ValueError("object too deep for desired array")
    if sorter is not None:
        row = row[operand(sorter)]
    common = promote(row.dtype, values.dtype)
    common = torch.int64 if common is torch.bool else common
    row, values = row.to(common), values.to(common)
    # NaN stands behind all numbers.
    numbers = row[~torch.isnan(row)]
    found = torch.searchsorted(numbers, values, right=side == "right")
    behind = row.numel() if side == "right" else numbers.numel()
    return wrap_result(torch.where(torch.isnan(values), behind, found))


def digitize(x, bins, right=False):
    """In which bin each element lies."""
    edges = operand(bins)
    behind, before = edges[1:], edges[:-1]
    if bool((behind >= before).all()):
        return searchsorted(bins, x, "left" if right else "right")
    if not bool((behind <= before).all()):
        raise ValueError("bins must be monotonically increasing or decreasing")
    found = searchsorted(wrap(edges.flip(0)), x, "left" if right else "right")
    return edges.numel() - found


# ---- Sets ---------------------------------------------------------------------------------------

def unique(ar, return_index=False, return_inverse=False, return_counts=False, axis=None, *, equal_nan=True):
    """What occurs, sorted; where first, where each element went, how often."""
    tensor = operand(ar)
    if axis is not None:
        return _unique_parts(tensor, one_axis(axis, tensor.dim()), return_index, return_inverse, return_counts)
    flat = tensor.reshape(-1)
    ordered, order = torch.sort(flat, stable=True)
    first = _memory.ones(flat.numel(), dtype=torch.bool)
    if flat.numel() > 1:
        first[1:] = ordered[1:] != ordered[:-1]
        if flat.dtype.is_floating_point and equal_nan:
            first[1:] = first[1:] & ~(torch.isnan(ordered[1:]) & torch.isnan(ordered[:-1]))
    found = [wrap(ordered[first])]
    return _unique_returns(found, first, order, tuple(tensor.shape), return_index, return_inverse, return_counts)


def _unique_returns(found, first, order, shape, return_index, return_inverse, return_counts):
    if return_index:
        found.append(wrap(order[first]))
    if return_inverse:
        inverse = torch.empty_like(order)
        inverse[order] = torch.cumsum(first.to(torch.int64), 0) - 1
        found.append(wrap(inverse.reshape(shape)))
    if return_counts:
        starts = first.nonzero().reshape(-1)
        ends = torch.cat([starts[1:], _memory.tensor([first.numel()])]) if starts.numel() else starts
        found.append(wrap(ends - starts))
    return found[0] if len(found) == 1 else tuple(found)


def _unique_parts(tensor, axis, return_index, return_inverse, return_counts):
    """Of rows: ordered by the first element, then the second, ..."""
    rows = tensor.movedim(axis, 0)
    count = rows.size(0)
    flat = rows.reshape(count, -1)
    by_columns = [wrap(each) for each in reversed(flat.unbind(1))]
    order = operand(lexsort(by_columns)) if by_columns else _memory.arange(count)
    ordered = flat[order]
    first = _memory.ones(count, dtype=torch.bool)
    if count > 1:
        first[1:] = (ordered[1:] != ordered[:-1]).any(1)
    found = [wrap(rows[order[first]].movedim(0, axis).contiguous())]
    return _unique_returns(found, first, order, (count,), return_index, return_inverse, return_counts)


def unique_values(x):
    return unique(x)


def isin(element, test_elements, assume_unique=False, invert=False, *, kind=None):
    first, second = operand(element), operand(test_elements).reshape(-1)
    common = promote(first.dtype, second.dtype)
    common = torch.int64 if common is torch.bool else common
    found = torch.isin(first.to(common), second.to(common))
    return wrap(~found if invert else found)


def intersect1d(ar1, ar2, assume_unique=False, return_indices=False):
    if return_indices:
        raise NotImplementedError("return_indices is not there")
    first, second = unique(ar1), unique(ar2)
    return first[isin(first, second)]


def union1d(ar1, ar2):
    from numpy._joining import concatenate

    return unique(concatenate([asarray(ar1).ravel(), asarray(ar2).ravel()]))


def setdiff1d(ar1, ar2, assume_unique=False):
    first = asarray(ar1).ravel() if assume_unique else unique(ar1)
    return first[isin(first, ar2, invert=True)]


def setxor1d(ar1, ar2, assume_unique=False):
    return union1d(setdiff1d(ar1, ar2), setdiff1d(ar2, ar1))
