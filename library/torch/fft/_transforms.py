"""The transforms, along one dimension and along several.

A name says from where to where: `r` is from real numbers to half a spectrum, `ir` back, `h` from half of a
signal (which is conjugate to the rest) to a real spectrum, `ih` back; the others are from complex to
complex. Along several dimensions it is the last that is real or half.
"""
import torch
from torch._complex._tensor import as_complex, is_complex, scalar_name, wrap, wrap_dim


def _scale(norm, size, inverse):
    """The factor of one step."""
    if norm not in (None, "backward", "ortho", "forward"):
        raise RuntimeError(f'Invalid normalization mode: "{norm}"')
    if norm == "ortho":
        return size ** -0.5
    return 1.0 / size if (norm == "forward") != inverse else 1.0


def _real(input, name):
    """A real tensor of floats."""
    if is_complex(input):
        raise TypeError(f"{name} expects a real input tensor, but got {scalar_name(input.dtype)}")
    return input if input.is_floating_point() else input.to(torch.get_default_dtype())


def _complex(input):
    return input if is_complex(input) else as_complex(_real(input, ""))


def _checked(size):
    if size < 1:
        raise RuntimeError(f"Invalid number of data points ({size}) specified")
    return size


def _resized(tensor, dim, size):
    """Cut, or with zeros behind, to a size along a dimension that is counted from the front."""
    old = tensor.shape[dim]
    if size < old:
        return tensor.narrow(dim, 0, size)
    if size == old:
        return tensor
    shape = list(tensor.shape)
    shape[dim] = size - old
    return torch.cat((tensor, tensor.new_zeros(shape)), dim)


# ---- One step ----

def _step(z, size, dim, norm, inverse):
    """From complex to complex."""
    dim = wrap_dim(dim, z.dim())
    size = _checked(z.shape[dim] if size is None else size)
    pairs = _resized(z._pairs, dim, size).movedim(dim, -2)
    return wrap(torch._fft_c2c(pairs, inverse, _scale(norm, size, inverse)).movedim(-2, dim))


def _step_from_real(x, size, dim, norm, inverse=False):
    dim = wrap_dim(dim, x.dim())
    size = _checked(x.shape[dim] if size is None else size)
    row = _resized(x, dim, size).movedim(dim, -1)
    return wrap(torch._fft_r2c(row, _scale(norm, size, inverse)).movedim(-2, dim))


