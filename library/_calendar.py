"""The parts of a time, which `time.localtime` and `time.gmtime` give.

    now = time.localtime()
    now.tm_year, now[0]                      2026, 2026
"""
_NAMES = ("tm_year", "tm_mon", "tm_mday", "tm_hour", "tm_min", "tm_sec", "tm_wday", "tm_yday",
          "tm_isdst")


class struct_time(tuple):
    __module__ = "time"

    def __repr__(self):
        shown = [f"{name}={value}" for name, value in zip(_NAMES, self)]
        return f"time.struct_time({', '.join(shown)})"


def _part(at):
    return property(lambda self: self[at])


for _at, _name in enumerate(_NAMES):
    setattr(struct_time, _name, _part(_at))


def made(parts, zone, seconds_east):
    time = struct_time(parts)
    time.tm_zone = zone
    time.tm_gmtoff = seconds_east
    return time
