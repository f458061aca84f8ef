# What a progress bar says, for many counts, times, widths and formats.
from tqdm import tqdm

meter = tqdm.format_meter
for n, total, elapsed in [(0, 10, 0), (5, 10, 2.0), (10, 10, 3.7), (7, None, 2.5), (0, None, 0), (11, 10, 1.0)]:
    print(meter(n, total, elapsed))
    print(meter(n, total, elapsed, ascii=True, prefix="epoch"))
    print(meter(n, total, elapsed, ncols=60, prefix="epoch: ", postfix="loss=0.3"))
    print(meter(n, total, elapsed, ncols=20, ascii=" .oO0"))
    print(meter(n, total, elapsed, ncols=0))
for n in [1, 999, 1000, 9995, 99_949, 123_456_789, 999_500, 1e15, 1e25]:
    print(meter(n, 10**9, 100.0, unit="B", unit_scale=True))
    print(meter(n, None, 7200.5, unit="B", unit_scale=True, unit_divisor=1024))
    print(meter(n, 10**9, 100.0, unit="kB", unit_scale=0.001))
for rate in [0.001, 0.5, 1, 1.5, 99.999, 1e6, None]:
    print(meter(3, 8, 4.5, rate=rate), meter(3, 8, 4.5, rate=rate, unit_scale=True))
print(meter(3, 8, 4.5, initial=2), meter(3.5, 8.25, 4.5), meter(5, float("inf"), 2.0), meter(0, 0, 1.0))
for columns in range(1, 90, 7):
    for share in (0.0, 0.013, 0.5, 0.77, 0.999, 1.0):
        print(meter(share * 1000, 1000, 12.0, ncols=columns))
FORMATS = [
    "{l_bar}{bar}{r_bar}",
    "{desc}: {percentage:3.0f}%|{bar:20}| {n_fmt}/{total_fmt}",
    "{bar:-10b}|{elapsed}|{remaining}|{rate_fmt}|{rate_noinv_fmt}|{rate_inv_fmt}",
    "{n}/{total} {elapsed_s:.1f} {unit}{postfix}",
    "{bar:12a}{bar:3u}",
]
for form in FORMATS:
    for prefix in ("", "train"):
        print(meter(3, 8, 4.5, bar_format=form, prefix=prefix, postfix="a=1", ncols=70))
        print(meter(3, None, 4.5, bar_format=form, prefix=prefix))
print(meter(3, 8, 4.5, colour="green"), meter(3, 8, 4.5, colour="#00ff7f", ncols=50))
print(meter(3, 8, 4.5, prefix="日本語", ncols=40), meter(3, 8, 4.5, prefix="日本語", ncols=15))
for seconds in (0, 59.9, 60, 3599, 3600, 86400, 360000, -5):
    print(tqdm.format_interval(seconds), tqdm.format_sizeof(seconds), tqdm.format_num(seconds))
for number in (0.1, 1 / 3, 1e-7, 123456, 1234567, 1e100, 12, 0.00001234, True):
    print(tqdm.format_num(number), tqdm.format_sizeof(number, "B", 1024))
