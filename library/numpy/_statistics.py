"""Statistics: quantiles, averages with weights, histograms, correlations.

    median(a), percentile(a, [25, 75]), average(a, weights=w)
    histogram(a, bins=10), bincount(a), cov(x), corrcoef(x, y)
"""
import math

import torch
from numpy import _memory
from numpy._array import wrap, wrap_result
from numpy._axes import axes_of
from numpy._creation import linspace
from numpy._reductions import _given, _numpy, _with_kept_axes, folded
from numpy._scalars import make, rounded
from numpy._values import array, operand


def _rows_of(a, axis):
    """The elements to look at in the last dimension, and the axes that they come from."""
    tensor = operand(a)
    if not tensor.dtype.is_floating_point:
        tensor = tensor.to(torch.float64)
    axes = axes_of(axis, tensor.dim())
    rest = [each for each in range(tensor.dim()) if each not in axes]
    rows = tensor.permute((*rest, *sorted(axes))).reshape((*[tensor.size(each) for each in rest], -1))
    return rows, axes


# ---- Quantiles ----------------------------------------------------------------------------------

def median(a, axis=None, out=None, overwrite_input=False, keepdims=False):
    rows, axes = _rows_of(a, axis)
    count = rows.size(-1)
    if count == 0:
        result = _memory.full(rows.shape[:-1], math.nan, dtype=rows.dtype)
    else:
        ordered = torch.sort(rows, -1)[0]
        middle = ordered[..., (count - 1) // 2:count // 2 + 1]
        result = _numpy.folded("sum", middle, [middle.dim() - 1]) / middle.size(-1)
        result = torch.where(torch.isnan(ordered[..., -1]), torch.full_like(result, math.nan), result)
    return _given(_with_kept_axes(result, axes, keepdims), out)


_METHODS = ("linear", "lower", "higher", "midpoint", "nearest")


def _between(ordered, places, method):
    """The elements of sorted rows at places that may lie between two."""
    low = torch.floor(places)
    high = torch.clamp(low + 1, max=ordered.size(-1) - 1)
    share = places - low
    if method == "lower":
        share = torch.zeros_like(share)
    elif method == "higher":
        share = torch.ceil(share)
    elif method == "midpoint":
        share = torch.where(share == 0, share, torch.full_like(share, 0.5))
    elif method == "nearest":
        nearest = torch.round(places)
        return ordered[..., nearest.to(torch.int64)]
    first, second = ordered[..., low.to(torch.int64)], ordered[..., high.to(torch.int64)]
    distance = second - first
    return torch.where(share >= 0.5, second - distance * (1 - share), first + distance * share)


def quantile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False, *, weights=None):
    """What so much of the elements lies below."""
    if weights is not None or method not in _METHODS:
        raise NotImplementedError(f"weights and methods beyond {', '.join(_METHODS)} are not there")
    rows, axes = _rows_of(a, axis)
    shares = operand(q).to(torch.float64)
    # One share gives floats of the array's own dtype, several give float64.
    wanted = rows.dtype if isinstance(q, (int, float)) else torch.float64
    if bool(((shares < 0) | (shares > 1)).any()):
        raise ValueError("Quantiles must be in the range [0, 1]")
    ordered = torch.sort(rows, -1)[0]
    if ordered.size(-1) == 0:
        raise IndexError("index -1 is out of bounds for axis 0 with size 0")
    places = (ordered.size(-1) - 1) * shares
    result = _between(ordered, places, method).to(wanted)
    missing = torch.isnan(ordered[..., -1:] if shares.dim() else ordered[..., -1])
    result = torch.where(missing, torch.full_like(result, math.nan), result)
    if shares.dim():
        result = result.movedim(-1, 0)
        kept = [each + 1 for each in axes]
        return _given(_with_kept_axes(result, kept, keepdims), out)
    return _given(_with_kept_axes(result, axes, keepdims), out)


