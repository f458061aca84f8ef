"""Functions given by points: between them, their slopes and areas; polynomials, convolutions.

    interp(2.5, [1, 2, 3], [10, 20, 30]), gradient(y, x), trapezoid(y, x)
    polyfit(x, y, 1), polyval(p, x), convolve(a, v)
"""
import torch
from numpy import _memory
from numpy._array import wrap, wrap_result
from numpy._axes import axes_of, one_axis
from numpy._dtypes import promote
from numpy._reductions import folded
from numpy._values import array, asarray, operand


def interp(x, xp, fp, left=None, right=None, period=None):
    """On the lines between points."""
    at, points, values = [operand(each).to(torch.float64) for each in (x, xp, fp)]
    if points.numel() == 0:
        raise ValueError("array of sample points is empty")
    if points.shape != values.shape:
        raise ValueError("fp and xp are not of the same length.")
    if period is not None:
        at, points, values = _unrolled(at, points, values, abs(period))
        left = right = None
    result = _on_lines(at, points, values)
    first = values[0] if left is None else _memory.tensor(float(left), dtype=torch.float64)
    last = values[-1] if right is None else _memory.tensor(float(right), dtype=torch.float64)
    result = torch.where(at < points[0], first, torch.where(at > points[-1], last, result))
    result = torch.where(at == points[-1], values[-1], result)
    return wrap_result(torch.where(torch.isnan(at), at, result))


def _on_lines(at, points, values):
    if points.numel() == 1:
        return values.expand(at.shape)
    places = torch.clamp(torch.searchsorted(points, at.contiguous(), right=True) - 1, 0, points.numel() - 2)
    slopes = (values[1:] - values[:-1]) / (points[1:] - points[:-1])
    return slopes[places] * (at - points[places]) + values[places]


def _unrolled(at, points, values, period):
    points, order = torch.sort(points % period, stable=True)
    values = values[order]
    points = torch.cat([points[-1:] - period, points, points[:1] + period])
    return at % period, points, torch.cat([values[-1:], values, values[:1]])


def trapezoid(y, x=None, dx=1.0, axis=-1):
    """The area under the lines between points."""
    heights = operand(y)
    axis = one_axis(axis, heights.dim())
    size = heights.size(axis)
    if size == 0:
        return wrap_result(folded("sum", heights.to(torch.float64), [axis]))
    if x is None:
        dtype = heights.dtype if heights.dtype.is_floating_point else torch.float64
        widths = _memory.tensor(dx, dtype=dtype) if isinstance(dx, (int, float)) else operand(dx)
    else:
        places = operand(x)
        if places.dim() == 1:
            widths = places[1:] - places[:-1]
            widths = widths.reshape([-1 if each == axis else 1 for each in range(heights.dim())])
        else:
            widths = places.narrow(axis, 1, size - 1) - places.narrow(axis, 0, size - 1)
    common = promote(heights.dtype, widths.dtype)
    both = heights.narrow(axis, 1, size - 1) + heights.narrow(axis, 0, size - 1)
    return wrap_result(folded("sum", widths.to(common) * both.to(common) / 2.0, [axis]))


def gradient(f, *varargs, axis=None, edge_order=1):
    """Slopes: in the middle from both neighbours, at the edges from one."""
    tensor = operand(f)
    if not tensor.dtype.is_floating_point:
        tensor = tensor.to(torch.float64)
    axes = axes_of(axis, tensor.dim())
    if edge_order not in (1, 2):
        raise ValueError("'edge_order' greater than 2 not supported")
    if len(varargs) not in (0, 1, len(axes)):
        raise TypeError("invalid number of arguments")
    steps = [operand(each) for each in varargs] or [_memory.tensor(1.0, dtype=tensor.dtype)]
    steps = steps * len(axes) if len(steps) == 1 else steps
    found = []
    for each, step in zip(axes, steps):
        if tensor.size(each) < edge_order + 1:
            raise ValueError("Shape of array too small to calculate a numerical gradient, at least (edge_order + 1) "
                             "elements are required.")
        if step.dim() and step.numel() != tensor.size(each):
            raise ValueError("when 1d, distances must match the length of the corresponding dimension")
        found.append(wrap(_slopes(tensor.movedim(each, -1), step, edge_order).movedim(-1, each).contiguous()))
    return found[0] if len(found) == 1 else tuple(found)


def _slopes(rows, step, edge_order):
    """Along the last dimension; `step` is a distance, or the places."""
    if step.dim() == 0:
        step = step.to(rows.dtype)
        inner = (rows[..., 2:] - rows[..., :-2]) / (2.0 * step)
        if edge_order == 2:
            first = (-1.5 * rows[..., :1] + 2.0 * rows[..., 1:2] - 0.5 * rows[..., 2:3]) / step
            last = (0.5 * rows[..., -3:-2] - 2.0 * rows[..., -2:-1] + 1.5 * rows[..., -1:]) / step
            return torch.cat([first, inner, last], -1)
        return torch.cat([(rows[..., 1:2] - rows[..., :1]) / step, inner, (rows[..., -1:] - rows[..., -2:-1]) / step],
                         -1)
    widths = (step[1:] - step[:-1]).to(rows.dtype)
    if bool((widths == widths[0]).all()):
        return _slopes(rows, widths[0], edge_order)
    if edge_order == 2:
        raise NotImplementedError("edge_order=2 with uneven distances is not there")
    before, behind = widths[:-1], widths[1:]
    inner = (-behind / (before * (before + behind)) * rows[..., :-2]
             + (behind - before) / (before * behind) * rows[..., 1:-1]
             + before / (behind * (before + behind)) * rows[..., 2:])
    first = (rows[..., 1:2] - rows[..., :1]) / widths[0]
    last = (rows[..., -1:] - rows[..., -2:-1]) / widths[-1]
    return torch.cat([first, inner, last], -1)


