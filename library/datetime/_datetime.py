"""Points in time: a date, a time of the day, and perhaps how far its clock is from Greenwich's.

    datetime.now().strftime("%Y%m%d-%H%M%S")
    datetime(2024, 1, 1, 12) - datetime(2024, 1, 1)        12:00:00

One without a `tzinfo` is the local clock's. Two with one compare and subtract by Greenwich's clock.
"""
import time as _time

from datetime._date import date, iso_date, parts_of, whole
from datetime._timedelta import timedelta


class tzinfo:
    __module__ = "datetime"


class timezone(tzinfo):
    """A clock that is always as far from Greenwich's."""

    __module__ = "datetime"

    def __init__(self, offset, name=None):
        if not isinstance(offset, timedelta):
            raise TypeError("timezone() argument 1 must be datetime.timedelta, not "
                            f"{type(offset).__name__}")
        if abs(offset) >= timedelta(hours=24):
            raise ValueError("offset must be a timedelta strictly between -timedelta(hours=24) and "
                             f"timedelta(hours=24), not {offset!r}.")
        self._offset = offset
        self._name = name

    def __reduce__(self):
        if self is timezone.utc:
            return getattr, (timezone, "utc")
        return timezone, (self._offset,) if self._name is None else (self._offset, self._name)

    def utcoffset(self, dt):
        return self._offset

    def tzname(self, dt):
        if self._name is not None:
            return self._name
        return f"UTC{offset_text(self._offset)}" if self._offset else "UTC"

    def __str__(self):
        return self.tzname(None)

    def __repr__(self):
        if self is timezone.utc:
            return "datetime.timezone.utc"
        named = "" if self._name is None else f", {self._name!r}"
        return f"datetime.timezone({self._offset!r}{named})"

    def __eq__(self, other):
        return self._offset == other._offset if isinstance(other, timezone) else NotImplemented

    def __hash__(self):
        return hash(self._offset)


timezone.utc = timezone(timedelta(0))


def offset_text(offset, colon=":"):
    """`+02:00`, as ISO 8601 writes it."""
    minutes, seconds = divmod(abs(offset).seconds, 60)
    text = f"{'-' if offset.days < 0 else '+'}{minutes // 60:02d}{colon}{minutes % 60:02d}"
    return f"{text}{colon}{seconds:02d}" if seconds else text


def _check_zone(zone):
    if zone is not None and not isinstance(zone, tzinfo):
        raise TypeError("tzinfo argument must be None or of a tzinfo subclass, not type "
                        f"'{type(zone).__name__}'")


def _iso_time(text, all_of_it):
    """Hour, minute, second, microsecond and zone of `12:30:05.25+02:00`."""
    zone = None
    if text.endswith("Z"):
        text, zone = text[:-1], timezone.utc
    for sign, factor in (("+", 1), ("-", -1)):
        if sign in text:
            text, mark, offset = text.partition(sign)
            hours, minutes, seconds, micros, none = _iso_time(offset, all_of_it)
            zone = timezone(factor * timedelta(hours=hours, minutes=minutes, seconds=seconds))
            zone = zone if zone._offset else timezone.utc
    clock, point, fraction = text.partition(".")
    parts = clock.split(":")
    right = len(parts) <= 3 and all([len(part) == 2 and part.isdecimal() for part in parts])
    if not right or point and not (fraction.isdecimal() and len(parts) == 3):
        raise ValueError(f"Invalid isoformat string: {all_of_it!r}")
    return [int(part) for part in parts + ["0"] * (3 - len(parts))] + \
        [int(fraction[:6].ljust(6, "0")), zone]


def _shown_at(seconds):
    """What a clock here shows so many seconds behind 1970, as the seconds of Greenwich's that would."""
    return (datetime._of_parts(_time.localtime, seconds)._micros_of_greenwich() - _EPOCH) // 1_000_000