def _step_to_real(z, size, dim, norm, inverse=True):
    dim = wrap_dim(dim, z.dim())
    size = _checked(2 * (z.shape[dim] - 1) if size is None else size)
    pairs = _resized(z._pairs, dim, size // 2 + 1).movedim(dim, -2)
    return torch._fft_c2r(pairs, size, _scale(norm, size, inverse)).movedim(-1, dim)


def _place(result, out):
    if out is None:
        return result
    if out.dtype != result.dtype:
        raise RuntimeError(f"Expected out tensor to have dtype {result.dtype}, but got {out.dtype} instead")
    return out.copy_(result)


# ---- Along one dimension ----

def fft(input, n=None, dim=-1, norm=None, *, out=None):
    """The transform along a dimension."""
    return _place(_step(_complex(input), n, dim, norm, False), out)


def ifft(input, n=None, dim=-1, norm=None, *, out=None):
    """The inverse of `fft`."""
    return _place(_step(_complex(input), n, dim, norm, True), out)


def rfft(input, n=None, dim=-1, norm=None, *, out=None):
    """The first half of the transform of real numbers."""
    return _place(_step_from_real(_real(input, "rfft"), n, dim, norm), out)


def irfft(input, n=None, dim=-1, norm=None, *, out=None):
    """The real numbers, n of them, that have this as the first half of their transform."""
    return _place(_step_to_real(_complex(input), n, dim, norm), out)


def hfft(input, n=None, dim=-1, norm=None, *, out=None):
    """The real transform of what is conjugate to its own mirror image, of which this is the first half."""
    return _place(_step_to_real(_complex(input).conj(), n, dim, norm, False), out)


def ihfft(input, n=None, dim=-1, norm=None, *, out=None):
    """The inverse of `hfft`."""
    return _place(_step_from_real(_real(input, "ihfft"), n, dim, norm, True).conj(), out)


# ---- Along several ----

def _plan(input, s, dim):
    """The dimensions and their sizes; None is the size that is there, or that follows from it."""
    rank = input.dim()
    if isinstance(dim, int):
        dim = (dim,)
    if isinstance(s, int):
        s = (s,)
    if dim is None:
        dims = list(range(rank)) if s is None else list(range(rank - len(s), rank))
        if s is not None and len(s) > rank:
            raise RuntimeError(f"Got shape with {len(s)} values but input tensor only has {rank} dimensions.")
    else:
        dims = [wrap_dim(each, rank) for each in dim]
        if len(set(dims)) != len(dims):
            raise RuntimeError("FFT dims must be unique")
    if s is None:
        return dims, [None] * len(dims)
    if len(s) != len(dims):
        raise RuntimeError("When given, dim and shape arguments must have the same length")
    return dims, [None if size == -1 else size for size in s]


def _steps(z, dims, sizes, norm, inverse):
    for dim, size in zip(dims, sizes):
        z = _step(z, size, dim, norm, inverse)
    return z


def _last_of(dims, name):
    if not dims:
        raise RuntimeError(f"{name} must transform at least one axis")


def fftn(input, s=None, dim=None, norm=None, *, out=None):
    """The transform along several dimensions."""
    dims, sizes = _plan(input, s, dim)
    return _place(_steps(_complex(input), dims, sizes, norm, False), out)


def ifftn(input, s=None, dim=None, norm=None, *, out=None):
    """The inverse of `fftn`."""
    dims, sizes = _plan(input, s, dim)
    return _place(_steps(_complex(input), dims, sizes, norm, True), out)


def rfftn(input, s=None, dim=None, norm=None, *, out=None):
    """The transform of real numbers; of the last dimension the first half."""
    dims, sizes = _plan(input, s, dim)
    _last_of(dims, "rfftn")
    half = _step_from_real(_real(input, "rfftn"), sizes[-1], dims[-1], norm)
    return _place(_steps(half, dims[:-1], sizes[:-1], norm, False), out)


def irfftn(input, s=None, dim=None, norm=None, *, out=None):
    """The inverse of `rfftn`."""
    dims, sizes = _plan(input, s, dim)
    _last_of(dims, "irfftn")
    z = _steps(_complex(input), dims[:-1], sizes[:-1], norm, True)
    return _place(_step_to_real(z, sizes[-1], dims[-1], norm), out)


def hfftn(input, s=None, dim=None, norm=None, *, out=None):
    """`hfft` along the last dimension, `fft` along the others."""
    dims, sizes = _plan(input, s, dim)
    _last_of(dims, "hfftn")
    z = _steps(_complex(input), dims[:-1], sizes[:-1], norm, False)
    return _place(_step_to_real(z.conj(), sizes[-1], dims[-1], norm, False), out)


def ihfftn(input, s=None, dim=None, norm=None, *, out=None):
    """The inverse of `hfftn`."""
    dims, sizes = _plan(input, s, dim)
    _last_of(dims, "ihfftn")
    half = _step_from_real(_real(input, "ihfftn"), sizes[-1], dims[-1], norm, True).conj()
    return _place(_steps(half, dims[:-1], sizes[:-1], norm, True), out)


def fft2(input, s=None, dim=(-2, -1), norm=None, *, out=None):
    """The transform along two dimensions."""
    return fftn(input, s, dim, norm, out=out)


def ifft2(input, s=None, dim=(-2, -1), norm=None, *, out=None):
    """The inverse of `fft2`."""
    return ifftn(input, s, dim, norm, out=out)


def rfft2(input, s=None, dim=(-2, -1), norm=None, *, out=None):
    """The transform of real numbers along two dimensions; of the last one the first half."""
    return rfftn(input, s, dim, norm, out=out)


def irfft2(input, s=None, dim=(-2, -1), norm=None, *, out=None):
    """The inverse of `rfft2`."""
    return irfftn(input, s, dim, norm, out=out)


def hfft2(input, s=None, dim=(-2, -1), norm=None, *, out=None):
    """`hfftn` along two dimensions."""
    return hfftn(input, s, dim, norm, out=out)


def ihfft2(input, s=None, dim=(-2, -1), norm=None, *, out=None):
    """The inverse of `hfft2`."""
    return ihfftn(input, s, dim, norm, out=out)
