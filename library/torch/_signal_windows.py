"""Windows that fade a signal in and out.

    torch.hann_window(512)                     one period, to be laid beside another
    torch.hann_window(512, periodic=False)     the same at both ends
"""
import math

import torch
from torch._output import scalar_name


def _check(name, length, options):
    if length < 0:
        raise RuntimeError(f"{name} requires non-negative window_length, got window_length={length}")
    dtype = options.get("dtype") or torch.get_default_dtype()
    if not dtype.is_floating_point:
        raise RuntimeError(f"{name} expects floating point dtypes, got: Tensor[{scalar_name(torch.empty(0, dtype=dtype))}]")


def _window(name, length, periodic, options, shape):
    """What `shape` makes of the places 0 ... 1, of which a periodic window leaves out the last."""
    _check(name, length, options)
    requires_grad = options.pop("requires_grad", False)
    options = {key: value for key, value in options.items() if key not in ("layout", "pin_memory")}
    if length <= 1:
        made = torch.ones(length, **options)
    else:
        count = length + 1 if periodic else length
        made = shape(torch.arange(count, **{**options, "dtype": options.get("dtype") or torch.get_default_dtype()}),
                     count - 1)[:length].clone()
    return made.requires_grad_() if requires_grad else made


def hamming_window(window_length, periodic=True, alpha=0.54, beta=0.46, **options):
    """`alpha - beta cos`: not quite 0 at the ends."""
    def shape(places, last):
        return alpha - beta * torch.cos(places * (math.pi * 2 / last))
    return _window("hamming_window", window_length, periodic, options, shape)


def hann_window(window_length, periodic=True, **options):
    """A cosine between 0 and 1."""
    def shape(places, last):
        return 0.5 - 0.5 * torch.cos(places * (math.pi * 2 / last))
    return _window("hann_window", window_length, periodic, options, shape)


def blackman_window(window_length, periodic=True, **options):
    """Two cosines, for less beside the main frequency."""
    def shape(places, last):
        angle = places * (math.pi / last)
        return torch.cos(4 * angle) * 0.08 - torch.cos(2 * angle) * 0.5 + 0.42
    return _window("blackman_window", window_length, periodic, options, shape)


def bartlett_window(window_length, periodic=True, **options):
    """A triangle."""
    def shape(places, last):
        rise = places * (2.0 / last)
        return torch.where(places <= last / 2, rise, 2.0 - rise)
    return _window("bartlett_window", window_length, periodic, options, shape)


def kaiser_window(window_length, periodic=True, beta=12.0, **options):
    """Bessel's function of a half circle; `beta` says how narrow it is."""
    def shape(places, last):
        distance = places * (2.0 / last) - 1.0
        height = torch.i0(beta * torch.sqrt((1 - distance * distance).clamp(min=0)))
        return height / torch.i0(torch.tensor(float(beta), dtype=places.dtype, device=places.device))
    return _window("kaiser_window", window_length, periodic, options, shape)
