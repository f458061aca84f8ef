"""How the benchmarks measure: the best of many samples of about a millisecond each.

    from timing import best, report
    report("static/10", "eager", best(f, x))     ->  result static/10 eager 12.345 us

Machines are shared and noise only ever adds, so the minimum is the figure to compare.
"""

import time


def best(f, x, budget=0.4, calls=1):
    """Microseconds for one call of f(x), where a call counts as `calls` of them."""
    f(x)
    start = time.perf_counter()
    f(x)
    once = time.perf_counter() - start
    repeats = range(max(1, min(20000, int(1e-3 / max(once, 1e-8)))))
    fastest = 1e9
    samples = 0
    end = time.perf_counter() + budget
    while samples < 5 or time.perf_counter() < end:
        start = time.perf_counter()
        for _ in repeats:
            f(x)
        seconds = (time.perf_counter() - start) / len(repeats)
        fastest = min(fastest, seconds)
        samples += 1
    return fastest * 1e6 / calls


def first(f, x):
    """Milliseconds of one call, the first."""
    start = time.perf_counter()
    f(x)
    return (time.perf_counter() - start) * 1e3


def report(case, column, value, unit="us"):
    print(f"result {case} {column} {value:.4f} {unit}", flush=True)
