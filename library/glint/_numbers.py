"""Numbers of what a script plots: lists, ranges, tensors on any device, tensors in lists.

    numbers(torch.ones(2, requires_grad=True))      [1.0, 1.0]
    numbers([loss, 0.5])                            floats, a tensor's by `item`
    thinned(xs, ys)                                 at most some two thousand of them, that draw the same
"""
import math

_MOST = 2000


def _plain(values):
    """A tensor as lists; all else as it is."""
    if hasattr(values, "detach"):
        return values.detach().cpu().tolist()
    return values


def table(values):
    """Rows of numbers, or of rows."""
    return [[_plain(each) for each in _plain(row)] for row in _plain(values)]


def numbers(values):
    """Floats; None counts as what is not there."""
    values = _plain(values)
    is_many = hasattr(values, "__iter__")
    if not is_many and hasattr(values, "__float__"):
        return [float(values)]
    if isinstance(values, (str, dict)) or not is_many:
        raise TypeError(f"numbers to plot are expected, not {type(values).__name__}")
    found = []
    for each in values:
        if type(each) is not float:
            each = math.nan if each is None else _single(each)
        found.append(each)
    return found


def _single(value):
    value = _plain(value)
    while isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, (list, tuple)):
        raise ValueError("one number a point is expected, and here are several: plot rows one by one")
    return float(value)


def thinned(xs, ys, joined=True):
    """Neighbours are put together; of each stretch stay its ends, its least and its greatest.

    Points that no line joins are left out evenly.
    """
    if len(ys) <= _MOST:
        return xs, ys
    share = _MOST // 4 if joined else _MOST
    step = (len(ys) + share - 1) // share
    if not joined:
        return xs[::step], ys[::step]
    kept = []
    for begin in range(0, len(ys), step):
        part = ys[begin : begin + step]
        finite = [y for y in part if math.isfinite(y)]
        places = {0, len(part) - 1}
        if finite:
            places |= {part.index(min(finite)), part.index(max(finite))}
        if len(finite) < len(part):  # a gap stays one
            places.add(next(i for i, y in enumerate(part) if not math.isfinite(y)))
        kept += [begin + place for place in sorted(places)]
    return [xs[i] for i in kept], [ys[i] for i in kept]
