"""Shuffling, and choosing among the elements of an array.

    order = stream.order(len(x))       0 to len(x) - 1, shuffled
    reorder(x, order)                  x itself, in that order

Which numbers are drawn depends on the length alone, so that a shuffled order does for all.
"""
import math
import operator

import torch
from numpy._array import ndarray, wrap, wrap_result
from numpy._values import asarray
from numpy.random._arguments import check_probabilities, shape_of


def reorder(x, order):
    """Puts the elements of a list, an array or another sequence in an order."""
    if isinstance(x, ndarray):
        x[...] = wrap(x._tensor[order])
        return
    if isinstance(x, torch.Tensor):
        raise TypeError("a tensor is not shuffled in place: shuffle its `numpy()`, which shows its memory")
    items = [x[i] for i in order.tolist()]
    for i, item in enumerate(items):
        x[i] = item


def count_of(size):
    """How many elements there are in a size."""
    return math.prod(shape_of(size))


def is_whole(x):
    """Whether it is an int of Python's or NumPy's."""
    return hasattr(x, "__index__") and not isinstance(x, (ndarray, torch.Tensor))


def _holds_texts(a):
    return isinstance(a, (list, tuple)) and any(isinstance(item, str) for item in a)


def _places_without_replacement(stream, p, count, words):
    """Draws anew for what was drawn before, whose weight is 0 then."""
    if int((p > 0).sum()) < count:
        raise ValueError(words["few"])
    p = p.clone()
    found = torch.zeros(0, dtype=torch.int64)
    while len(found) < count:
        drawn = stream.weighted(p, (count - len(found),)).tolist()
        new = torch.tensor(list(dict.fromkeys(drawn)), dtype=torch.int64)
        found = torch.cat([found, new])
        p[new] = 0
    return found


def _weights(p, count, words):
    coarse = isinstance(p, ndarray) and p._tensor.is_floating_point()
    precision = p._tensor.dtype if coarse else torch.float64
    p = asarray(p)._tensor.to(torch.float64).contiguous()
    if p.dim() != 1:
        raise ValueError(words["rank"])
    if len(p) != count:
        raise ValueError(words["size"])
    check_probabilities(p, words, precision)
    return p


def places(stream, count, size, replace, p, words, draw_uniformly, draw_different):
    """Places among `count` elements: a tensor of the size, without dimensions where there is none."""
    sizes = shape_of(size)
    wanted = math.prod(sizes)
    if p is not None:
        p = _weights(p, count, words)
    if replace:
        if p is not None and count:
            return stream.weighted(p, sizes)
        return draw_uniformly(count, sizes)
    if wanted > count:
        raise ValueError(words["many"])
    if wanted < 0:
        raise ValueError("negative dimensions are not allowed")
    if p is not None:
        return _places_without_replacement(stream, p, wanted, words).reshape(sizes)
    return draw_different(count, wanted).reshape(sizes)


def chosen(a, found, size, axis=0):
    """The elements of `a` at these places; of an int the places themselves."""
    if is_whole(a):
        return int(found.item()) if size is None else wrap(found)
    if _holds_texts(a):
        if size is None:
            return a[found.item()]
        raise TypeError("there are no arrays of str: choose positions, `choice(len(a), size)`")
    elements = asarray(a)._tensor
    if size is None:
        return wrap_result(elements.select(axis, found.item()).clone())
    shape = elements.shape[:axis] + tuple(found.shape) + elements.shape[axis + 1:]
    return wrap(elements.index_select(axis, found.reshape(-1)).reshape(shape))


def length_of(a, axis=0):
    """How many elements there are to choose from, and how many dimensions."""
    if is_whole(a):
        return operator.index(a), 1
    if _holds_texts(a):
        return len(a), 1
    elements = asarray(a)._tensor
    return elements.shape[axis] if elements.dim() else None, elements.dim()
