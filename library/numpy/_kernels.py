"""What ufuncs compute where it is not PyTorch's operator of the same name: ints that are divided by 0,
and functions under other names.

    floor_divide(tensor([7, 7]), tensor([2, 0]))     tensor([3, 0])
"""
import math

import torch


def _divided(a, b, divide):
    """Of ints: 0 where the divisor is 0."""
    if a.dtype.is_floating_point:
        return divide(a, b)
    a, b = torch.broadcast_tensors(a, b)
    zero = b == 0
    # The least int over -1 is no int: a negation wraps around instead.
    turned = b == -1
    result = divide(a, torch.where(zero | turned, 1, b))
    if divide is torch.floor_divide:
        result = torch.where(turned, -a, result)
    else:
        result = torch.where(turned, 0, result)
    return torch.where(zero, 0, result).to(a.dtype)


def floor_divide(a, b):
    if not a.dtype.is_floating_point:
        return _divided(a, b, torch.floor_divide)
    # By way of the remainder, as C's `fmod` gives it: the quotient of 1 and 0.1 is 9.
    rest = torch.fmod(a, b)
    quotient = (a - rest) / b
    quotient = torch.where((rest != 0) & ((b < 0) != (rest < 0)), quotient - 1, quotient)
    whole = torch.floor(quotient)
    whole = torch.where(quotient - whole > 0.5, whole + 1, whole)
    whole = torch.where(quotient == 0, torch.copysign(torch.zeros_like(quotient), a / b), whole)
    return torch.where(b == 0, a / b, whole)


def remainder(a, b):
    if not a.dtype.is_floating_point:
        return _divided(a, b, torch.remainder)
    rest = torch.fmod(a, b)
    turned = torch.where((rest != 0) & ((b < 0) != (rest < 0)), rest + b, rest)
    return torch.where(rest == 0, torch.copysign(torch.zeros_like(rest), b), turned)


def fmod(a, b):
    return _divided(a, b, torch.fmod)


def divmod(a, b):
    return floor_divide(a, b), remainder(a, b)


def power(a, b):
    if not a.dtype.is_floating_point and bool((b < 0).any()):
        raise ValueError("Integers to negative integer powers are not allowed.")
    if b.dim() == 0 and a.dtype.is_floating_point:
        # Powers that have an operator of their own.
        exponent = b.item()
        if exponent == 2:
            return a * a
        if exponent == 0.5:
            return torch.sqrt(a)
    return torch.pow(a, b)


def float_power(a, b):
    return power(a.to(torch.float64), b.to(torch.float64))


def gcd(a, b):
    a, b = torch.broadcast_tensors(torch.abs(a), torch.abs(b))
    while bool((b != 0).any()):
        a, b = torch.where(b == 0, a, b), torch.where(b == 0, 0, _divided(a, b, torch.remainder)).to(a.dtype)
    return a


def lcm(a, b):
    return torch.abs(floor_divide(a, gcd(a, b)) * b)


def absolute(a):
    return a if a.dtype in (torch.bool, torch.uint8) else torch.abs(a)


def _of_floats(operation):
    def kernel(a):
        return operation(a) if a.dtype.is_floating_point else a.clone()

    return kernel


floor, ceil, trunc = _of_floats(torch.floor), _of_floats(torch.ceil), _of_floats(torch.trunc)
rint, fabs, invert, divide = torch.round, torch.abs, torch.bitwise_not, torch.true_divide
equal, not_equal, less, less_equal = torch.eq, torch.ne, torch.lt, torch.le
greater, greater_equal = torch.gt, torch.ge
arcsin, arccos, arctan = torch.asin, torch.acos, torch.atan


def _by_way_of_float64(operation):
    """Of smaller floats the C library's functions, which NumPy calls, are nearly always rounded once."""
    def kernel(*operands):
        dtype = operands[0].dtype
        return operation(*[each.to(torch.float64) for each in operands]).to(dtype)

    return kernel


arctan2, hypot = _by_way_of_float64(torch.atan2), _by_way_of_float64(torch.hypot)
log1p, expm1 = _by_way_of_float64(torch.log1p), _by_way_of_float64(torch.expm1)


def _shift(shifted, far):
    """By more bits than there are nothing is left."""
    def kernel(a, b):
        bits = 8 * a.element_size()
        return torch.where((b < 0) | (b >= bits), far(a), shifted(a, torch.clamp(b, 0, bits - 1)))

    return kernel


left_shift = _shift(torch.bitwise_left_shift, torch.zeros_like)
right_shift = _shift(torch.bitwise_right_shift, lambda a: torch.where(a < 0, -1, 0).to(a.dtype))


def sign(a):
    return torch.where(torch.isnan(a), a, torch.sign(a)) if a.dtype.is_floating_point else torch.sign(a)


def positive(a):
    return a.clone()


conjugate = positive


def reciprocal(a):
    return torch.reciprocal(a) if a.dtype.is_floating_point else floor_divide(torch.ones_like(a), a)


def logaddexp2(a, b):
    return torch.logaddexp(a * math.log(2), b * math.log(2)) / math.log(2)


def ldexp(a, b):
    return a * torch.exp2(b)


@_by_way_of_float64
def cbrt(a):
    root = torch.sign(a) * torch.pow(torch.abs(a), 1 / 3)
    plain = (root == 0) | torch.isinf(root)
    return torch.where(plain, a, root - (root - a / (root * root)) / 3)


@_by_way_of_float64
def arcsinh(a):
    size = torch.abs(a)
    return torch.copysign(torch.log1p(size + size * size / (1 + torch.sqrt(size * size + 1))), a)


@_by_way_of_float64
def arccosh(a):
    return torch.log(a + torch.sqrt(a * a - 1))


@_by_way_of_float64
def arctanh(a):
    return (torch.log1p(a) - torch.log1p(-a)) / 2


def modf(a):
    whole = torch.trunc(a)
    return torch.copysign(torch.where(torch.isinf(a), 0, a - whole), a), whole
