"""`torch.special`: functions of statistics and physics, and others by SciPy's names.

    torch.special.expit(x)       torch.sigmoid(x)
    torch.special.ndtr(x)        the probability that a normal number is below x
"""
import math

import torch
from torch import (digamma, erf, erfc, erfinv, exp2, expm1, i0, igamma as gammainc, igammac as gammaincc,
                   lgamma as gammaln, log1p, logit, logsumexp, mvlgamma as multigammaln, polygamma, round,
                   sigmoid as expit, sinc, xlogy, _special_erfcx as erfcx, _special_i0e as i0e,
                   _special_i1 as i1, _special_i1e as i1e)
from torch.nn.functional import log_softmax as _log_softmax, softmax as _softmax

psi = digamma
_ROOT_OF_2 = math.sqrt(2)


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
    is_zero = (input == 0) & ((other <= -1) | (other == torch.inf))
    return torch.where(is_zero, 0.0, input * torch.where(is_zero, 0.0, other).log1p())


def ndtr(input):
    """The probability that a normal number is below x."""
    return (1 + torch.erf(_floating(input) / _ROOT_OF_2)) * 0.5


def log_ndtr(input):
    """Its logarithm, exact far below 0 too."""
    x = _floating(input) / _ROOT_OF_2
    below, above = x.clamp(max=-0.7), x.clamp(min=-0.7)
    low = torch.log(erfcx(-below) / 2) - below * below
    return torch.where(x < -0.7, low, torch.log1p(-torch.erfc(above) / 2))


def ndtri(input):
    """The inverse of `ndtr`."""
    return _ROOT_OF_2 * torch.erfinv(2 * _floating(input) - 1)
