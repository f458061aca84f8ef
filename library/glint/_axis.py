"""Where a number stands between an axis's ends, from 0 to 1, and which numbers are written there.

    axis = Axis([3.0, 40.0], "log")
    axis.place(10.0)          0.5: a logarithmic axis goes from power of ten to power of ten
    axis.ticks()              [(1.0, 0.0), (10.0, 0.5), (100.0, 1.0)]
"""
import math


def _around(low, high, margin):
    """A range that is not empty, and a little wider than what is in it."""
    if low == high:
        room = abs(low) * 0.05 or 0.5
    else:
        room = (high - low) * margin
    return low - room, high + room


class Axis:
    """`values` are finite; `limits` are ends that were asked for, None where they were not. Where bars
    begin (`base`), there is no room below."""

    def __init__(self, values, scale="linear", limits=(None, None), margin=0.05, base=None):
        if scale not in ("linear", "log"):
            raise ValueError(f"'{scale}' is not a valid value for scale; supported values are 'linear', 'log'")
        self.is_log = scale == "log"
        ends = [number for number in limits if number is not None and self.has(number)]
        known = [value for value in values if self.has(value)] or ends or [0.1 if self.is_log else 0.0, 1.0]
        low, high = min(known), max(known)
        if self.is_log:
            self.low = math.floor(math.log10(low) + 1e-9)
            self.high = max(math.ceil(math.log10(high) - 1e-9), self.low + 1)
        else:
            self.low, self.high = _around(low, high, margin)
            self.low = low if low == base else self.low
            self.high = high if high == base else self.high
        given = [
            None if end is None or not self.has(end) else math.log10(end) if self.is_log else end for end in limits
        ]
        self.low = self.low if given[0] is None else given[0]
        self.high = self.high if given[1] is None else given[1]
        if self.low == self.high:
            self.low, self.high = _around(self.low, self.high, 0.05)

    def has(self, value):
        return math.isfinite(value) and (value > 0 or not self.is_log)

    def place(self, value):
        return ((math.log10(value) if self.is_log else value) - self.low) / (self.high - self.low)

    def value_at(self, place):
        at = self.low + place * (self.high - self.low)
        return 10.0**at if self.is_log else at

    def ticks(self, most=7):
        """Round numbers with their places."""
        low, high = min(self.low, self.high), max(self.low, self.high)
        if self.is_log:
            first, last = math.ceil(low - 1e-9), math.floor(high + 1e-9)
            step = max(1, (last - first + 6) // 7)
            numbers = [10.0**power for power in range(first, last + 1, step)]
            return [(number, self.place(number)) for number in numbers]
        step = _round_step((high - low) / most)
        first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
        return [(i * step, self.place(i * step)) for i in range(first, last + 1)]

    def told(self, value, ticks):
        """As short as tells it from its neighbours."""
        if self.is_log or len(ticks) < 2:
            return f"{value:g}"
        step = abs(ticks[1][0] - ticks[0][0])
        size = max(abs(tick[0]) for tick in ticks)
        if size < 1e-4 or size >= 1e6 and step >= 1000:
            return _with_exponent(value, max(0, math.ceil(math.log10(size / step) - 1e-9)))
        decimals = max(0, -math.floor(math.log10(step) + 1e-9))
        scaled = step * 10**decimals
        halves = abs(scaled - round(scaled)) > 1e-6  # steps of 2.5
        return f"{value + 0.0:.{decimals + halves}f}"


def _with_exponent(value, digits):
    """2.5e6, without zeros that say nothing."""
    if value == 0:
        return "0"
    number, exponent = f"{value:.{digits}e}".split("e")
    return f"{number.rstrip('0').rstrip('.') if '.' in number else number}e{int(exponent)}"


def _round_step(least):
    """1, 2, 2.5 or 5 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(least))
    return next(factor * power for factor in (1, 2, 2.5, 5, 10) if factor * power >= least * 0.999)
