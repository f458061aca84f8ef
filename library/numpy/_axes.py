"""Axes as arguments name them: `axis=-1`, `axis=(0, 2)`, `axis=None` for all."""


class AxisError(ValueError, IndexError):
    """An axis that an array does not have."""

    __module__ = "numpy.exceptions"

    def __init__(self, axis, ndim=None, msg_prefix=None):
        text = axis if ndim is None else f"axis {axis} is out of bounds for array of dimension {ndim}"
        super().__init__(text if msg_prefix is None else f"{msg_prefix}: {text}")
        self.axis, self.ndim = axis, ndim


def one_axis(axis, rank):
    """An axis counted from the front."""
    if not hasattr(axis, "__index__"):
        raise TypeError(f"'{type(axis).__name__}' object cannot be interpreted as an integer")
    place = axis.__index__()
    if not -rank <= place < rank:
        raise AxisError(place, rank)
    return place % rank


def axes_of(axis, rank):
    """The axes, a list; all for None. An array without dimensions may be folded along its only element."""
    if axis is None:
        return list(range(rank))
    if rank == 0 and axis in (0, -1):
        return []
    axes = [one_axis(each, rank) for each in (axis if isinstance(axis, (tuple, list)) else (axis,))]
    if len(set(axes)) < len(axes):
        raise ValueError("duplicate value in 'axis'")
    return axes
