"""Days of the calendar.

    date(2024, 2, 28) + timedelta(days=2)        2024-03-01

A date's ordinal counts days from the first of January of year 1; the calendar is the Gregorian one,
before it was made too.
"""
import time as _time

from datetime._timedelta import timedelta

_LAST = 3_652_059  # the ordinal of 9999-12-31


def is_leap(year):
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def _days_in(year, month):
    if month == 2:
        return 29 if is_leap(year) else 28
    return 30 if month in (4, 6, 9, 11) else 31


def _days_before(year, month=1):
    years = year - 1
    days = years * 365 + years // 4 - years // 100 + years // 400
    return days + sum([_days_in(year, earlier) for earlier in range(1, month)])


def whole(value):
    """What a part of a date must be."""
    if isinstance(value, int):
        return value
    if not hasattr(value, "__index__"):
        raise TypeError(f"'{type(value).__name__}' object cannot be interpreted as an integer")
    return value.__index__()


def parts_of(ordinal):
    if not 1 <= ordinal <= _LAST:
        raise OverflowError("date value out of range")
    year = min((ordinal - 1) // 365 + 1, 9999)
    while _days_before(year) >= ordinal:
        year -= 1
    month = 12
    while _days_before(year, month) >= ordinal:
        month -= 1
    return year, month, ordinal - _days_before(year, month)


class date:
    __module__ = "datetime"

    def __init__(self, year, month, day):
        self._year, self._month, self._day = whole(year), whole(month), whole(day)
        if not 1 <= self._year <= 9999:
            raise ValueError(f"year {year} is out of range")
        if not 1 <= self._month <= 12:
            raise ValueError("month must be in 1..12")
        if not 1 <= self._day <= _days_in(self._year, self._month):
            raise ValueError("day is out of range for month")

    year = property(lambda self: self._year)
    month = property(lambda self: self._month)
    day = property(lambda self: self._day)

    @classmethod
    def today(cls):
        return cls.fromtimestamp(_time.time())

    @classmethod
    def fromtimestamp(cls, timestamp):
        return cls(*_time.localtime(timestamp)[:3])

    @classmethod
    def fromordinal(cls, ordinal):
        if not 1 <= ordinal <= _LAST:
            raise ValueError("ordinal must be >= 1" if ordinal < 1 else "year is out of range")
        return cls(*parts_of(ordinal))

    @classmethod
    def fromisoformat(cls, date_string):
        if not isinstance(date_string, str):
            raise TypeError("fromisoformat: argument must be str")
        return cls(*iso_date(date_string, date_string))

    def toordinal(self):
        return _days_before(self._year, self._month) + self._day

    def weekday(self):
        return (self.toordinal() + 6) % 7

    def isoweekday(self):
        return self.weekday() + 1

    def timetuple(self):
        return self._parts(0, 0, 0, -1)

    def _parts(self, hour, minute, second, summer):
        from _calendar import struct_time
        return struct_time((self._year, self._month, self._day, hour, minute, second,
                            self.weekday(), self.toordinal() - _days_before(self._year), summer))

    def replace(self, year=None, month=None, day=None):
        return type(self)(self._year if year is None else year,
                          self._month if month is None else month,
                          self._day if day is None else day)

    def isoformat(self):
        return f"{self._year:04d}-{self._month:02d}-{self._day:02d}"

    def ctime(self):
        return _time.asctime(self.timetuple())

    def strftime(self, format):
        return _time.strftime(format, self.timetuple())

    def __format__(self, spec):
        return self.strftime(spec) if spec else str(self)

    def __str__(self):
        return self.isoformat()

    def __reduce__(self):
        return type(self), (self._year, self._month, self._day)

    def __repr__(self):
        kind = type(self)
        return f"{kind.__module__}.{kind.__qualname__}({self._year}, {self._month}, {self._day})"

    def __hash__(self):
        return hash(self.toordinal())

    def __add__(self, other):
        if not isinstance(other, timedelta):
            return NotImplemented
        return type(self)(*parts_of(self.toordinal() + other.days))

    __radd__ = __add__

    def __sub__(self, other):
        if isinstance(other, timedelta):
            return type(self)(*parts_of(self.toordinal() - other.days))
        if not isinstance(other, date) or hasattr(other, "hour"):
            return NotImplemented
        return timedelta(days=self.toordinal() - other.toordinal())

    def _compare(self, other, test):
        if not isinstance(other, date) or hasattr(other, "hour"):
            return NotImplemented
        return test(self.toordinal(), other.toordinal())

    def __eq__(self, other):
        return self._compare(other, lambda a, b: a == b)

    def __lt__(self, other):
        return self._compare(other, lambda a, b: a < b)

    def __le__(self, other):
        return self._compare(other, lambda a, b: a <= b)

    def __gt__(self, other):
        return self._compare(other, lambda a, b: a > b)

    def __ge__(self, other):
        return self._compare(other, lambda a, b: a >= b)


def iso_date(text, all_of_it):
    """Year, month and day of `2024-02-29`."""
    parts = text.split("-")
    if [len(part) for part in parts] != [4, 2, 2] or not "".join(parts).isdecimal():
        raise ValueError(f"Invalid isoformat string: {all_of_it!r}")
    return [int(part) for part in parts]


date.min = date(1, 1, 1)
date.max = date(9999, 12, 31)
date.resolution = timedelta(days=1)
