"""Functions of `torch` that are made of operators: of statistics, of integers, of the bits of floats.

    torch.polygamma(1, x)      the derivative of digamma
    torch.igamma(a, x)         the share of the gamma function's integral that is below x
    torch.gcd(a, b)            Euclid's, for all elements at once
"""
import math

import torch
from torch._output import resized, scalar_name, write, wrong_type
from torch.autograd import Function
from torch.linalg._matrices import result_type


def polygamma(n, input, *, out=None):
    """The n-th derivative of digamma."""
    result = torch._polygamma(input, n)
    if out is None:
        return result
    return write(out, result, f"result type {scalar_name(result)} can't be cast to the desired output type "
                 f"{scalar_name(out)}")


def mvlgamma(input, p):
    """The logarithm of the gamma function of matrices of size `p`."""
    if not isinstance(p, int) or isinstance(p, bool):
        raise wrong_type("mvlgamma", 2, "p", "int", p)
    if p < 1:
        raise RuntimeError("p has to be greater than or equal to 1")
    x = input if input.is_floating_point() else input.to(torch.get_default_dtype())
    args = x.unsqueeze(-1) - torch.arange(p, dtype=x.dtype, device=x.device) / 2
    return torch.lgamma(args).sum(-1) + p * (p - 1) / 4 * math.log(math.pi)


# ---- incomplete gamma functions ----------------------------------------------------------------

_LIMIT = 2000
_PRECISE = 1e-17


def _below(a, x):
    """The share below x by its series, which is short where x < a + 1."""
    term = total = 1 / a
    for n in range(1, _LIMIT):
        term = term * x / (a + n)
        total = total + term
        if not (term > total * _PRECISE).any():
            break
    return total


def _above(a, x):
    """The share above x by Lentz's continued fraction, which is short where x > a + 1."""
    tiny = 1e-300
    b = x + 1 - a
    c = torch.full_like(x, 1 / tiny)
    d = 1 / b
    result = d
    for n in range(1, _LIMIT):
        factor = -n * (n - a)
        b = b + 2
        d = factor * d + b
        d = 1 / torch.where(d.abs() < tiny, tiny, d)
        c = b + factor / c
        c = torch.where(c.abs() < tiny, tiny, c)
        change = c * d
        result = result * change
        if not ((change - 1).abs() > 1e-16).any():
            break
    return result


def _shares(a, x):
    """What is below x, and what is above, of float64 tensors."""
    inside = (a > 0) & (x > 0) & a.isfinite() & x.isfinite()
    safe_a, safe_x = torch.where(inside, a, 1.0), torch.where(inside, x, 1.0)
    factor = (safe_a * safe_x.log() - safe_x - torch.lgamma(safe_a)).exp()
    is_small = safe_x < safe_a + 1
    below = factor * _below(safe_a, torch.where(is_small, safe_x, 0.5 * safe_a))
    above = factor * _above(safe_a, torch.where(is_small, safe_a + 2, safe_x))
    below = torch.where(is_small, below, 1 - above)
    above = torch.where(is_small, 1 - below, above)
    # At the ends: all is above 0, and all below infinity; of a = 0 all is below.
    outside = torch.where(x == 0, 0.0, 1.0)
    outside = torch.where((a == torch.inf) & (x < torch.inf), 0.0, outside)
    wrong = (a < 0) | (x < 0) | a.isnan() | x.isnan() | ((a == 0) & (x == 0)) | (a.isinf() & x.isinf())
    outside = torch.where(wrong, torch.nan, outside)
    return torch.where(inside, below, outside), torch.where(inside, above, 1 - outside)


class _IncompleteGamma(Function):
    _node_name = "IgammaBackward0"

    @staticmethod
    def forward(ctx, a, x, is_upper):
        ctx.save_for_backward(a, x)
        ctx.is_upper = is_upper
        shares = _shares(*torch.broadcast_tensors(a.double(), x.double()))
        return shares[1 if is_upper else 0].to(x.dtype)

    @staticmethod
    def backward(ctx, gradient):
        a, x = ctx.saved_tensors
        if ctx.needs_input_grad[0]:
            raise NotImplementedError("the derivative for 'igamma: input' is not implemented.")
        slope = ((a - 1) * x.log() - x - torch.lgamma(a)).exp()
        return None, gradient * (-slope if ctx.is_upper else slope), None


def igamma(input, other):
    """The share of the gamma function's integral below `other`."""
    return _IncompleteGamma.apply(input, other, False)


def igammac(input, other):
    """The share above it."""
    return _IncompleteGamma.apply(input, other, True)


# ---- integers ----------------------------------------------------------------------------------

def common_integer(name, input, other, out):
    """The dtype of both, of which the result is; it has to be one of integers, and to go into `out`."""
    for place, label, given in ((1, "input", input), (2, "other", other)):
        if not isinstance(given, torch.Tensor):
            raise wrong_type(name, place, label, "Tensor", given)
    dtype = torch.result_type(input, other)
    shown = scalar_name(torch.empty((), dtype=dtype))
    if out is not None and not torch.can_cast(dtype, out.dtype):
        raise RuntimeError(f"result type {shown} can't be cast to the desired output type {scalar_name(out)}")
    if dtype.is_floating_point or dtype == torch.bool:
        raise NotImplementedError(f'"{name}_cpu" not implemented for \'{shown}\'')
    return dtype


def _greatest_divisor(a, b):
    a, b = a.abs(), b.abs()
    a, b = a + 0 * b, b + 0 * a
    while (b != 0).any():
        a, b = torch.where(b == 0, a, b), torch.where(b == 0, 0, a % torch.where(b == 0, 1, b))
    return a


def gcd(input, other, *, out=None):
    """The greatest number that divides both."""
    dtype = common_integer("gcd", input, other, out)
    result = _greatest_divisor(input.to(dtype), other.to(dtype))
    return result if out is None else resized(out, result.shape).copy_(result)


def lcm(input, other, *, out=None):
    """The least number that both divide."""
    dtype = common_integer("lcm", input, other, out)
    a, b = input.to(dtype), other.to(dtype)
    divisor = _greatest_divisor(a, b)
    result = torch.where(divisor == 0, 0, (a // torch.where(divisor == 0, 1, divisor) * b).abs())
    return result if out is None else resized(out, result.shape).copy_(result)


# ---- the powers of 2 in floats -----------------------------------------------------------------

_Frexp = result_type("frexp", ["mantissa", "exponent"])


def _exponents(x):
    """The greatest e with 2^e <= |x|, of float64 numbers that are finite and not 0."""
    size = x.abs()
    is_tiny = size < 1e-300
    scaled = torch.where(is_tiny, size * 2.0**100, size)
    e = scaled.log2().floor()
    power = torch.exp2(e)
    e = e - (power > scaled).double() + (2 * power <= scaled).double()
    return torch.where(is_tiny, e - 100, e)


def _times_power(x, e):
    """x 2^e in two steps, of which neither is beyond what float64 has."""
    half = (e / 2).floor()
    return x * torch.exp2(half) * torch.exp2(e - half)


def frexp(input):
    """A number between 1/2 and 1, and the power of 2 that it is to be multiplied by."""
    if not input.is_floating_point():
        raise RuntimeError("torch.frexp() only supports floating-point dtypes")
    x = input.double()
    is_plain = (x != 0) & x.isfinite()
    safe = torch.where(is_plain, x, 1.0)
    exponent = _exponents(safe) + 1
    mantissa = torch.where(is_plain, _times_power(safe, -exponent), x)
    return _Frexp(mantissa.to(input.dtype), torch.where(is_plain, exponent, 0.0).int())
