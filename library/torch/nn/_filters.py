"""Interpolation by a filter: each element of the result is a weighted sum of a few neighbours.

    bicubic             four neighbours, weighted by a cubic curve; beyond the ends the last one again
    antialias=True      a result that is smaller asks further neighbours, so that all are seen

Dimension by dimension: `taps` are the neighbours' places along one, and their weights, a row for each
place of the result.
"""
import math
import torch


def _triangle(x):
    return (1 - x.abs()).clamp(min=0)


def _cubic(x, bend):
    """Keys' curve through 1 at 0 and 0 at the other whole numbers; `bend` is its slope at 1."""
    x = x.abs()
    near = ((bend + 2) * x - (bend + 3)) * x * x + 1
    far = ((bend * x - 5 * bend) * x + 8 * bend) * x - 4 * bend
    return torch.where(x < 1, near, torch.where(x < 2, far, torch.zeros_like(x)))


def _lanczos(x):
    return torch.where(x.abs() < 3, torch.sinc(x) * torch.sinc(x / 3), torch.zeros_like(x))


# How far a filter reaches, and its weights.
_FILTERS = {"bilinear": (1, _triangle), "bicubic": (2, lambda x: _cubic(x, -0.5)),
            "lanczos": (3, _lanczos)}


def _cubic_taps(places, scale, align_corners):
    at = places * scale if align_corners else (places + 0.5) * scale - 0.5
    first = at.floor() - 1
    taps = first.unsqueeze(1) + torch.arange(4, device=places.device, dtype=places.dtype)
    return taps, _cubic(taps - at.unsqueeze(1), -0.75)


def _smooth_taps(places, scale, given, mode):
    """As wide as the elements of the result lie apart, where that is wider than the filter. Places with
    fewer neighbours say the last one again, which shares its weight: with none at all it would make a
    NaN of what is infinite."""
    reach, weigh = _FILTERS[mode]
    reach = reach * max(scale, 1.0)
    center = (places + 0.5) * scale
    first = (center - reach + 0.5).trunc().clamp(min=0)
    end = (center + reach + 0.5).trunc().clamp(max=given)
    count = min(math.ceil(reach) * 2 + 1, given)
    taps = first.unsqueeze(1) + torch.arange(count, device=places.device, dtype=places.dtype)
    last = end.unsqueeze(1) - 1
    taps = torch.minimum(taps, last)
    weights = weigh((taps - center.unsqueeze(1) + 0.5) / max(scale, 1.0))
    repeats = (taps == last).sum(1, keepdim=True)
    weights = torch.where(taps == last, weights / repeats, weights)
    return taps, weights / weights.sum(1, keepdim=True)


def filtered(input, dim, size, scale, mode, align_corners, antialias):
    """The dimension in another size; neighbours in the result lie `scale` elements apart."""
    given = input.size(dim)
    places = torch.arange(size, device=input.device, dtype=input.dtype)
    if antialias:
        taps, weights = _smooth_taps(places, scale, given, mode)
    else:
        taps, weights = _cubic_taps(places, scale, align_corners)
    return torch._resample(input, taps.long().clamp(0, given - 1), weights, dim)
