"""A float that changes at each call, `x * rate`: eager, compiled, and compiled with a constant.

The compiled function takes the rate as an input: it compiles once, and its kernel loads one number
more. `constant` is the same function with the number in its code: what taking it costs.
"""

import torch
from timing import best, report

torch.set_num_threads(1)
torch.manual_seed(0)
RATES = [0.1 / (i + 1) for i in range(10)]


def scale(x, rate):
    return x * rate


def fixed(x, rate):
    return x * 0.1


def over_rates(f):
    def run(x):
        for rate in RATES:
            f(x, rate)

    return run


ENGINES = {"eager": scale, "compiled": torch.compile(scale), "constant": torch.compile(fixed)}
for n in (8, 128, 4096, 65536):
    x = torch.randn(n)
    fastest = dict.fromkeys(ENGINES, 1e9)
    # By turns: what else the machine does falls on all alike.
    for turn in range(8):
        for column, f in ENGINES.items():
            fastest[column] = min(fastest[column], best(over_rates(f), x, budget=0.02, calls=10))
    for column, value in fastest.items():
        report(f"rates/{n}", column, value)