def percentile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False, *, weights=None):
    share = operand(q)
    if bool(((share < 0) | (share > 100)).any()):
        raise ValueError("Percentiles must be in the range [0, 100]")
    share = q / 100 if isinstance(q, (int, float)) else wrap(share.to(torch.float64) / 100)
    return quantile(a, share, axis, out, overwrite_input, method, keepdims, weights=weights)


# ---- Averages -----------------------------------------------------------------------------------

def average(a, axis=None, weights=None, returned=False, *, keepdims=False):
    from numpy._reductions import mean

    if weights is None:
        result = mean(a, axis, keepdims=keepdims)
        count = operand(a).numel() / max(operand(result).numel(), 1)
        return (result, result * 0 + count) if returned else result
    tensor, weight = operand(a), operand(weights)
    common = torch.promote_types(torch.promote_types(tensor.dtype, weight.dtype), torch.float64
                                 if not tensor.dtype.is_floating_point else tensor.dtype)
    axes = axes_of(axis, tensor.dim())
    if weight.shape != tensor.shape:
        if axis is None:
            raise TypeError("Axis must be specified when shapes of a and weights differ.")
        if weight.dim() != len(axes) or weight.dim() != 1:
            raise ValueError("Shape of weights must be consistent with shape of a along specified axis.")
        if weight.size(0) != tensor.size(axes[0]):
            raise ValueError("Shape of weights must be consistent with shape of a along specified axis.")
        weight = weight.reshape([-1 if each == axes[0] else 1 for each in range(tensor.dim())]).expand(tensor.shape)
    weight, tensor = weight.to(common), tensor.to(common)
    total = folded("sum", weight, axes)
    if bool((total == 0).any()):
        raise ZeroDivisionError("Weights sum to zero, can't be normalized")
    result = _with_kept_axes(folded("sum", tensor * weight, axes) / total, axes, keepdims)
    return (wrap_result(result), wrap_result(total)) if returned else wrap_result(result)


def _variables(m, y, rowvar):
    tensor = operand(m)
    if tensor.dim() > 2:
        raise ValueError("m has more than 2 dimensions")
    rows = tensor.to(torch.promote_types(tensor.dtype, torch.float64))
    rows = rows.reshape(1, -1) if rows.dim() < 2 else rows if rowvar else rows.transpose(0, 1)
    if y is not None:
        rows = torch.cat([rows, _variables(y, None, rowvar)], 0)
    return rows


def cov(m, y=None, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None):
    """How variables, one a row, go together."""
    if fweights is not None or aweights is not None:
        raise NotImplementedError("cov() with weights is not there")
    rows = _variables(m, y, rowvar)
    left = rows.size(1) - ((0 if bias else 1) if ddof is None else ddof)
    distance = rows - _numpy.folded("sum", rows, [1]).unsqueeze(1) / rows.size(1)
    return wrap((distance @ distance.transpose(0, 1) / max(left, 0)).squeeze())


def corrcoef(x, y=None, rowvar=True):
    matrix = operand(cov(x, y, rowvar))
    if matrix.dim() == 0:
        return wrap_result(matrix / matrix)
    spread = torch.sqrt(matrix.diagonal())
    return wrap_result(torch.clamp(matrix / spread.unsqueeze(1) / spread, -1, 1))


# ---- Counts -------------------------------------------------------------------------------------

def bincount(x, /, weights=None, minlength=0):
    """How often each int from 0 on occurs."""
    tensor = operand(x)
    if tensor.dim() != 1:
        depth = "too deep" if tensor.dim() else "of too small depth"
        raise ValueError(f"object {depth} for desired array")
    if tensor.dtype.is_floating_point and tensor.numel():
        raise TypeError("Cannot cast array data from dtype('float64') to dtype('int64') according to the rule 'safe'")
    tensor = tensor.to(torch.int64)
    if tensor.numel() and tensor.min().item() < 0:
        raise ValueError("'list' argument must have no negative elements")
    if weights is None:
        return wrap(torch.bincount(tensor, minlength=minlength))
    weight = operand(weights).to(torch.float64)
    if weight.shape != tensor.shape:
        raise ValueError("The weights and list don't have the same length.")
    return wrap(torch.bincount(tensor, weight, minlength))