def _seconds_of(shown):
    """When a clock here shows that: the first time where it does twice, and where it never does, as
    it went before it was changed."""
    apart = _shown_at(shown) - shown
    found = shown - apart
    if _shown_at(found) == shown:
        before = found - 86_400
        other = _shown_at(before) - before
        if other == apart:
            return found
    else:
        other = _shown_at(found) - found
    second = shown - other
    if _shown_at(second) == shown:
        return second
    return found if _shown_at(found) == shown else max(found, second)


class datetime(date):
    __module__ = "datetime"

    def __init__(self, year, month, day, hour=0, minute=0, second=0, microsecond=0, tzinfo=None):
        super().__init__(year, month, day)
        self._clock = whole(hour), whole(minute), whole(second), whole(microsecond)
        limits = (("hour", 23), ("minute", 59), ("second", 59), ("microsecond", 999999))
        for (name, most), value in zip(limits, self._clock):
            if not 0 <= value <= most:
                raise ValueError(f"{name} must be in 0..{most}")
        _check_zone(tzinfo)
        self._tzinfo = tzinfo

    hour = property(lambda self: self._clock[0])
    minute = property(lambda self: self._clock[1])
    second = property(lambda self: self._clock[2])
    microsecond = property(lambda self: self._clock[3])
    tzinfo = property(lambda self: self._tzinfo)

    # ---- From elsewhere ----

    @classmethod
    def now(cls, tz=None):
        return cls.fromtimestamp(_time.time(), tz)

    @classmethod
    def utcnow(cls):
        return cls.utcfromtimestamp(_time.time())

    @classmethod
    def fromtimestamp(cls, timestamp, tz=None):
        _check_zone(tz)
        if tz is not None:
            return cls.utcfromtimestamp(timestamp).replace(tzinfo=timezone.utc).astimezone(tz)
        return cls._of_parts(_time.localtime, timestamp)

    @classmethod
    def utcfromtimestamp(cls, t):
        return cls._of_parts(_time.gmtime, t)

    @classmethod
    def _of_parts(cls, parts, timestamp):
        seconds = int(timestamp // 1)
        micros = round((timestamp - seconds) * 1_000_000)
        if micros == 1_000_000:
            seconds, micros = seconds + 1, 0
        return cls(*parts(seconds)[:6], micros)

    @classmethod
    def fromisoformat(cls, date_string):
        if not isinstance(date_string, str):
            raise TypeError("fromisoformat: argument must be str")
        day = iso_date(date_string[:10], date_string)
        clock = _iso_time(date_string[11:], date_string) if len(date_string) > 10 else []
        return cls(*day, *clock)

    @classmethod
    def _at(cls, micros, zone):
        """So many microseconds behind the first day of the calendar."""
        days, rest = divmod(micros, 86_400_000_000)
        seconds, micros = divmod(rest, 1_000_000)
        return cls(*parts_of(days), seconds // 3600, seconds // 60 % 60, seconds % 60, micros, zone)

    # ---- As something else ----

    def date(self):
        return date(self._year, self._month, self._day)

    def utcoffset(self):
        return None if self._tzinfo is None else self._tzinfo.utcoffset(self)

    def tzname(self):
        return None if self._tzinfo is None else self._tzinfo.tzname(self)

    def _micros(self):
        hour, minute, second, micros = self._clock
        seconds = self.toordinal() * 86_400 + hour * 3600 + minute * 60 + second
        return seconds * 1_000_000 + micros

    def _micros_of_greenwich(self):
        offset = self.utcoffset()
        return self._micros() - (0 if offset is None else offset // timedelta.resolution)

    def timestamp(self):
        if self._tzinfo is not None:
            return (self._micros_of_greenwich() - _EPOCH) / 1_000_000
        shown = (self._micros_of_greenwich() - _EPOCH) // 1_000_000
        return _seconds_of(shown) + self.microsecond / 1_000_000

    def astimezone(self, tz=None):
        _check_zone(tz)
        moment = self.timestamp()
        if tz is None:
            here = _time.localtime(moment)
            tz = timezone(timedelta(seconds=here.tm_gmtoff), here.tm_zone)
        micros = self._micros_of_greenwich()
        if self._tzinfo is None:
            micros -= _time.localtime(moment).tm_gmtoff * 1_000_000
        return type(self)._at(micros + tz.utcoffset(self) // timedelta.resolution, tz)

    def timetuple(self):
        return self._parts(*self._clock[:3], -1)

    def replace(self, year=None, month=None, day=None, hour=None, minute=None, second=None,
                microsecond=None, tzinfo=True):
        given = (year, month, day, hour, minute, second, microsecond)
        own = (self._year, self._month, self._day, *self._clock)
        parts = [mine if new is None else new for mine, new in zip(own, given)]
        return type(self)(*parts, self._tzinfo if tzinfo is True else tzinfo)

    # ---- As text ----

    def isoformat(self, sep="T", timespec="auto"):
        hour, minute, second, micros = self._clock
        if timespec == "auto":
            timespec = "microseconds" if micros else "seconds"
        texts = {"hours": f"{hour:02d}", "minutes": f"{hour:02d}:{minute:02d}"}
        texts["seconds"] = f"{texts['minutes']}:{second:02d}"
        texts["milliseconds"] = f"{texts['seconds']}.{micros // 1000:03d}"
        texts["microseconds"] = f"{texts['seconds']}.{micros:06d}"
        if timespec not in texts:
            raise ValueError("Unknown timespec value")
        offset = self.utcoffset()
        zone = "" if offset is None else offset_text(offset)
        return f"{super().isoformat()}{sep}{texts[timespec]}{zone}"

    def strftime(self, format):
        offset = self.utcoffset()
        own = {"f": f"{self.microsecond:06d}", "Z": self.tzname() or "",
               "z": "" if offset is None else offset_text(offset, "")}
        parts = format.split("%%")  # a `%` that means itself begins nothing
        for letter, text in own.items():
            parts = [part.replace(f"%{letter}", text) for part in parts]
        return _time.strftime("%%".join(parts), self.timetuple())

    def __str__(self):
        return self.isoformat(" ")

    def __reduce__(self):
        return type(self), (self._year, self._month, self._day, *self._clock, self._tzinfo)

    def __repr__(self):
        parts = [self._year, self._month, self._day, *self._clock]
        while len(parts) > 5 and parts[-1] == 0:
            parts.pop()
        shown = [str(part) for part in parts]
        if self._tzinfo is not None:
            shown.append(f"tzinfo={self._tzinfo!r}")
        return f"{type(self).__module__}.{type(self).__qualname__}({', '.join(shown)})"

    # ---- Arithmetic ----

    def __hash__(self):
        return hash(self._micros_of_greenwich())

    def __add__(self, other):
        if not isinstance(other, timedelta):
            return NotImplemented
        return type(self)._at(self._micros() + other // timedelta.resolution, self._tzinfo)

    __radd__ = __add__

    def __sub__(self, other):
        if isinstance(other, timedelta):
            return self + -other
        if not isinstance(other, datetime):
            return NotImplemented
        if (self._tzinfo is None) != (other._tzinfo is None):
            raise TypeError("can't subtract offset-naive and offset-aware datetimes")
        return timedelta(microseconds=self._micros_of_greenwich() - other._micros_of_greenwich())

    def __eq__(self, other):
        if not isinstance(other, datetime):
            return False if isinstance(other, date) else NotImplemented
        alike = (self._tzinfo is None) == (other._tzinfo is None)
        return alike and self._micros_of_greenwich() == other._micros_of_greenwich()

    def _compare(self, other, test):
        if not isinstance(other, datetime):
            if not isinstance(other, date):
                return NotImplemented
            raise TypeError(f"can't compare datetime.datetime to {type(other).__module__}."
                            f"{type(other).__qualname__}")
        if (self._tzinfo is None) != (other._tzinfo is None):
            raise TypeError("can't compare offset-naive and offset-aware datetimes")
        return test(self._micros_of_greenwich(), other._micros_of_greenwich())


_EPOCH = datetime(1970, 1, 1)._micros()
datetime.min = datetime(1, 1, 1)
datetime.max = datetime(9999, 12, 31, 23, 59, 59, 999999)
datetime.resolution = timedelta.resolution
