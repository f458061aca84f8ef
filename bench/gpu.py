"""What a GPU does: chains, rows, sums, products, a training step, what calls and launches cost.

    build/release/glint bench/gpu.py                    Glint, on the GPU
    .venv/bin/python bench/gpu.py                       CPython with PyTorch, the same file
    GLINT_GPU=sim build/release/glint bench/gpu.py --sizes small --only chain,ladder
    python bench/gpu.py --device cpu --sizes small      to try the script itself

Each result is a line of JSON as it comes, and a table stands at the end; bench/compare_gpu runs both and
puts them side by side. Times are microseconds of a call: on a GPU by its events around a stretch of calls,
the best of several; of the ladder by the clock, for 1,000 calls and one synchronise. `share` is the part of
the device's copy bandwidth that the bytes which a call moves at least come to, of `elements` that it goes
over. The simulated GPU is no clock: there everything runs once, to see that it does.
"""

import json
import os
import sys
import time

import torch
import torch.nn.functional as F
from ladder_functions import ladder_1, ladder_5, ladder_10, ladder_15, ladder_20, ladder_25, ladder_30

LADDER = {
    1: ladder_1, 5: ladder_5, 10: ladder_10, 15: ladder_15, 20: ladder_20, 25: ladder_25, 30: ladder_30,
}
# A stretch of calls lasts about so long, and there are so many.
STRETCH_SECONDS = 0.02
STRETCHES = 10
LADDER_CALLS = 1000
FLOAT_BYTES = 4


def option(name, otherwise):
    return sys.argv[sys.argv.index(name) + 1] if name in sys.argv else otherwise


DEVICE = option("--device", "cuda")
SMALL = option("--sizes", "full") == "small"
ONLY = [name for name in option("--only", "").split(",") if name]
ON_GPU = DEVICE == "cuda"
NAME = torch.cuda.get_device_name() if ON_GPU else "cpu"
SIMULATED = ON_GPU and os.environ.get("GLINT_GPU") == "sim"
results = []


class Clock:
    """Seconds of what lies between two points: the GPU's, or the processor's."""

    def __init__(self):
        if ON_GPU:
            self.begin, self.end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            self.begin.record()
        else:
            self.start = time.perf_counter()

    def seconds(self):
        if not ON_GPU:
            return time.perf_counter() - self.start
        self.end.record()
        self.end.synchronize()
        return self.begin.elapsed_time(self.end) * 1e-3


def stretch(call, times):
    clock = Clock()
    for _ in range(times):
        call()
    return clock.seconds() / times


def best(call):
    """Microseconds of one call."""
    call()
    call()
    if SIMULATED:
        return stretch(call, 1) * 1e6
    once = max(stretch(call, 1), 1e-7)
    times = max(1, min(2000, int(STRETCH_SECONDS / once)))
    return min(stretch(call, times) for _ in range(2 if SMALL else STRETCHES)) * 1e6


def synchronise():
    if ON_GPU:
        torch.cuda.synchronize()


def report(case, column, microseconds, moved=0, elements=0):
    line = {"case": case, "column": column, "us": round(microseconds, 3)}
    if moved:
        line["elements"] = elements
        line["bytes"] = moved
        line["gb_s"] = round(moved / microseconds * 1e-3, 2)
        if copy_rate:
            line["share"] = round(moved / microseconds * 1e6 / copy_rate, 4)
    results.append(line)
    print(json.dumps(line), flush=True)


def fits(moved):
    """Whether there is memory for as much, and for what eager execution holds beside it."""
    return not ON_GPU or SIMULATED or 3 * moved < torch.cuda.mem_get_info()[0]


def compare(case, function, arguments, moved=0, mode=None):
    """Eager against compiled; the first argument has the most elements."""
    elements = arguments[0].numel()
    with torch.no_grad():
        report(case, "eager", best(lambda: function(*arguments)), moved, elements)
        torch._dynamo.reset()
        compiled = torch.compile(function, mode=mode, dynamic=False)
        report(case, "compiled", best(lambda: compiled(*arguments)), moved, elements)


def randn(*sizes, dtype=torch.float32):
    return torch.randn(*sizes, device=DEVICE, dtype=dtype)


# ---- what is measured --------------------------------------------------------------------------


def copies():
    """The copy bandwidth: bytes read and written in a second."""
    n = 1 << 14 if SMALL else 1 << 28
    source = torch.zeros(n, device=DEVICE)
    target = torch.empty_like(source)
    microseconds = best(lambda: target.copy_(source))
    return 2 * FLOAT_BYTES * n / microseconds * 1e6


def chain(x, y):
    return torch.relu(x * y + 1) * 0.5 - y


def chains():
    sizes = [1000, 10000] if SMALL else [1000, 10000, 100000, 10**6, 10**7, 10**8, 10**9]
    for n in sizes:
        moved = 3 * FLOAT_BYTES * n
        if fits(moved):
            compare(f"chain/{n:.0e}", chain, (randn(n), randn(n)), moved)


