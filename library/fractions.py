"""Exact quotients of ints.

    Fraction(1, 3) + Fraction(1, 6)      Fraction(1, 2)
    Fraction("0.125"), Fraction(0.5)     Fraction(1, 8), Fraction(1, 2)
"""
import math as _math
import numbers as _numbers
import operator as _operator
import re as _re

__all__ = ["Fraction"]

_FORMAT = _re.compile(r"\s*(?P<sign>[-+]?)(?=\d|\.\d)(?P<num>\d*|\d+(_\d+)*)"
                      r"(?:/(?P<denom>\d+(_\d+)*)|(?:\.(?P<decimal>\d*|\d+(_\d+)*))?(?:E(?P<exp>[-+]?\d+(_\d+)*))?)\s*$",
                      _re.IGNORECASE)
_MODULUS = 2**61 - 1
_INFINITY_HASH = 314159


def _of_text(text):
    match = _FORMAT.match(text)
    if match is None:
        raise ValueError(f"Invalid literal for Fraction: {text!r}")
    numerator = int(match.group("num") or "0")
    denominator = 1
    if match.group("denom"):
        denominator = int(match.group("denom"))
    else:
        decimal = match.group("decimal")
        if decimal:
            decimal = decimal.replace("_", "")
            denominator = 10 ** len(decimal)
            numerator = numerator * denominator + int(decimal)
        exponent = int(match.group("exp") or "0")
        numerator *= 10 ** max(exponent, 0)
        denominator *= 10 ** max(-exponent, 0)
    return -numerator if match.group("sign") == "-" else numerator, denominator


def _is_rational(value):
    return isinstance(value, (int, Fraction))


def _made(numerator, denominator):
    """Of two ints that are in lowest terms."""
    made = object.__new__(Fraction)
    made._numerator, made._denominator = numerator, denominator
    return made


def _operators(exact, fallback):
    """An operator and its reflected form: exact among ints and fractions, else that of floats and complex numbers."""
    def forward(a, b):
        if isinstance(b, Fraction):
            return exact(a, b)
        if isinstance(b, int):
            return exact(a, Fraction(b))
        if isinstance(b, float):
            return fallback(float(a), b)
        return fallback(complex(a), b) if isinstance(b, complex) else NotImplemented

    def reverse(b, a):
        if isinstance(a, int):
            return exact(Fraction(a), b)
        if isinstance(a, float):
            return fallback(a, float(b))
        return fallback(a, complex(b)) if isinstance(a, complex) else NotImplemented
    return forward, reverse


def _add(a, b):
    return Fraction(a._numerator * b._denominator + b._numerator * a._denominator, a._denominator * b._denominator)


def _sub(a, b):
    return Fraction(a._numerator * b._denominator - b._numerator * a._denominator, a._denominator * b._denominator)


def _mul(a, b):
    return Fraction(a._numerator * b._numerator, a._denominator * b._denominator)


def _div(a, b):
    if b._numerator == 0:
        raise ZeroDivisionError(f"Fraction({a._numerator * b._denominator}, 0)")
    return Fraction(a._numerator * b._denominator, a._denominator * b._numerator)


def _floordiv(a, b):
    return (a._numerator * b._denominator) // (a._denominator * b._numerator)


def _divmod(a, b):
    quotient, rest = divmod(a._numerator * b._denominator, a._denominator * b._numerator)
    return quotient, Fraction(rest, a._denominator * b._denominator)


def _mod(a, b):
    return Fraction(a._numerator * b._denominator % (b._numerator * a._denominator), a._denominator * b._denominator)


