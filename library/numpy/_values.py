"""What becomes an array: numbers, nested lists, tensors, scalars, other arrays.

    operand([[1, 2], [3, 4]])        a tensor of int64, as `array` and every function take it
    array(object, dtype), asarray(a)

A list is read at once, by a native; where that cannot, the list is looked at again for what to say.
"""
import torch
from numpy import _memory
from numpy._array import complex_file, ndarray, stored_file, wrap
from numpy._dtypes import check_range, converted, dtype_of, is_complex_dtype, is_stored, promote
from numpy._scalars import generic

import _numpy


def operand(value):
    """The tensor of an array, a scalar, a number, a nested list; one that requires a gradient is refused."""
    if type(value) is ndarray:
        return value._tensor
    if isinstance(value, generic):
        return _memory.tensor(value._number, dtype=value._torch_dtype)
    if isinstance(value, torch.Tensor):
        from torch._numpy import readable

        return readable(value)
    if isinstance(value, ndarray):
        return value._tensor
    return _tensor_of_python(value)


# ---- Arrays of Python's values ------------------------------------------------------------------

def _tensor_of_python(value):
    kind = type(value)
    if kind is float:
        return _memory.tensor(value, dtype=torch.float64)
    if kind is int or kind is bool:
        return _memory.tensor(value)
    if isinstance(value, (list, tuple)):
        return _tensor_of_list(value)
    if kind is range:
        return _memory.arange(value.start, value.stop, value.step)
    method = getattr(value, "__array__", None)
    if method is not None:
        return operand(method())
    if not isinstance(value, (str, bytes, dict, set)) and hasattr(value, "__getitem__") and hasattr(value, "__len__"):
        return _tensor_of_list(list(value))
    raise _no_such_array(value)


def _no_such_array(value):
    kind = "str" if isinstance(value, (str, bytes)) else "object"
    return TypeError(f"arrays of {kind} are not there (got {type(value).__name__}): arrays hold bools, ints and "
                     "floats")


def _holds_arrays(items):
    """Whether the first innermost item of nested lists is a tensor or an array."""
    while items:
        first = items[0]
        if isinstance(first, (torch.Tensor, ndarray)):
            return True
        if not isinstance(first, (list, tuple)):
            return False
        items = first
    return False


def _tensor_of_list(items):
    if _holds_arrays(items):
        return _stacked([operand(each) for each in items])
    try:
        tensor, dtypes = _numpy.nested(items)
    except (ValueError, TypeError, RuntimeError) as error:
        raise _why_no_array(items, error) from None
    common = torch.float64 if not dtypes else dtypes[0]
    for each in dtypes[1:]:
        common = promote(common, each)
    return tensor.to(common)


def _stacked(tensors):
    shape, common = tensors[0].shape, tensors[0].dtype
    for each in tensors[1:]:
        common = promote(common, each.dtype)
        if each.shape != shape:
            raise _inhomogeneous(tensors)
    return torch.stack([each.to(common) for each in tensors])


def _inhomogeneous(tensors):
    shapes = [tuple(each.shape) for each in tensors]
    depth = 0
    while all([len(each) > depth and each[depth] == shapes[0][depth] for each in shapes]):
        depth += 1
    return _ragged((len(tensors), *shapes[0][:depth]))


def _ragged(found):
    return ValueError("setting an array element with a sequence. The requested array has an inhomogeneous shape "
                      f"after {len(found)} dimensions. The detected shape was {found} + inhomogeneous part.")


def _common_shape(value):
    """The dimensions that all of nested lists have, and whether there are more."""
    if not isinstance(value, (list, tuple)):
        return (), False
    if not value:
        return (0,), False
    parts = [_common_shape(each) for each in value]
    shape, uneven = parts[0]
    for other, other_uneven in parts[1:]:
        same = 0
        while same < min(len(shape), len(other)) and shape[same] == other[same]:
            same += 1
        uneven = uneven or other_uneven or len(shape) != len(other) or same < len(shape)
        shape = shape[:same]
    return (len(value), *shape), uneven


def _why_no_array(items, error):
    shape, uneven = _common_shape(items)
    if uneven:
        return _ragged(shape)
    while isinstance(items, (list, tuple)) and items:
        unknown = [each for each in items if not isinstance(each, (int, float, generic))]
        items = unknown[0] if unknown else 0
    return TypeError(str(error)) if isinstance(items, int) else _no_such_array(items)


def check_fits(value, tensor, dtype):
    """An int of Python's must fit its dtype, which one of an array need not."""
    if dtype.is_floating_point or tensor.dtype is not torch.int64 or isinstance(value, (ndarray, torch.Tensor)):
        return
    if tensor.numel() and not isinstance(value, generic):
        for number in (tensor.min().item(), tensor.max().item()):
            check_range(number, dtype)


_NO_COPY = """Unable to avoid copy while creating an array as requested.
If using `np.array(obj, copy=False)` replace it with `np.asarray(obj)` to allow a copy when needed (no behavior \
change in NumPy 1.x).
For more details, see https://numpy.org/devdocs/numpy_2_0_migration_guide.html#adapting-to-changes-in-the-copy-\
keyword."""


def array(object, dtype=None, *, copy=True, order="K", subok=False, ndmin=0, like=None):
    """An array of numbers, nested lists, a tensor, another array; a copy."""
    if dtype is not None and is_stored(dtype):
        return stored_file().array(object, dtype)
    if dtype is not None and is_complex_dtype(dtype):
        return complex_file().array(object, dtype, copy)
    try:
        tensor = operand(object)
    except TypeError:
        if dtype is None and complex_file().holds_complex(object):
            return complex_file().array(object, dtype, copy)
        raise
    wanted = tensor.dtype if dtype is None else dtype_of(dtype)._torch
    if wanted is not tensor.dtype:
        if wanted is not torch.bool:
            check_fits(object, tensor, wanted)
        made = converted(tensor, wanted)
    elif copy and isinstance(object, (ndarray, torch.Tensor)):
        made = tensor.clone()
    else:
        made = tensor
    if copy is False and (made is not tensor or not isinstance(object, ndarray)):
        raise ValueError(_NO_COPY)
    while made.dim() < ndmin:
        made = made.unsqueeze(0)
    return wrap(made)


def asarray(a, dtype=None, order=None, *, device=None, copy=None, like=None):
    """The array itself where it is one of that dtype; else as `array` makes it."""
    if type(a) is ndarray and (dtype is None or not is_stored(dtype) and dtype_of(dtype)._torch is a._tensor.dtype) and not copy:
        return a
    return array(a, dtype, copy=copy)


asanyarray = ascontiguousarray = asfortranarray = asarray
