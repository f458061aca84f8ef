"""Lengths of time, to the microsecond.

    timedelta(minutes=90) + timedelta(seconds=5)        1:30:05

Days, seconds of the day and microseconds of the second, of which only the days may be negative.
Arithmetic counts microseconds in an int, which holds 290,000 years.
"""
_DAY = 86_400_000_000
_UNITS = {"days": _DAY, "seconds": 1_000_000, "microseconds": 1, "milliseconds": 1000,
          "minutes": 60_000_000, "hours": 3_600_000_000, "weeks": 7 * _DAY}


def _nearest(whole, rest):
    """`whole + rest` as an int, the even one of two that are as near."""
    below = int(rest // 1)
    whole += below
    rest -= below
    return whole + 1 if rest > 0.5 or rest == 0.5 and whole % 2 else whole


def _divided(total, divisor):
    """To the nearest int, the even one of two."""
    quotient, rest = divmod(total, divisor)
    twice = 2 * rest
    past = twice > divisor if divisor > 0 else twice < divisor
    return quotient + 1 if past or twice == divisor and quotient % 2 else quotient


class timedelta:
    __module__ = "datetime"

    def __init__(self, days=0, seconds=0, microseconds=0, milliseconds=0, minutes=0, hours=0,
                 weeks=0):
        values = (days, seconds, microseconds, milliseconds, minutes, hours, weeks)
        total, rest = 0, 0.0
        for (name, unit), value in zip(_UNITS.items(), values):
            if not isinstance(value, (int, float)):
                raise TypeError(f"unsupported type for timedelta {name} component: "
                                f"{type(value).__name__}")
            whole = int(value)
            total += whole * unit
            part = (value - whole) * unit
            total += int(part)
            rest += part - int(part)
        self._set(_nearest(total, rest))

    def _set(self, total):
        self._total = total
        self._days, rest = divmod(total, _DAY)
        self._seconds, self._microseconds = divmod(rest, 1_000_000)
        if abs(self._days) > 999_999_999:
            raise OverflowError(f"days={self._days}; must have magnitude <= 999999999")
        return self

    days = property(lambda self: self._days)
    seconds = property(lambda self: self._seconds)
    microseconds = property(lambda self: self._microseconds)

    def total_seconds(self):
        return self._total / 1_000_000

    def __reduce__(self):
        return type(self), (self.days, self.seconds, self.microseconds)

    def __repr__(self):
        named = [f"{name}={getattr(self, name)}" for name in ("days", "seconds", "microseconds")
                 if getattr(self, name)]
        return f"{type(self).__module__}.{type(self).__qualname__}({', '.join(named) or '0'})"

    def __str__(self):
        minutes, seconds = divmod(self._seconds, 60)
        hours, minutes = divmod(minutes, 60)
        text = f"{hours}:{minutes:02d}:{seconds:02d}"
        if self._days:
            text = f"{self._days} day{'' if abs(self._days) == 1 else 's'}, {text}"
        return f"{text}.{self._microseconds:06d}" if self._microseconds else text

    def __hash__(self):
        return hash(self._total)

    def __bool__(self):
        return self._total != 0

    def __add__(self, other):
        return _of(self._total + other._total) if isinstance(other, timedelta) else NotImplemented

    def __sub__(self, other):
        return _of(self._total - other._total) if isinstance(other, timedelta) else NotImplemented

    def __neg__(self):
        return _of(-self._total)

    def __pos__(self):
        return self

    def __abs__(self):
        return _of(abs(self._total))

    def __mul__(self, other):
        if isinstance(other, int):
            return _of(self._total * other)
        return _of(round(self._total * other)) if isinstance(other, float) else NotImplemented

    __rmul__ = __mul__

    def __truediv__(self, other):
        if isinstance(other, timedelta):
            return self._total / other._total
        if isinstance(other, int):
            return _of(_divided(self._total, other))
        return _of(round(self._total / other)) if isinstance(other, float) else NotImplemented

    def __floordiv__(self, other):
        if isinstance(other, timedelta):
            return self._total // other._total
        return _of(self._total // other) if isinstance(other, int) else NotImplemented

    def __mod__(self, other):
        return _of(self._total % other._total) if isinstance(other, timedelta) else NotImplemented

    def __divmod__(self, other):
        return (self // other, self % other) if isinstance(other, timedelta) else NotImplemented

    def __eq__(self, other):
        return self._total == other._total if isinstance(other, timedelta) else NotImplemented

    def __lt__(self, other):
        return self._total < other._total if isinstance(other, timedelta) else NotImplemented

    def __le__(self, other):
        return self._total <= other._total if isinstance(other, timedelta) else NotImplemented

    def __gt__(self, other):
        return self._total > other._total if isinstance(other, timedelta) else NotImplemented

    def __ge__(self, other):
        return self._total >= other._total if isinstance(other, timedelta) else NotImplemented


def _of(total):
    return timedelta()._set(total)


timedelta.resolution = timedelta(microseconds=1)
