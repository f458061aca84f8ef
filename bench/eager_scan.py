"""Some hundred calls of PyTorch's functions, one by one: eager, with the way back, compiled.

    build/release/glint bench/eager_scan.py [--small] [--columns eager,backward,compiled] [--only erfinv,fft]
    bench/compare_scan --glint build/release/glint --peer .venv-oracle/bin/python       with a table of ratios

`--only` takes what begins with one of the words. The calls are in scan_calls.py. Everything runs on one
thread; in the column `backward` a call is the function, a sum and `backward()`, where there is a gradient.
"""

import sys

import torch
from scan_calls import CALLS, SMALL
from timing import best, report

BUDGET_SECONDS = 0.0 if SMALL else 0.03


def option(name, otherwise):
    return sys.argv[sys.argv.index(name) + 1] if name in sys.argv else otherwise


COLUMNS = option("--columns", "eager,backward").split(",")
ONLY = tuple(option("--only", "").split(","))


def gradient_of(function, tensors):
    """A call of the function and of its way back, or None if it has none."""
    inputs = [x.detach().clone().requires_grad_() for x in tensors if x.is_floating_point()]
    if len(inputs) < max(len(tensors), 1):
        return None
    result = function(*inputs)
    if not isinstance(result, torch.Tensor) or not result.requires_grad:
        return None

    def call(inputs):
        function(*inputs).sum().backward()

    try:
        call(inputs)
    except RuntimeError as error:
        if "derivative" not in str(error):
            raise
        return None
    return call, inputs


def measure(name, function, tensors):
    def call(tensors):
        function(*tensors)

    with torch.no_grad():
        if "eager" in COLUMNS:
            report(name, "eager", best(call, tensors, BUDGET_SECONDS))
        if "compiled" in COLUMNS:
            compiled = torch.compile(function)
            report(name, "compiled", best(lambda tensors: compiled(*tensors), tensors, BUDGET_SECONDS))
    if "backward" in COLUMNS:
        found = gradient_of(function, tensors)
        if found:
            report(name, "backward", best(found[0], found[1], BUDGET_SECONDS))


torch.set_num_threads(1)
for name, function, tensors in CALLS:
    if name.startswith(ONLY):
        measure(name, function, tensors)
