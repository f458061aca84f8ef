"""`torch.fft`: discrete Fourier transforms.

    torch.fft.rfft(x).abs()                        the spectrum of a signal
    torch.fft.irfft(torch.fft.rfft(x) * w, n)      a convolution

Each dimension is one step of the platform's transform (`torch._fft_c2c` and its like, which are
operators of real tensors of pairs: docs/operators.md), the others are moved out of its way. Steps of the
forward transform and the inverse one differ in a sign and in a factor, which `norm` says.
"""
from torch.fft._frequencies import fftfreq, fftshift, ifftshift, rfftfreq
from torch.fft._transforms import (fft, fft2, fftn, hfft, hfft2, hfftn, ifft, ifft2, ifftn, ihfft, ihfft2, ihfftn,
                                   irfft, irfft2, irfftn, rfft, rfft2, rfftn)

__all__ = [
    "fft", "fft2", "fftfreq", "fftn", "fftshift", "hfft", "hfft2", "hfftn", "ifft", "ifft2", "ifftn", "ifftshift",
    "ihfft", "ihfft2", "ihfftn", "irfft", "irfft2", "irfftn", "rfft", "rfft2", "rfftfreq", "rfftn",
]