# ---- Polynomials and convolutions ---------------------------------------------------------------

def polyval(p, x):
    """A polynomial at places; the coefficient of the highest power comes first."""
    from numpy._ufuncs import add, multiply

    at = asarray(x)
    result = multiply(at, 0)
    for coefficient in asarray(p):
        result = add(multiply(result, at), coefficient)
    return result


def polyfit(x, y, deg, full=False, w=None, cov=False):
    """The polynomial that lies nearest to points."""
    if full or cov:
        raise NotImplementedError("polyfit() with full= or cov= is not there")
    at, values = operand(x).to(torch.float64).reshape(-1), operand(y).to(torch.float64)
    if deg < 0:
        raise ValueError("expected deg >= 0")
    if at.numel() == 0:
        raise TypeError("expected non-empty vector for x")
    if at.size(0) != values.size(0):
        raise TypeError("expected x and y to have same length")
    matrix = torch.pow(at.unsqueeze(1), _memory.arange(deg, -1, -1, dtype=torch.float64))
    right = values.unsqueeze(1) if values.dim() == 1 else values
    if w is not None:
        weight = operand(w).to(torch.float64).unsqueeze(1)
        matrix, right = matrix * weight, right * weight
    scale = torch.sqrt((matrix * matrix).sum(0))
    found = torch.linalg.lstsq(matrix / scale, right).solution / scale.unsqueeze(1)
    return wrap(found.squeeze(1) if values.dim() == 1 else found)


def convolve(a, v, mode="full"):
    """Sums of products, one of the two turned around and moved along the other."""
    first, second = operand(a), operand(v)
    if first.dim() > 1 or second.dim() > 1:
        raise ValueError("object too deep for desired array")
    if first.numel() == 0 or second.numel() == 0:
        raise ValueError("a cannot be empty" if first.numel() == 0 else "v cannot be empty")
    if second.numel() > first.numel():
        first, second = second, first
    return _slid(first, second.flip(0), mode)


def correlate(a, v, mode="valid"):
    first, second = operand(a), operand(v)
    if second.numel() > first.numel():
        return wrap(_slid(second, first, mode)._tensor.flip(0))
    return _slid(first, second, mode)


def _slid(long, short, mode):
    """The products of all windows of the longer with the shorter."""
    common = promote(long.dtype, short.dtype)
    size, border = short.numel(), {"full": short.numel() - 1, "valid": 0}
    zeros = _memory.zeros(size - 1, dtype=common)
    if mode == "same":
        left = size // 2
        padded = torch.cat([zeros[:left], long.to(common), zeros[:size - 1 - left]])
    elif mode in border:
        padded = torch.cat([zeros[:border[mode]], long.to(common), zeros[:border[mode]]])
    else:
        raise ValueError("mode must be one of 'valid', 'same', or 'full'")
    windows = padded.unfold(0, size, 1)
    return array(wrap(folded("sum", windows * short.to(common), [1])))


def ediff1d(ary, to_end=None, to_begin=None):
    from numpy._reductions import diff

    return diff(asarray(ary).ravel(), prepend=None if to_begin is None else to_begin,
                append=None if to_end is None else to_end)


# ---- Loops --------------------------------------------------------------------------------------

def ndindex(*shape):
    """All places of a shape, one after the other."""
    from itertools import product

    sizes = shape[0] if len(shape) == 1 and isinstance(shape[0], (tuple, list)) else shape
    return product(*[range(each) for each in sizes])


def ndenumerate(arr):
    """All places with their elements."""
    array = asarray(arr)
    return zip(ndindex(array.shape), array.flat)


def apply_along_axis(func1d, axis, arr, *args, **kwargs):
    """A function of each row along an axis."""
    tensor = operand(arr)
    axis = one_axis(axis, tensor.dim())
    rows = tensor.movedim(axis, -1)
    outside = rows.shape[:-1]
    results = [operand(func1d(wrap(row), *args, **kwargs)) for row in rows.reshape(-1, rows.size(-1))]
    if not results:
        raise ValueError("Cannot apply_along_axis when any iteration dimensions are 0")
    made = torch.stack(results).reshape((*outside, *results[0].shape))
    for i in range(results[0].dim()):
        made = made.movedim(len(outside) + i, axis + i)
    return wrap(made)


class vectorize:
    """A function of numbers as one of arrays: a loop."""

    def __init__(self, pyfunc, otypes=None, doc=None, excluded=None, cache=False, signature=None):
        if excluded or signature:
            raise NotImplementedError("vectorize() with excluded= or signature= is not there")
        self.pyfunc, self.otypes = pyfunc, otypes

    def __call__(self, *args):
        tensors = torch.broadcast_tensors(*[operand(each) for each in args])
        rows = [list(wrap(each.reshape(-1))) for each in tensors]
        results = [self.pyfunc(*each) for each in zip(*rows)]
        if not results and not self.otypes:
            raise ValueError("cannot call `vectorize` on size 0 inputs unless `otypes` is set")
        made = array(results, self.otypes[0] if self.otypes else None)
        return wrap_result(made._tensor.reshape(tensors[0].shape))
