"""`torch.special`: functions of statistics and physics, and others by SciPy's names.

    torch.special.expit(x)       torch.sigmoid(x)
    torch.special.ndtr(x)        the probability that a normal number is below x
"""
import math

import torch
from torch import (digamma, erf, erfc, erfinv, exp2, expm1, igamma as gammainc, igammac as gammaincc,
                   lgamma as gammaln, log1p, logit, logsumexp, mvlgamma as multigammaln, polygamma, round,
                   sigmoid as expit, sinc, xlogy)
from torch._bessel import i0, i0e, i1, i1e
from torch.nn.functional import log_softmax as _log_softmax, softmax as _softmax

psi = digamma
_ROOT_OF_2 = math.sqrt(2)
_ROOT_OF_PI = math.sqrt(math.pi)


def softmax(input, dim, *, dtype=None):
    """Shares of e^x that add up to 1."""
    return _softmax(input, dim, dtype=dtype)


def log_softmax(input, dim, *, dtype=None):
    """The logarithms of those."""
    return _log_softmax(input, dim, dtype=dtype)


def _floating(input):
    return input if input.is_floating_point() else input.to(torch.get_default_dtype())


def entr(input):
    """-x log(x), 0 at 0 and -inf below."""
    x = _floating(input)
    inside = torch.where(x == 0, 0.0, -torch.xlogy(x, x.clamp(min=0)))
    return torch.where(x < 0, -torch.inf, inside)


def xlog1py(input, other):
    """x log(1 + y), and 0 where x is 0."""
    if not isinstance(input, torch.Tensor):
        input = torch.full_like(_floating(other), input)
    if not isinstance(other, torch.Tensor):
        other = torch.full_like(_floating(input), other)
    is_zero = (input == 0) & ~other.isnan()
    return torch.where(is_zero, 0.0, input * torch.where(is_zero, 0.0, other).log1p())


def erfcx(input):
    """e^(x^2) erfc(x): by its definition up to 25, by its series in 1 / x^2 beyond."""
    x = _floating(input)
    near = x.double().clamp(max=25.0)
    far = x.double().clamp(min=25.0)
    inverse = 0.5 / (far * far)
    series = (1 - inverse * (1 - 3 * inverse * (1 - 5 * inverse))) / (far * _ROOT_OF_PI)
    result = torch.where(x < 25, (near * near).exp() * torch.erfc(near), series)
    return result.to(x.dtype)


def ndtr(input):
    """The probability that a normal number is below x."""
    return 0.5 * torch.erfc(-_floating(input) / _ROOT_OF_2)


def log_ndtr(input):
    """Its logarithm, exact far below 0 too."""
    x = _floating(input) / _ROOT_OF_2
    below, above = x.clamp(max=-0.7), x.clamp(min=-0.7)
    low = torch.log(erfcx(-below) / 2) - below * below
    return torch.where(x < -0.7, low, torch.log1p(-torch.erfc(above) / 2))


def ndtri(input):
    """The inverse of `ndtr`."""
    return _ROOT_OF_2 * torch.erfinv(2 * _floating(input) - 1)
