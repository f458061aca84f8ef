import datetime as module
import time
from datetime import date, datetime, timedelta, timezone

print("--- lengths")
print(timedelta(seconds=3725.5), repr(timedelta(days=-1, seconds=5)), timedelta(days=400, hours=5), timedelta(milliseconds=1.5), repr(timedelta(0)))
print(timedelta(1) / 2, timedelta(1) / timedelta(hours=1), timedelta(1) // timedelta(hours=7), timedelta(1) % timedelta(hours=7), 2 * timedelta(1), timedelta(1) * .3)
print(divmod(timedelta(1), timedelta(hours=7)), -timedelta(1, 5), abs(-timedelta(1)), +timedelta(2), bool(timedelta(0)), timedelta(1) - timedelta(hours=30))
print(timedelta(weeks=1.5, days=-.25, microseconds=.5), timedelta(microseconds=1.5), timedelta(microseconds=2.5), timedelta(microseconds=-1.5), timedelta(microseconds=7) / 2, timedelta(microseconds=5) // 2)
print(timedelta(hours=25).total_seconds(), timedelta(1, 2, 3).days, timedelta(1, 2, 3).seconds, timedelta(1, 2, 3).microseconds)
print(timedelta(1) < timedelta(2), timedelta(1) == timedelta(hours=24), timedelta(1) == 1, timedelta(1) >= timedelta(2), len({timedelta(1), timedelta(hours=24)}))
print(str(timedelta(seconds=int(12345.678))), f"{timedelta(minutes=3)}", sum([timedelta(1), timedelta(2)], timedelta(0)))
print("--- dates")
day = date(2024, 2, 28)
print(day, repr(day), day + timedelta(days=2), day - timedelta(days=59), day - date(2023, 2, 28), day.weekday(), day.isoweekday(), day.toordinal())
print(date.fromordinal(738944), date.fromisoformat("1999-12-31"), day.replace(month=3), f"{day:%d.%m.%y}", f"{day}", day.ctime(), day.strftime("%j %A"))
print(day.timetuple(), date.min, date.max, day == date(2024, 2, 28), day < date(2024, 3, 1), hash(day) == hash(date(2024, 2, 28)), day == 3)
print([str(date.fromordinal(ordinal)) for ordinal in (1, 31, 32, 365, 366, 1461, 1462, 36524, 36525, 146097, 146098, 730179, 3652059)])
print(all(date.fromordinal(ordinal).toordinal() == ordinal for ordinal in range(1, 3652060, 997)))
print("--- points in time")
point = datetime(2024, 1, 31, 23, 59, 58, 250000)
print(point, repr(point), point + timedelta(seconds=1.75), point - timedelta(days=31), point - datetime(2024, 1, 1), point.date(), point.microsecond)
print(repr(datetime(2020, 1, 2)), repr(datetime(2020, 1, 2, 3, 4, 5)), repr(datetime(2020, 1, 2, tzinfo=timezone.utc)), datetime(2020, 1, 2))
print(point.isoformat(), point.isoformat(" ", "minutes"), point.isoformat(timespec="milliseconds"), point.isoformat(timespec="hours"), point.replace(microsecond=0, hour=1))
print(point.strftime("%Y%m%d-%H%M%S.%f %% %%f [%z%Z]"), f"{point:%H:%M}", f"{point}", point.timetuple(), point.ctime())
zone = timezone(timedelta(hours=2))
print(repr(timezone.utc), timezone.utc, repr(zone), timezone(timedelta(hours=-2, minutes=-30)), timezone(timedelta(hours=1), "CET"), repr(timezone(timedelta(0), "here")))
aware = datetime(2024, 1, 1, 12, tzinfo=zone)
print(aware, aware.utcoffset(), aware.tzname(), aware.astimezone(timezone.utc), aware.timestamp(), aware == datetime(2024, 1, 1, 10, tzinfo=timezone.utc), aware.strftime("%z %Z"))
print(datetime.fromtimestamp(1700000000.25, timezone.utc), datetime.utcfromtimestamp(0), datetime.fromtimestamp(-1.5, timezone.utc), aware - datetime(2024, 1, 1, tzinfo=timezone.utc))
print([str(datetime.fromisoformat(text)) for text in ("2024-01-02", "2024-01-02T03:04", "2024-01-02 03:04:05", "2024-01-02T03:04:05.678", "2024-01-02T03:04:05.678901+02:00", "2024-01-02T03:04:05Z", "2024-01-02T03-01:30")])
print(point == point.replace(), point == day, point != day, point < datetime.max, aware == point, datetime.min, sorted([point, datetime(2023, 1, 1)])[0])
print(abs(datetime.now().timestamp() - time.time()) < 5, abs(datetime.now() - datetime.today()) < timedelta(seconds=5), date.today() - datetime.now().date() <= timedelta(days=1))
print(datetime.fromtimestamp(1700000000).timestamp(), datetime.now(timezone.utc).tzinfo, isinstance(point, date), datetime, date, timedelta, module.UTC is timezone.utc, module.MINYEAR)
print(abs(datetime.now(timezone.utc) - datetime.now().astimezone()) < timedelta(seconds=5), len(datetime.now().strftime("%b%d_%H-%M-%S")))
print("--- errors")
for call in (lambda: date(2023, 2, 29), lambda: datetime(2023, 13, 1), lambda: datetime(2023, 1, 1, 25),
             lambda: datetime.now() - datetime.now(timezone.utc), lambda: datetime.fromisoformat("x"), lambda: datetime(2020, 1, 1) < date(2020, 1, 1), lambda: timedelta("x"),
             lambda: timedelta(1) // 0, lambda: timezone(timedelta(days=1)), lambda: date(0, 1, 1), lambda: datetime("2020", 1, 1),
             lambda: date(9999, 12, 31) + timedelta(1), lambda: date.fromisoformat("2020-1-1"), lambda: datetime(2020, 1, 1, 0, 60), lambda: datetime(2020, 1, 1, 0, 0, 61),
             lambda: datetime(2020, 1, 1, 0, 0, 0, 10**6), lambda: date(2020, 0, 1), lambda: datetime(2020, 1, 1, tzinfo=3), lambda: timezone(3),
             lambda: datetime.now(3), lambda: aware < point, lambda: date.fromordinal(0), lambda: point.isoformat(timespec="days"),
             lambda: datetime.fromisoformat("2024-01-02T3:04"), lambda: datetime.fromisoformat("2024-01-02T25:04"), lambda: datetime.max + timedelta(1)):
    try:
        print(call())
    except Exception as error:
        print(type(error).__name__, error)
for moment in (datetime(2024, 1, 1), datetime(2024, 7, 1, 1, 30), datetime(1960, 1, 1)):
    print(moment.timestamp() == moment.astimezone(timezone.utc).timestamp(), datetime.fromtimestamp(moment.timestamp()) == moment)