def histogram_bin_edges(a, bins=10, range=None, weights=None):
    if isinstance(bins, str):
        raise NotImplementedError(f"bins='{bins}' is not there: give a number or edges")
    edges = operand(bins)
    if edges.dim() > 0:
        if bool((edges[1:] < edges[:-1]).any()):
            raise ValueError("`bins` must increase monotonically, when an array")
        return wrap(edges)
    count = int(bins)
    if count < 1:
        raise ValueError("`bins` must be positive, when an integer")
    least, greatest = _limits(operand(a), range)
    dtype = operand(a).dtype
    if dtype.is_floating_point:
        least, greatest = make(dtype, rounded(least, dtype)), make(dtype, rounded(greatest, dtype))
    return linspace(least, greatest, count + 1)


def _limits(tensor, limits):
    if limits is not None:
        least, greatest = [operand(each).item() for each in limits]
        if least > greatest:
            raise ValueError("max must be larger than min in range parameter.")
    elif tensor.numel() == 0:
        least, greatest = 0.0, 1.0
    else:
        least, greatest = tensor.min().item(), tensor.max().item()
    if not (math.isfinite(least) and math.isfinite(greatest)):
        what = "supplied" if limits is not None else "autodetected"
        raise ValueError(f"{what} range of [{least}, {greatest}] is not finite")
    if least == greatest:
        least, greatest = least - 0.5, greatest + 0.5
    return least, greatest


def histogram(a, bins=10, range=None, density=None, weights=None):
    """How many elements lie in each bin; the last one has its right edge."""
    tensor = operand(a).reshape(-1)
    edges = histogram_bin_edges(a, bins, range)
    values, limits = tensor.to(torch.float64), edges._tensor.to(torch.float64)
    count = limits.numel() - 1
    kept = (values >= limits[0]) & (values <= limits[-1])
    places = torch.clamp(torch.searchsorted(limits, values[kept].contiguous(), right=True) - 1, 0, count - 1)
    if weights is None:
        found = torch.bincount(places, minlength=count)
    else:
        found = torch.bincount(places, operand(weights).reshape(-1)[kept].to(torch.float64), count)
    if density:
        widths = limits[1:] - limits[:-1]
        found = found / widths / found.sum()
    return wrap(found), edges


def histogram2d(x, y, bins=10, range=None, density=None, weights=None):
    """Counts of pairs: one axis for x, one for y."""
    both = bins if isinstance(bins, (list, tuple)) and len(bins) == 2 else (bins, bins)
    limits = (None, None) if range is None else range
    edges = [histogram_bin_edges(each, count, limit) for each, count, limit in zip((x, y), both, limits)]
    tensors = [operand(each).reshape(-1).to(torch.float64) for each in (x, y)]
    kept = _memory.ones(tensors[0].numel(), dtype=torch.bool)
    places = []
    for values, edge in zip(tensors, edges):
        line = edge._tensor.to(torch.float64)
        kept = kept & (values >= line[0]) & (values <= line[-1])
        places.append(torch.clamp(torch.searchsorted(line, values, right=True) - 1, 0, line.numel() - 2))
    sizes = [each.size - 1 for each in edges]
    flat = (places[0] * sizes[1] + places[1])[kept]
    weight = _memory.ones(flat.numel(), dtype=torch.float64) if weights is None else operand(weights).reshape(-1)[kept]
    found = torch.bincount(flat, weight.to(torch.float64), sizes[0] * sizes[1]).reshape(sizes)
    if density:
        widths = [each._tensor[1:] - each._tensor[:-1] for each in edges]
        found = found / widths[0].unsqueeze(1) / widths[1] / found.sum()
    return array(wrap(found)), edges[0], edges[1]