def rows():
    shapes = [(64, 256)] if SMALL else [(4096, 1024), (32768, 4096)]
    for shape in shapes:
        n = shape[0] * shape[1]
        x, weight, bias = randn(*shape), randn(shape[1]), randn(shape[1])
        name = f"{shape[0]}x{shape[1]}"
        both, one = 2 * FLOAT_BYTES * n, FLOAT_BYTES * n
        compare(f"softmax/{name}", lambda x: torch.softmax(x, dim=1), (x,), both)
        compare(
            f"layer_norm/{name}", lambda x, w, b: F.layer_norm(x, w.shape, w, b), (x, weight, bias), both
        )
        compare(f"row_sum/{name}", lambda x: x.sum(dim=1), (x,), one)
        compare(f"column_sum/{name}", lambda x: x.sum(dim=0), (x,), one)
        compare(f"sum/{name}", lambda x: x.sum(), (x,), one)


def products():
    for n in [64] if SMALL else [512, 1024, 4096]:
        for dtype, name in ((torch.float32, "f32"), (torch.bfloat16, "bf16")):
            x, w, b = (randn(*sizes, dtype=dtype) for sizes in ((n, n), (n, n), (n,)))
            compare(f"matmul_relu/{name}/{n}", lambda x, w, b: torch.relu(x @ w + b), (x, w, b))


def tuned():
    for n in [64] if SMALL else [512, 1024, 4096]:
        x, w, b = randn(n, n), randn(n, n), randn(n)
        compare(f"matmul_relu_tuned/f32/{n}", lambda x, w, b: torch.relu(x @ w + b), (x, w, b),
                mode="max-autotune-no-cudagraphs")


def mlp():
    batch, width, hidden = (8, 16, 32) if SMALL else (256, 1024, 4096)
    x, target = randn(batch, width), randn(batch, width)
    for column in ("eager", "compiled"):
        torch.manual_seed(0)
        model = torch.nn.Sequential(
            torch.nn.Linear(width, hidden), torch.nn.ReLU(), torch.nn.Linear(hidden, width)
        ).to(DEVICE)
        optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
        torch._dynamo.reset()
        run = torch.compile(model, dynamic=False) if column == "compiled" else model

        def step():
            optimizer.zero_grad()
            F.mse_loss(run(x), target).backward()
            optimizer.step()

        report(f"mlp_step/{batch}x{width}x{hidden}", column, best(step))


def ladder():
    """What a call costs the processor: so many in a row, and one synchronise. Of the tensor that ladder.py
    climbs with, and of one that keeps a multiprocessor busy."""
    calls = 10 if SIMULATED else LADDER_CALLS

    def of(function, x):
        function(x)
        function(x)
        fastest = 1e9
        for _ in range(1 if SIMULATED else 5):
            synchronise()
            start = time.perf_counter()
            for _ in range(calls):
                function(x)
            synchronise()
            fastest = min(fastest, time.perf_counter() - start)
        return fastest / calls * 1e6

    with torch.no_grad():
        for name, x in (("ladder", randn(8, 16)), ("ladder_1024", randn(1024))):
            for n, function in LADDER.items():
                report(f"{name}/{n}", "eager", of(function, x))
                torch._dynamo.reset()
                report(f"{name}/{n}", "compiled", of(torch.compile(function, dynamic=False), x))


def steps_of(count):
    """So many kernels at least: each needs a sum across what the one before it made."""

    def run(x):
        for step in range(count):
            x = x - x.sum(dim=step % 2, keepdim=True) * 0.001
        return x

    return run


def launches():
    x = randn(16, 16) if SMALL else randn(256, 256)
    for count in (1, 3) if SMALL else range(1, 11):
        with torch.no_grad():
            for mode in ("default", "reduce-overhead"):
                torch._dynamo.reset()
                run = torch.compile(steps_of(count), mode=mode, dynamic=False)
                report(f"launches/{count}", mode, best(lambda: run(x)))


PARTS = {
    "chain": chains, "rows": rows, "matmul": products, "tuned": tuned, "mlp": mlp, "ladder": ladder,
    "launches": launches,
}


def table():
    columns = []
    for line in results:
        if line["column"] not in columns:
            columns.append(line["column"])
    cases = {}
    for line in results:
        cases.setdefault(line["case"], {})[line["column"]] = line
    print(f"\n{'us of a call':<34}" + "".join(f"{column:>18}" for column in columns) + f"{'of copy':>10}")
    for case, found in cases.items():
        cells = [f"{found[column]['us']:.2f}" if column in found else "" for column in columns]
        share = found.get("compiled", {}).get("share")
        print(f"{case:<34}" + "".join(f"{cell:>18}" for cell in cells) + (f"{share:>10.1%}" if share else ""))


try:
    import glint

    ENGINE = "glint"
except ImportError:
    ENGINE = "torch"
torch.manual_seed(0)
copy_rate = None if SIMULATED else copies()
about = {"engine": ENGINE, "version": torch.__version__, "device": NAME, "is_clock": not SIMULATED}
if copy_rate:
    about["copy_gb_s"] = round(copy_rate * 1e-9, 1)
print(json.dumps(about), flush=True)
for part, run in PARTS.items():
    if not ONLY or part in ONLY:
        run()
table()
