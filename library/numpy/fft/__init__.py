"""`numpy.fft`: discrete Fourier transforms, by those of `torch.fft`.

    np.abs(np.fft.rfft(x)), np.fft.fftfreq(len(x), d=1 / rate)
"""
import torch
from numpy._array import wrap, wrap_result
from numpy._complex_arrays import ComplexArray, complex_tensor, holds_complex, is_complex, result
from numpy._values import asarray, operand


def _given(a):
    """A tensor of floats, or a complex one."""
    if is_complex(a) or isinstance(a, (list, tuple)) and holds_complex(a):
        return complex_tensor(a)
    tensor = operand(a)
    if tensor.dtype is torch.float16:
        return tensor.to(torch.float32)
    return tensor if tensor.dtype in (torch.float32, torch.float64) else tensor.to(torch.float64)


def _along_one(name):
    function = getattr(torch.fft, name)

    def transform(a, n=None, axis=-1, norm=None, out=None):
        if out is not None:
            raise NotImplementedError(f"fft.{name}() with out= is not there")
        given = _given(a)
        if name in ("rfft", "ihfft") and given.is_complex():
            raise TypeError(f"ufunc '{name}_n_even' did not contain a loop with signature matching types")
        return result(function(given, n, axis, norm))

    transform.__name__ = transform.__qualname__ = name
    return transform


def _along_several(name, axes_by_default):
    function = getattr(torch.fft, name)

    def transform(a, s=None, axes=axes_by_default, norm=None, out=None):
        if out is not None:
            raise NotImplementedError(f"fft.{name}() with out= is not there")
        return result(function(_given(a), s, axes, norm))

    transform.__name__ = transform.__qualname__ = name
    return transform


fft, ifft, rfft, irfft, hfft, ihfft = [_along_one(name) for name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")]
fft2, ifft2, rfft2, irfft2 = [_along_several(name, (-2, -1)) for name in ("fft2", "ifft2", "rfft2", "irfft2")]
fftn, ifftn, rfftn, irfftn = [_along_several(name, None) for name in ("fftn", "ifftn", "rfftn", "irfftn")]


def fftfreq(n, d=1.0, device=None):
    """The frequencies of `fft`, for samples at a distance of `d`."""
    half = (n - 1) // 2 + 1
    places = torch.cat([torch.arange(0, half), torch.arange(-(n // 2), 0)])
    return wrap(places.to(torch.float64) * (1.0 / (n * d)))


def rfftfreq(n, d=1.0, device=None):
    """The frequencies of `rfft`."""
    return wrap(torch.arange(0, n // 2 + 1).to(torch.float64) * (1.0 / (n * d)))


def _shifted(x, axes, amount):
    tensor = x._tensor if isinstance(x, ComplexArray) else asarray(x)._tensor
    axes = tuple(range(tensor.dim())) if axes is None else (axes,) if isinstance(axes, int) else tuple(axes)
    rolled = torch.roll(tensor, [amount(tensor.shape[axis]) for axis in axes], axes)
    return ComplexArray(rolled) if isinstance(x, ComplexArray) else wrap_result(rolled)


def fftshift(x, axes=None):
    """The frequency 0 in the middle."""
    return _shifted(x, axes, lambda size: size // 2)


def ifftshift(x, axes=None):
    return _shifted(x, axes, lambda size: -(size // 2))
