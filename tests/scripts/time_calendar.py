import time

start = time.gmtime(0)
print(start, start.tm_year, start.tm_wday, start[7], start.tm_zone, start.tm_gmtoff, len(start))
later = time.gmtime(1700000000.75)
print(later, later == time.gmtime(1700000000), later > start, tuple(later)[:3])
print(time.gmtime(-1), time.gmtime(951782400).tm_yday)
year, month, day, *rest = later
print(year, month, day, rest)
print(time.strftime("%Y-%m-%d %H:%M:%S %a %b %j %p %y %% %e|", later))
print(repr(time.strftime("", later)), time.strftime("x" * 300, later) == "x" * 300, len(time.strftime("%A" * 200, later)))
print(time.asctime(later), time.asctime(start))
print(time.strftime("%d/%m/%Y", (2024, 2, 29, 1, 2, 3, 3, 60, 0)))
here = time.localtime(1700000000)
print(time.mktime(here), time.mktime(time.localtime(0)), time.ctime(5) == time.asctime(time.localtime(5)))
print(len(time.strftime("%Y%m%d-%H%M%S")), len(time.ctime()), isinstance(time.localtime(), tuple), type(here).__name__)
print(abs(time.mktime(time.localtime()) - time.time()) < 5)
for call in (lambda: time.strftime("%Y", 3), lambda: time.strftime("%Y", (1, 2)), lambda: time.strftime("%Y", (2024, 13, 1, 0, 0, 0, 0, 1, 0)),
             lambda: time.strftime("%Y", (2024, 1, 32, 0, 0, 0, 0, 1, 0)), lambda: time.strftime("%Y", (2024, 1, 1, 24, 0, 0, 0, 1, 0)),
             lambda: time.asctime((2024, 1, 1, 0, 60, 0, 0, 1, 0)), lambda: time.strftime("%Y", (2024, 1, 1, 0, 0, 62, 0, 1, 0)),
             lambda: time.strftime("%Y", (2024, 1, 1, 0, 0, 0, 0, 367, 0)), lambda: time.mktime("x"), lambda: time.mktime((1,)),
             lambda: time.gmtime(float("nan")), lambda: time.gmtime(1e30), lambda: time.localtime("x")):
    try:
        print(call())
    except Exception as error:
        print(type(error).__name__, error)
