"""Functions of `torch.nn.functional` that change an image's size: pixels, interpolation.

    pixel_shuffle(x, 2)                          4 channels become squares of 2 by 2
    interpolate(x, scale_factor=2)               each pixel four times
    interpolate(x, size=(5, 5), mode="bilinear") between pixels; more of them: _filters.py

Interpolation goes dimension by dimension: places in the result say which elements they lie between.
"""
import math
import warnings
import torch
from torch._output import own, scalar_name
from torch.nn._filters import filtered

_LINEAR = {"linear": 3, "bilinear": 4, "trilinear": 5}  # how many dimensions the input has
_MODES = ("nearest", "nearest-exact", "area") + tuple(_LINEAR)
_FILTERED = ("bicubic", "lanczos")  # of images alone


def _check_pixels(name, what, input, factor):
    if input.dim() < 3:
        raise RuntimeError(f"{name} expects input to have at least 3 dimensions, but got input "
                           f"with {input.dim()} dimension(s)")
    if factor <= 0:
        raise RuntimeError(f"{name} expects a positive {what}, but got {factor}")


def pixel_shuffle(input, upscale_factor):
    """Channels become squares of pixels."""
    factor = upscale_factor
    _check_pixels("pixel_shuffle", "upscale_factor", input, factor)
    *batch, channels, height, width = input.shape
    if channels % (factor * factor) != 0:
        raise RuntimeError("pixel_shuffle expects its input's 'channel' dimension to be divisible "
                           "by the square of upscale_factor, but input.size(-3)="
                           f"{channels} is not divisible by {factor * factor}")
    parts = input.reshape(-1, channels // (factor * factor), factor, factor, height, width)
    return own(parts.permute(0, 1, 4, 2, 5, 3).reshape(
        batch + [channels // (factor * factor), height * factor, width * factor]))


def pixel_unshuffle(input, downscale_factor):
    """Squares of pixels become channels."""
    factor = downscale_factor
    _check_pixels("pixel_unshuffle", "downscale_factor", input, factor)
    *batch, channels, height, width = input.shape
    if height % factor != 0 or width % factor != 0:
        which, size = ("height", height) if height % factor != 0 else ("width", width)
        place = -2 if which == "height" else -1
        raise RuntimeError(f"pixel_unshuffle expects {which} to be divisible by downscale_factor, "
                           f"but input.size({place})={size} is not divisible by {factor}")
    parts = input.reshape(-1, channels, height // factor, factor, width // factor, factor)
    return own(parts.permute(0, 1, 3, 5, 2, 4).reshape(
        batch + [channels * factor * factor, height // factor, width // factor]))


def channel_shuffle(input, groups):
    """Channels of groups in turn."""
    if input.dim() <= 2:
        raise RuntimeError("channel_shuffle expects input with > 2 dims, but got input with sizes "
                           f"{list(input.shape)}")
    if input.size(1) % groups != 0:
        raise RuntimeError(f"Number of channels must be divisible by groups. Got {input.size(1)} "
                           f"channels and {groups} groups.")
    sizes = [input.size(0), groups, input.size(1) // groups]
    parts = input.reshape(sizes + list(input.shape[2:]))
    return own(parts.transpose(1, 2).reshape(input.shape))


def _given_sizes(input, size, scale_factor, recompute_scale_factor):
    """The result's sizes, and the factors where positions follow those rather than the sizes."""
    dims = input.dim() - 2
    if size is not None and scale_factor is not None:
        raise ValueError("only one of size or scale_factor should be defined")
    if size is not None:
        if recompute_scale_factor:
            raise ValueError("recompute_scale_factor is not meaningful with an explicit size.")
        if isinstance(size, (list, tuple)):
            if len(size) != dims:
                raise ValueError(
                    "Input and output must have the same number of spatial dimensions, but got "
                    f"input with spatial dimensions of {list(input.shape[2:])} and output size of "
                    f"{size}. Please provide input tensor in (N, C, d1, d2, ...,dK) format and "
                    "output size in (o1, o2, ...,oK) format.")
            return list(size), None
        return [size] * dims, None
    if scale_factor is None:
        raise ValueError("either size or scale_factor should be defined")
    factors = scale_factor
    if not isinstance(factors, (list, tuple)):
        factors = [factors] * dims
    if len(factors) != dims:
        raise ValueError(
            "Input and scale_factor must have the same number of spatial dimensions, but got "
            f"input with spatial dimensions of {list(input.shape[2:])} and scale_factor of shape "
            f"{scale_factor}. Please provide input tensor in (N, C, d1, d2, ...,dK) format and "
            "scale_factor in (s1, s2, ...,sK) format.")
    sizes = [math.floor(input.size(i + 2) * float(factor)) for i, factor in enumerate(factors)]
    return sizes, None if recompute_scale_factor else factors


def _nearest_of(input, dim, size, factor, exact):
    given = input.size(dim)
    scale = 1.0 / factor if factor is not None else given / size
    places = torch.arange(size, device=input.device, dtype=torch.float32)
    index = ((places + 0.5 if exact else places) * scale).floor().long().clamp(max=given - 1)
    return input.index_select(dim, index)


def _nearest_factors(input, sizes, factors):
    """On the processor PyTorch's loop for small images, and for those with channels last, sees a size
    that is kept or doubled, whatever the factor."""
    if factors is None or input.dim() != 4 or input.device.type != "cpu":
        return factors
    has_channels_last = input.is_contiguous(memory_format=torch.channels_last)
    if sum(sizes) > 128 and not (has_channels_last and input.size(1) > 3):
        return factors
    return [None if size in (given, 2 * given) else factor
            for size, given, factor in zip(sizes, input.shape[2:], factors)]


def _scale_of(given, size, factor, align_corners):
    """How many elements neighbours in the result lie apart."""
    if align_corners:
        return (given - 1) / (size - 1) if size > 1 else 0.0
    return 1.0 / factor if factor is not None else given / size


def _between(input, dim, size, factor, align_corners):
    """Each place lies between two elements; `share` says how near to the second. In the same size both
    are the element itself, whatever the factor."""
    given = input.size(dim)
    if size == given:
        return input + input * 0
    places = torch.arange(size, device=input.device, dtype=torch.float32)
    scale = _scale_of(given, size, factor, align_corners)
    at = places * scale if align_corners else ((places + 0.5) * scale - 0.5).clamp(min=0.0)
    low = at.long().clamp(max=given - 1)
    high = (low + 1).clamp(max=given - 1)
    share = (at - low).to(input.dtype)
    return torch._resample(input, torch.stack([low, high], 1),
                           torch.stack([1 - share, share], 1), dim)


def _check_mode(input, mode):
    rank = input.dim()
    if rank == 4 and mode in _FILTERED:
        return
    if rank not in (3, 4, 5) or mode not in _MODES:
        raise NotImplementedError(
            f"Input Error: Only 3D, 4D and 5D input Tensors supported (got {rank}D) for the modes: "
            "nearest | linear | bilinear | bicubic | trilinear | lanczos | area | nearest-exact "
            f"(got {mode})")
    if _LINEAR.get(mode, rank) != rank:
        raise NotImplementedError(f"Got {rank}D input, but {mode} mode needs {_LINEAR[mode]}D "
                                  "input")


def _check_filter(input, mode, align_corners, antialias):
    if antialias and (mode not in ("bilinear", "bicubic", "lanczos") or input.dim() != 4):
        raise ValueError("Anti-alias option is restricted to bilinear, bicubic, and lanczos modes and "
                         "requires a 4-D tensor as input")
    if mode == "lanczos" and input.dim() == 4:
        if align_corners:
            raise ValueError("Lanczos mode does not support align_corners=True")
        if not antialias:
            raise ValueError("Lanczos mode requires antialias=True")


def _named_sizes(sizes):
    return "(" + ", ".join([f"{name}: {size}" for name, size in zip("DHW"[-len(sizes):], sizes)]) + ")"


def _check_sizes(input, sizes):
    given, rank = list(input.shape[2:]), input.dim()
    if any([isinstance(each, float) for each in sizes]):
        raise TypeError(f"interpolate(): sizes must be ints, but got {tuple(sizes)}")
    if any([each <= 0 for each in given + sizes]):
        raise RuntimeError("Input and output sizes should be greater than 0, but got input "
                           f"{_named_sizes(given)}{' and' if rank == 3 else ''} output "
                           f"{_named_sizes(sizes)}")
    if input.size(1) == 0:
        raise RuntimeError(f"Non-empty {rank}D data tensor expected but got a tensor with sizes "
                           f"{list(input.shape)}")


def _check_dtype(input, mode, antialias):
    nearest = mode in _MODES[:2]
    if input.is_floating_point() or nearest and input.dtype == torch.uint8:
        return
    if input.dtype == torch.uint8:
        raise NotImplementedError(f"interpolate() of bytes has no mode {mode} here: x.float() first")
    kind = "nearest" if nearest else "cubic" if mode == "bicubic" else "linear"
    name = f"compute_indices_weights_{kind}"
    if antialias:
        name = "compute_index_ranges_weights"
    elif input.dim() == 4 and mode != "bicubic":
        name = f"upsample_{'nearest' if nearest else 'bilinear'}2d_channels_last"
    raise NotImplementedError(f'"{name}" not implemented for \'{scalar_name(input)}\'')


def _along(input, dim, size, factor, mode, align_corners, antialias):
    """One dimension in another size."""
    if mode in _MODES[:2]:
        return _nearest_of(input, dim, size, factor, mode == "nearest-exact")
    if antialias and size == input.size(dim):
        return input
    if antialias or mode in _FILTERED:
        scale = _scale_of(input.size(dim), size, factor, align_corners)
        return filtered(input, dim, size, scale, mode, align_corners, antialias)
    return _between(input, dim, size, factor, align_corners)


def interpolate(input, size=None, scale_factor=None, mode="nearest", align_corners=None,
                recompute_scale_factor=None, antialias=False):
    """The input in another size, by its nearest elements or between them."""
    if mode in ("nearest", "area", "nearest-exact"):
        if align_corners is not None:
            raise ValueError("align_corners option can only be set with the interpolating modes: "
                             "linear | bilinear | bicubic | trilinear")
    elif align_corners is None:
        align_corners = False
    sizes, factors = _given_sizes(input, size, scale_factor, recompute_scale_factor)
    _check_filter(input, mode, align_corners, antialias)
    _check_mode(input, mode)
    if mode == "area":
        return _area(input, sizes)
    _check_sizes(input, sizes)
    _check_dtype(input, mode, antialias)
    if mode == "nearest":
        factors = _nearest_factors(input, sizes, factors)
    wide = torch.float64 if input.dtype == torch.float64 else torch.float32
    result = input if mode in _MODES[:2] else input.to(wide)
    for i, each in enumerate(sizes):
        factor = factors[i] if factors is not None else None
        result = _along(result, i + 2, each, factor, mode, align_corners, antialias)
    return input.clone() if result is input else result.to(input.dtype)


def _area(input, sizes):
    if input.dim() == 3:
        return torch.nn.functional.adaptive_avg_pool1d(input, sizes)
    if input.dim() == 4:
        return torch.nn.functional.adaptive_avg_pool2d(input, sizes)
    return torch.nn.functional.adaptive_avg_pool3d(input, sizes)


def upsample(input, size=None, scale_factor=None, mode="nearest", align_corners=None):
    """`interpolate`, by its old name."""
    warnings.warn("`nn.functional.upsample` is deprecated. Use `nn.functional.interpolate` "
                  "instead.", stacklevel=2)
    return interpolate(input, size, scale_factor, mode, align_corners)
