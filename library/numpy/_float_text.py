"""Floats as texts: the fewest digits that tell a float from its neighbours, rounded where a precision
says so.

    Digits(0.1, "1e-01").positional(8)       ("0", "1"): 0.1
    Digits(12345.678, ...).scientific(2)     ("1", "23", "+04"): 1.23e+04
    text_of_scalar(0.1, torch.float32)       "0.1"
"""
import math

import torch
from numpy import _memory

import _numpy

# From here on scalars are written with an exponent.
_LARGE = {torch.float16: 1e3, torch.float32: 1e6, torch.float64: 1e16}


class Digits:
    """A finite float, by its number and the shortest text that it is read back from."""

    __slots__ = ("number", "sign", "digits", "exponent")

    def __init__(self, number, shortest):
        mantissa, _, exponent = shortest.partition("e")
        self.number = number
        self.sign = "-" if mantissa[0] == "-" else ""
        self.digits = mantissa.lstrip("-").replace(".", "")
        self.exponent = int(exponent)

    def positional(self, precision, unique=True):
        """What stands before the point, with the sign, and behind it, without zeros at the end. Where it is
        not `unique`, it is rounded to exactly so many places."""
        places = max(len(self.digits) - 1 - self.exponent, 0)
        if not unique or precision is not None and places > precision:
            whole, _, rest = f"{abs(self.number):.{precision}f}".partition(".")
        elif self.exponent < 0:
            whole, rest = "0", "0" * (-self.exponent - 1) + self.digits
        else:
            padded = self.digits + "0" * (self.exponent + 1 - len(self.digits))
            whole, rest = padded[:self.exponent + 1], padded[self.exponent + 1:]
        return self.sign + whole, rest.rstrip("0") if unique else rest

    def scientific(self, precision, unique=True):
        """The first digit with the sign, those behind the point, and the exponent with its sign."""
        digits, exponent = self.digits, self.exponent
        if not unique or precision is not None and len(digits) - 1 > precision:
            mantissa, _, power = f"{abs(self.number):.{precision}e}".partition("e")
            digits, exponent = mantissa.replace(".", ""), int(power)
        rest = digits[1:].rstrip("0") if unique else digits[1:]
        return self.sign + digits[0], rest, f"{exponent:+03d}"


def digits_of(tensor):
    """The digits of a flat tensor's elements; None for what is not finite."""
    numbers = tensor.tolist()
    texts = _numpy.shortest(tensor)
    return [Digits(number, text) if math.isfinite(number) else None for number, text in zip(numbers, texts)]


def _digits(x):
    from numpy._values import operand

    tensor = operand(x).reshape(-1)
    return digits_of(tensor if tensor.dtype.is_floating_point else tensor.to(torch.float64))[0]


def text_of_scalar(number, dtype):
    """`str` of a scalar."""
    if not math.isfinite(number):
        return str(number)
    digits, = digits_of(_memory.tensor([number], dtype=torch.float64).to(dtype))
    if number == 0 or 1e-4 <= abs(number) < _LARGE[dtype]:
        whole, rest = digits.positional(None)
        return f"{whole}.{rest or '0'}"
    first, rest, exponent = digits.scientific(None)
    return f"{first}.{rest}e{exponent}" if rest else f"{first}e{exponent}"


def _trimmed(rest, trim):
    """The digits behind a point, and the point, as the letter says."""
    if trim == "-":
        return "." + rest if rest else ""
    return "." + (rest or "0" if trim == "0" else rest)


def format_float_positional(x, precision=None, unique=True, fractional=True, trim="k", sign=False, pad_left=None,
                            pad_right=None, min_digits=None):
    """A float without an exponent: `format_float_positional(1e-5)` is '0.00001'."""
    if not fractional:
        raise NotImplementedError("fractional=False is not there")
    if not math.isfinite(x):
        return str(float(x))
    whole, rest = _digits(x).positional(precision, unique)
    rest = rest.ljust(min_digits or 0, "0")
    if sign and whole[0] != "-":
        whole = "+" + whole
    return whole.rjust(pad_left or 0) + _trimmed(rest, trim).ljust((pad_right or -1) + 1)


def format_float_scientific(x, precision=None, unique=True, trim="k", sign=False, pad_left=None, exp_digits=None,
                            min_digits=None):
    """A float with an exponent: `format_float_scientific(1234)` is '1.234e+03'."""
    if not math.isfinite(x):
        return str(float(x))
    first, rest, exponent = _digits(x).scientific(precision, unique)
    rest = rest.ljust(min_digits or 0, "0")
    if sign and first[0] != "-":
        first = "+" + first
    return first.rjust(pad_left or 0) + _trimmed(rest, trim) + "e" + exponent[0] + exponent[1:].rjust(
        exp_digits or 2, "0")
