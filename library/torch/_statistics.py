"""Statistics and slopes that few scripts ask for.

    torch.nanmedian(x)             the median of what is there
    torch.histogram(x, 10)         counts, and the edges between which they are
    torch.gradient(y)              slopes by central differences
"""
import builtins

import torch
from torch._output import scalar_name
from torch.autograd import Function
from torch.linalg._matrices import result_type

_NanMedian = result_type("nanmedian", ["values", "indices"])
_Histogram = result_type("histogram", ["hist", "bin_edges"])


class Nanmedian(Function):
    """Of all elements: those that are the median share its gradient."""
    @staticmethod
    def forward(ctx, input):
        middle = _along(input.reshape(-1), 0, False)[0]
        ctx.save_for_backward(input == middle)
        return middle

    @staticmethod
    def backward(ctx, grad):
        chosen, = ctx.saved_tensors
        return chosen * (grad / chosen.sum())


def nanmedian(input, dim=None, keepdim=False):
    """The lower one of two in the middle of what is no NaN."""
    if input.dtype == torch.bool:
        raise NotImplementedError("\"median_cpu\" not implemented for 'Bool'")
    if dim is None:
        return Nanmedian.apply(input)
    return _NanMedian(*_along(input, dim, keepdim))


def _along(input, dim, keepdim):
    if input.dim() == 0:
        return input.clone(), torch.zeros((), dtype=torch.int64, device=input.device)
    if input.size(dim) == 0 and input.dim() == 1:
        return input.new_full((), torch.nan), torch.zeros((), dtype=torch.int64, device=input.device)
    there = (~input.isnan()).sum(dim, keepdim=True) if input.is_floating_point() else input.size(dim)
    ordered = input.sort(dim)
    middle = (torch.as_tensor(there, device=input.device) - 1).clamp(min=0) // 2
    shape = list(input.shape)
    shape[dim] = 1
    middle = middle.expand(shape)
    values, places = ordered.values.gather(dim, middle), ordered.indices.gather(dim, middle)
    return (values, places) if keepdim else (values.squeeze(dim), places.squeeze(dim))


def histogram(input, bins, *, range=None, weight=None, density=False):
    """Counts between edges: of as many equal ranges, or of the edges that are given."""
    if not input.is_floating_point():
        raise NotImplementedError(f"\"histogramdd\" not implemented for '{scalar_name(input)}'")
    flat = input.detach().reshape(-1)
    if isinstance(bins, torch.Tensor):
        edges = bins
    else:
        if bins <= 0:
            raise RuntimeError(f"torch.histogramdd(): bins must be > 0, but got {bins} for dimension 0")
        if range is not None:
            low, high = range
        elif flat.numel():
            low, high = float(flat.min()), float(flat.max())
        else:
            low, high = 0.0, 1.0
        if low == high:
            low, high = low - 0.5, high + 0.5
        edges = torch.linspace(low, high, bins + 1, dtype=input.dtype, device=input.device)
    count = edges.numel() - 1
    inside = (flat >= edges[0]) & (flat <= edges[-1])
    place = (torch.searchsorted(edges, flat[inside], right=True) - 1).clamp(max=count - 1)
    amounts = torch.ones_like(flat) if weight is None else weight.reshape(-1).to(input.dtype)
    hist = torch.zeros(count, dtype=input.dtype, device=input.device).index_add(0, place, amounts[inside])
    if density:
        hist = hist / (hist.sum() * edges.diff())
    return _Histogram(hist, edges)


def _at_ends(y, x, dim, order):
    """Slopes at both ends: of two points, or of a parabola through three."""
    def slope(first, second, third):
        near = (y.narrow(dim, second, 1) - y.narrow(dim, first, 1)) / (x[second] - x[first])
        if order == 1:
            return near
        far = (y.narrow(dim, third, 1) - y.narrow(dim, second, 1)) / (x[third] - x[second])
        bend = (far - near) / (x[third] - x[first])
        return near - bend * (x[second] - x[first])
    last = y.size(dim) - 1
    return slope(0, 1, min(2, last)), slope(last, last - 1, max(last - 2, 0))


def _slopes(y, x, dim, order):
    count = y.size(dim)
    before, behind = x[1:-1] - x[:-2], x[2:] - x[1:-1]
    shape = [1] * y.dim()
    shape[dim] = -1
    before, behind = before.reshape(shape), behind.reshape(shape)
    left, middle, right = y.narrow(dim, 0, count - 2), y.narrow(dim, 1, count - 2), y.narrow(dim, 2, count - 2)
    inside = (-behind / (before * (before + behind)) * left + (behind - before) / (before * behind) * middle
              + before / (behind * (before + behind)) * right)
    first, last = _at_ends(y, x, dim, order)
    return torch.cat([first, inside, last], dim)


def gradient(input, *, spacing=1, dim=None, edge_order=1):
    """Slopes along each dimension, by central differences inside."""
    if edge_order not in (1, 2):
        raise RuntimeError("torch.gradient only supports edge_order=1 and edge_order=2.")
    y = input if input.is_floating_point() else input.to(torch.get_default_dtype())
    dims = [*builtins.range(input.dim())] if dim is None else [dim] if isinstance(dim, int) else list(dim)
    apart = list(spacing) if isinstance(spacing, (list, tuple)) else [spacing] * len(dims)
    if len(apart) != len(dims):
        raise RuntimeError("torch.gradient expected spacing to be unspecified, a scalar, or a list of length equal to "
                           f"'self.dim() = {input.dim()}', since dim argument was not given, but got a list of length "
                           f"{len(apart)}")
    slopes = []
    for each, step in zip(dims, apart):
        each %= max(y.dim(), 1)
        if y.size(each) < edge_order + 1:
            raise RuntimeError("torch.gradient expected each dimension size to be at least edge_order+1")
        x = step if isinstance(step, torch.Tensor) and step.dim() else (
            torch.arange(y.size(each), dtype=y.dtype, device=y.device) * step)
        slopes.append(_slopes(y, x.to(y.dtype), each, edge_order))
    return tuple(slopes)


def renorm(input, p, dim, maxnorm):
    """Each part along a dimension made shorter, so that no norm is above `maxnorm`."""
    dims = [each for each in builtins.range(input.dim()) if each != dim % input.dim()]
    norms = torch.linalg.vector_norm(input, p, dims, keepdim=True)
    return input * torch.where(norms > maxnorm, maxnorm / (norms + 1e-7), 1.0)


def pdist(input, p=2):
    """The distances of each two rows."""
    if input.dim() != 2:
        raise RuntimeError(f"pdist only supports 2D tensors, got: {input.dim()}D")
    first, second = torch.triu_indices(input.size(0), input.size(0), 1, device=input.device)
    return torch.linalg.vector_norm(input[first] - input[second], p, dim=1)


def range(start=0, end=None, step=1, *, dtype=None, device=None, requires_grad=False):
    """From start to end, which belongs to it."""
    import warnings
    warnings.warn("torch.range is deprecated and will be removed in a future release because its behavior is "
                  "inconsistent with Python's range builtin. Instead, use torch.arange, which produces values in "
                  "[start, end).", UserWarning, stacklevel=2)
    if step == 0:
        raise RuntimeError("step must be nonzero")
    if (end - start) * step < 0:
        raise RuntimeError("upper bound and lower bound inconsistent with step sign")
    count = int((end - start) / step) + 1
    dtype = torch.get_default_dtype() if dtype is None else dtype
    made = (start + torch.arange(count, device=device, dtype=torch.float64) * step).to(dtype)
    return made.requires_grad_() if requires_grad else made
