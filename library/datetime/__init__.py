"""Dates, times and the lengths between them: what scripts name their runs by and measure them with.

    started = datetime.datetime.now()
    print(datetime.datetime.now() - started)
    print(datetime.timedelta(seconds=3725))        1:02:05

Not there: the class `time`, `strptime`, and zones that change their clocks.
"""
from datetime._date import date
from datetime._datetime import datetime, timezone, tzinfo
from datetime._timedelta import timedelta

MINYEAR = 1
MAXYEAR = 9999
UTC = timezone.utc