class Fraction(_numbers.Rational):
    __slots__ = ("_numerator", "_denominator")
    _builtin = _numpy = ()  # nothing else is one

    def __new__(cls, numerator=0, denominator=None):
        if denominator is None:
            numerator, denominator = cls._parts_of(numerator)
        elif isinstance(numerator, int) and isinstance(denominator, int):
            numerator, denominator = int(numerator), int(denominator)
        elif _is_rational(numerator) and _is_rational(denominator):
            numerator, denominator = (numerator.numerator * denominator.denominator,
                                      denominator.numerator * numerator.denominator)
        else:
            raise TypeError("both arguments should be Rational instances")
        if denominator == 0:
            raise ZeroDivisionError(f"Fraction({numerator}, 0)")
        divisor = _math.gcd(numerator, denominator)
        if denominator < 0:
            divisor = -divisor
        made = super().__new__(cls)
        made._numerator, made._denominator = numerator // divisor, denominator // divisor
        return made

    @staticmethod
    def _parts_of(value):
        if _is_rational(value):
            return int(value.numerator), int(value.denominator)
        if isinstance(value, float):
            return value.as_integer_ratio()
        if isinstance(value, str):
            return _of_text(value)
        raise TypeError("argument should be a string or a Rational instance")

    @classmethod
    def from_float(cls, f):
        if not isinstance(f, (int, float)):
            raise TypeError(f"{cls.__name__}.from_float() only takes floats, not {f!r} ({type(f).__name__})")
        return cls(*f.as_integer_ratio())

    def as_integer_ratio(self):
        return self._numerator, self._denominator

    def limit_denominator(self, max_denominator=1000000):
        """The nearest fraction whose denominator is no larger."""
        if max_denominator < 1:
            raise ValueError("max_denominator should be at least 1")
        if self._denominator <= max_denominator:
            return Fraction(self)
        p0, q0, p1, q1 = 0, 1, 1, 0
        n, d = self._numerator, self._denominator
        while True:
            a = n // d
            q2 = q0 + a * q1
            if q2 > max_denominator:
                break
            p0, q0, p1, q1 = p1, q1, p0 + a * p1, q2
            n, d = d, n - a * d
        k = (max_denominator - q0) // q1
        bound1, bound2 = Fraction(p0 + k * p1, q0 + k * q1), Fraction(p1, q1)
        return bound2 if abs(bound2 - self) <= abs(bound1 - self) else bound1

    @property
    def numerator(self):
        return self._numerator

    @property
    def denominator(self):
        return self._denominator

    @property
    def real(self):
        return self

    @property
    def imag(self):
        return 0

    def conjugate(self):
        return self

    def __repr__(self):
        return f"{type(self).__name__}({self._numerator}, {self._denominator})"

    def __str__(self):
        if self._denominator == 1:
            return str(self._numerator)
        return f"{self._numerator}/{self._denominator}"

    __add__, __radd__ = _operators(_add, _operator.add)
    __sub__, __rsub__ = _operators(_sub, _operator.sub)
    __mul__, __rmul__ = _operators(_mul, _operator.mul)
    __truediv__, __rtruediv__ = _operators(_div, _operator.truediv)
    __floordiv__, __rfloordiv__ = _operators(_floordiv, _operator.floordiv)
    __divmod__, __rdivmod__ = _operators(_divmod, divmod)
    __mod__, __rmod__ = _operators(_mod, _operator.mod)

    def __pow__(a, b):
        if not _is_rational(b):
            return float(a) ** b
        if b.denominator != 1:
            return float(a) ** float(b)
        power = b.numerator
        if power >= 0:
            return _made(a._numerator**power, a._denominator**power)
        if a._numerator == 0:
            raise ZeroDivisionError(f"Fraction({a._denominator**-power}, 0)")
        sign = -1 if a._numerator < 0 and power % 2 else 1
        return _made(sign * a._denominator**-power, abs(a._numerator)**-power)

    def __rpow__(b, a):
        if b._denominator == 1 and b._numerator >= 0:
            return a**b._numerator
        if isinstance(a, int):
            return Fraction(a)**b
        return a**b._numerator if b._denominator == 1 else a**float(b)

    def __pos__(self):
        return _made(self._numerator, self._denominator)

    def __neg__(self):
        return _made(-self._numerator, self._denominator)

    def __abs__(self):
        return _made(abs(self._numerator), self._denominator)

    def __int__(self):
        return -(-self._numerator // self._denominator) if self._numerator < 0 else self._numerator // self._denominator

    __trunc__ = __int__

    def __float__(self):
        return self._numerator / self._denominator

    def __complex__(self):
        return complex(float(self))

    def __floor__(self):
        return self._numerator // self._denominator

    def __ceil__(self):
        return -(-self._numerator // self._denominator)

    def __round__(self, ndigits=None):
        if ndigits is None:
            floor, rest = divmod(self._numerator, self._denominator)
            if rest * 2 < self._denominator:
                return floor
            return floor + 1 if rest * 2 > self._denominator or floor % 2 else floor
        shift = 10**abs(ndigits)
        return Fraction(round(self * shift), shift) if ndigits > 0 else Fraction(round(self / shift) * shift)

    def __hash__(self):
        try:
            inverse = pow(self._denominator, -1, _MODULUS)
        except ValueError:
            number = _INFINITY_HASH
        else:
            number = hash(hash(abs(self._numerator)) * inverse)
        result = number if self._numerator >= 0 else -number
        return -2 if result == -1 else result

    def __eq__(a, b):
        if _is_rational(b):
            return a._numerator == b.numerator and a._denominator == b.denominator
        if isinstance(b, complex) and b.imag == 0:
            b = b.real
        if isinstance(b, float):
            return 0.0 == b if _math.isnan(b) or _math.isinf(b) else a == Fraction(b)
        return NotImplemented

    def _compared(self, other, operation):
        if _is_rational(other):
            return operation(self._numerator * other.denominator, self._denominator * other.numerator)
        if isinstance(other, float):
            return operation(0.0, other) if _math.isnan(other) or _math.isinf(other) else operation(self, Fraction(other))
        return NotImplemented

    def __lt__(a, b):
        return a._compared(b, _operator.lt)

    def __gt__(a, b):
        return a._compared(b, _operator.gt)

    def __le__(a, b):
        return a._compared(b, _operator.le)

    def __ge__(a, b):
        return a._compared(b, _operator.ge)

    def __bool__(self):
        return bool(self._numerator)

    def __reduce__(self):
        return type(self), (self._numerator, self._denominator)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self
