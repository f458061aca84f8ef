"""Arguments of draws as what the native streams take, and what these give as arrays.

    parameters(None, (0.0, 1.0))            None, (0.0, 1.0): one number is drawn
    parameters(None, ([0, 5], 1.0))         (2,), (a tensor of two, a tensor of two)

A parameter is a number, or something with dimensions; what has none is a number.
"""
import math
import operator

import torch
from numpy._dtypes import dtype_of
from numpy._values import asarray


def tensor_of(value):
    """Of an array, a scalar, a number, a nested list."""
    return asarray(value)._tensor


def of_float64(value):
    """A number as a float, anything else as a tensor of float64."""
    kind = type(value)
    if kind is float or kind is int:
        return float(value)
    if kind is str:
        raise ValueError(f"could not convert string to float: {value!r}")
    if value is None:
        raise TypeError("must be real number, not NoneType")
    found = tensor_of(value)
    return found.to(torch.float64) if found.dim() else float(found.item())


def of_int64(value):
    """A number cut to an int; an array must be one of ints."""
    kind = type(value)
    if kind is float or kind is int:
        return int(value)
    found = tensor_of(value)
    if not found.dim():
        return int(found.item())
    if found.dtype.is_floating_point and found.numel():
        raise TypeError(f"Cannot cast array data from dtype('{dtype_of(asarray(value).dtype).name}') to "
                        "dtype('int64') according to the rule 'safe'")
    return found.to(torch.int64)


def sizes_of(size):
    """An int or a sequence of ints as a tuple."""
    return tuple(map(operator.index, size)) if isinstance(size, (tuple, list)) else (operator.index(size),)


def shape_of(size):
    return () if size is None else sizes_of(size)


def is_tensor(value):
    return isinstance(value, torch.Tensor)


def any_of(condition):
    """Whether it holds for a number, or for one of a tensor's."""
    return bool(condition.any()) if is_tensor(condition) else condition


def broadcast_shape(shapes):
    """The shape that they have in common; NumPy's error where they have none."""
    result = []
    for place, shape in enumerate(shapes):
        result = [1] * (len(shape) - len(result)) + result
        for back in range(1, len(shape) + 1):
            if result[-back] == 1:
                result[-back] = shape[-back]
            elif shape[-back] not in (1, result[-back]):
                _raise_mismatch(shapes, place)
    return tuple(result)


def _raise_mismatch(shapes, place):
    for earlier in range(place):
        for a, b in zip(reversed(shapes[earlier]), reversed(shapes[place])):
            if a != b and 1 not in (a, b):
                raise ValueError("shape mismatch: objects cannot be broadcast to a single shape.  Mismatch is "
                                 f"between arg {earlier} with shape {tuple(shapes[earlier])} and arg {place} "
                                 f"with shape {tuple(shapes[place])}.")


def parameters(size, given, convert=None, size_place=0):
    """The size of a draw and its parameters, broadcast to it where one of them has dimensions.

    `convert` has a function for each, where not all are float64; `size_place` is the size's place among
    the shapes of an error."""
    values = [(convert[i] if convert else of_float64)(value) for i, value in enumerate(given)]
    if not any(map(is_tensor, values)):
        return size, tuple(values)
    shapes = [tuple(value.shape) if is_tensor(value) else () for value in values]
    if size is None:
        sizes = broadcast_shape(shapes)
    else:
        sizes = sizes_of(size)
        shapes.insert(size_place, sizes)
        common = broadcast_shape(shapes)
        if common != sizes:
            raise ValueError(f"Output size {sizes} is not compatible with broadcast dimensions of inputs "
                             f"{common}.")
    return sizes, tuple([_expanded(value, sizes) for value in values])


def _expanded(value, sizes):
    if is_tensor(value):
        return value.expand(sizes).contiguous()
    return torch.full(sizes, value, dtype=torch.float64 if isinstance(value, float) else torch.int64)


def check_one_dimension(tensor):
    if tensor.dim() != 1:
        raise ValueError("setting an array element with a sequence. The requested array would exceed the "
                         "maximum number of dimension of 1.")


def check_probabilities(p, words, precision):
    """That an array holds numbers of at least 0 whose sum is 1, in the words of who asks. The dtype
    `precision`, in which they were handed in, says how far from 1 their sum may be."""
    if torch.isnan(p).any():
        raise ValueError(words["nan"])
    if (p < 0).any():
        raise ValueError(words["negative"])
    if abs(math.fsum(p.tolist()) - 1.0) > math.sqrt(torch.finfo(precision).eps):
        raise ValueError(words["sum"])
