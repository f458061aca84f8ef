"""What a comparison of eager and compiled found, and how it is shown: `glint.bench`, `:bench`.

    found = glint.bench(f, x)
    found.eager.median         seconds of one call
    found.compiled.spread      between the first and the third quartile
    found.break_even           calls after which compiling has paid; None where it never does
    print(found)               the table and the roofline

The measuring is native, in `_glint_bench`, but for the loop around the calls; nothing else here computes
but quartiles and quotients.
"""
import math
from html import escape

import _glint_bench
from glint._chart import Chart, quantity

# What is too long for the page goes on below its figures; a notebook would wrap it in the middle of a word.
_LINE = '<div style="white-space: pre-wrap; overflow-wrap: normal; padding-left: 15ch; text-indent: -15ch">'


def loop_with(arguments, keywords):
    """What calls a function so often with these, in turns for the eager and the compiled one.

    A script's loop, as the user would write it: nothing is unpacked where the arguments are few.
    """

    def none(function, times):
        for _ in range(times):
            function()

    def one(function, times, a=arguments[0] if arguments else None):
        for _ in range(times):
            function(a)

    def two(function, times, a=arguments[0] if arguments else None, b=arguments[-1] if arguments else None):
        for _ in range(times):
            function(a, b)

    def many(function, times):
        for _ in range(times):
            function(*arguments, **keywords)

    return many if keywords or len(arguments) > 2 else (none, one, two)[len(arguments)]


class Spread:
    """Numbers, their median, and the quartiles beside it."""

    def __init__(self, samples):
        self.samples = samples
        ordered = sorted(samples)
        self.low = _quantile(ordered, 0.25)
        self.median = _quantile(ordered, 0.5)
        self.high = _quantile(ordered, 0.75)

    @property
    def spread(self):
        """The interquartile range."""
        return self.high - self.low


class Timing(Spread):
    """Seconds of one call, a number a round."""

    def __repr__(self):
        return f"{quantity(self.median, 's')} ({quantity(self.low, 's')} to {quantity(self.high, 's')})"


def _quantile(ordered, share):
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


class Machine:
    """What this machine was measured to do, in bytes and operations a second: see `machine()`.

    `bandwidths` are pairs: bytes that a loop goes over again and again, and how fast it moves them.
    """

    def __init__(self, rates):
        self.bandwidths = rates["bandwidths"]
        self.peak = rates["peak"]
        self.threads = rates["threads"]

    @property
    def memory(self):
        return self.bandwidths[-1][1]

    def bandwidth(self, moved):
        """What limits a call that moves so many bytes: no measured one that moves fewer was faster."""
        return [rate for size, rate in self.bandwidths if size <= moved or size == self.bandwidths[0][0]][-1]

    def bound(self, operations, moved):
        """Operations a second that a call can reach which computes and moves so much."""
        return min(self.peak, self.bandwidth(moved) * operations / moved)

    def __repr__(self):
        rates = ", ".join(f"{quantity(rate, 'B/s')} of {quantity(size, 'B')}" for size, rate in self.bandwidths)
        return f"{quantity(self.peak, 'op/s')}, {rates}, by {_count(self.threads, 'thread')}"


def _count(number, noun, plural="s"):
    return f"{number} {noun}{'' if number == 1 else plural}"


_copy_rate = None


def copy_rate():
    """Bytes a second that the GPU reads and writes in a copy of a large tensor; measured once."""
    global _copy_rate
    if _copy_rate is not None:
        return _copy_rate
    import torch

    elements, most = 1 << 18, 1 << 28
    while True:
        source = torch.zeros(elements, device="cuda")
        target = torch.empty_like(source)
        seconds = min(_copy_seconds(torch, source, target) for _ in range(6))
        if seconds > 1e-3 or elements >= most or elements * 32 > torch.cuda.mem_get_info()[0]:
            break
        elements *= 4
    _copy_rate = 8 * elements / seconds
    return _copy_rate


def _copy_seconds(torch, source, target):
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    begin.record()
    target.copy_(source)
    end.record()
    end.synchronize()
    return begin.elapsed_time(end) * 1e-3


class Comparison:
    """One call, eager against compiled. Times are in seconds."""

    def __init__(self, found):
        self.name = found["name"]
        self.eager = Timing(found["eager"])
        self.compiled = Timing(found["compiled"])
        self.ratio = Spread([eager / compiled for eager, compiled in zip(found["eager"], found["compiled"])])
        self.compile = found["compile"]
        self.compile_seconds = sum(self.compile.values())
        self.regions = found["regions"]
        self.launches = found["launches"]
        self.library_calls = found["library_calls"]
        self.workspace = found["workspace"]
        self.bytes = found["bytes"]
        self.operations = found["operations"]
        self.breaks = found["breaks"]
        self.has_effects = found["has_effects"]
        self.device = found["device"]
        self._uncounted = found["uncounted"]
        self.copy_bandwidth = copy_rate() if self.device == "cuda" and self.bytes > 0 else None
        counts = self.device == "cpu" and self.bytes > 0 and self.operations > 0
        self.machine = Machine(_glint_bench.machine(False)) if counts else None
        if self.machine and self._passes_bound():
            self.machine = Machine(_glint_bench.machine(True))

    def _passes_bound(self):
        """Whether it is faster than can be: then something else was at work while the machine was measured."""
        return self.operations / self.compiled.low > self.machine.bound(self.operations, self.bytes)

    @property
    def speedup(self):
        return self.eager.median / self.compiled.median

    @property
    def is_noise(self):
        """Whether the middle half of the rounds does not agree on which of the two is faster.

        A round times one right behind the other: what else the machine does falls on both.
        """
        return self.ratio.low <= 1.0 <= self.ratio.high

    @property
    def break_even(self):
        gain = self.eager.median - self.compiled.median
        return max(1, math.ceil(self.compile_seconds / gain)) if gain > 0 and not self.is_noise else None

    @property
    def bandwidth(self):
        """Bytes a second that a compiled call moves at least."""
        return self.bytes / self.compiled.median

    @property
    def intensity(self):
        """Operations for each byte that is moved."""
        return self.operations / self.bytes if self.bytes else 0.0

    def roofline(self):
        """The picture, with `text()` and `svg()`; None where nothing was counted, or on a GPU."""
        if not self.machine:
            return None
        machine, here = self.machine, self.intensity
        roofs = [("memory", ".", machine.memory)]
        if machine.bandwidth(self.bytes) > machine.memory:
            roofs.append(("caches", ":", machine.bandwidth(self.bytes)))
        ridges = [machine.peak / rate for _, _, rate in roofs]
        low, high = min(here, *ridges) / 4, max(here, *ridges) * 4
        chart = Chart("operations for each byte moved", "operations a second", "op/s", "log", "log")
        for (name, mark, rate), ridge in zip(roofs, ridges):
            chart.curve(name, mark, [(low, low * rate), (ridge, machine.peak), (high, machine.peak)])
        chart.point("eager", "e", here, self.operations / self.eager.median)
        chart.point("compiled", "C", here, self.operations / self.compiled.median)
        return chart

    def table(self):
        """The lines without the picture."""
        lines = [self.name] if self.name else []
        if self.regions == 0:
            why = "" if self.breaks else ": no operator in it has a result that anything needs"
            lines.append(f"  nothing was compiled, so there is nothing to compare{why}")
            return "\n".join(lines + self._break_lines())
        steps = ", ".join(f"{name} {seconds * 1e3:.2f}" for name, seconds in self.compile.items())
        ratio = f"{self.speedup:.2f} times as fast; {self._pays()}"
        lines.append(f"  first call {self.compile_seconds * 1e3:9.2f} ms   {steps}")
        lines.append(f"  eager      {_microseconds(self.eager)}")
        lines.append(f"  compiled   {_microseconds(self.compiled)}   {ratio}")
        if self.is_noise:
            lines.append("  the middle half of the rounds does not agree on which is faster: the difference is noise")
        if self.has_effects:
            lines.append(
                f"  a call prints or changes what lies outside: {len(self.eager.samples)} of each were timed, "
                "what they print is dropped"
            )
        calls = f", {_count(self.library_calls, 'library call')}" if self.library_calls else ""
        lines.append(
            f"  {_count(self.launches, 'launch', 'es')}{calls} and {self.workspace} bytes at most, "
            f"in {_count(self.regions, 'region')}"
        )
        return "\n".join(lines + self._rate_lines() + self._break_lines())

    def _pays(self):
        if self.is_noise:
            return "no sign that it pays off"
        return f"pays off after {_count(self.break_even, 'call')}" if self.break_even else "does not pay off"

    def _rate_lines(self):
        if self.device == "simulated":
            return [
                "  it ran on the simulated GPU, which is no clock: times are the processor's and say nothing of a GPU's",
                f"  a call moves {self.bytes} bytes at least",
            ]
        if self.device != "cpu":
            return self._gpu_lines()
        what = f"{self.operations} operations on {self.bytes} bytes"
        if self._uncounted:
            what += f", without those of {_count(self._uncounted, 'library call')}"
        if not self.machine:
            return ["  " + what]
        seconds, moved = self.compiled.median, self.bytes
        rate, bound = self.operations / seconds, self.machine.bound(self.operations, moved)
        near = "caches" if self.machine.bandwidth(moved) > self.machine.memory else "memory"
        limit = "its arithmetic" if bound == self.machine.peak else f"its {near}"
        return [
            f"  {what}: {quantity(rate, 'op/s')} and {quantity(moved / seconds, 'B/s')}",
            f"  this machine's limit, by {limit}: {quantity(bound, 'op/s')}, of which it reaches {rate / bound:.2%}",
        ]

    def _gpu_lines(self):
        if not self.copy_bandwidth:
            return []
        part = self.bandwidth / self.copy_bandwidth
        return [
            f"  {self.bytes} bytes at least: {quantity(self.bandwidth, 'B/s')}, {part:.1%} of what the GPU moves in a "
            f"copy, {quantity(self.copy_bandwidth, 'B/s')}"
        ]

    def _break_lines(self):
        return [f"  {code} {title}: {_count(number, 'break')}" for code, title, number in self.breaks]

    def __repr__(self):
        picture = self.roofline() if self.regions else None
        return self.table() + ("\n" + picture.text() if picture else "")

    def _repr_svg_(self):
        picture = self.roofline() if self.regions else None
        return picture.svg() if picture else None

    def _repr_html_(self):
        lines = "".join(f"{_LINE}{escape(line)}</div>" for line in self.table().split("\n"))
        return f'<div style="font-family: monospace">{lines}</div>{self._repr_svg_() or ""}'


def _microseconds(timing):
    def of(seconds):
        return f"{seconds * 1e6:.2f}"

    return f"{of(timing.median):>9} us   ({of(timing.low)} to {of(timing.high)})"


class Sweep:
    """Comparisons over sizes or numbers, as `glint.sweep` makes them."""

    def __init__(self, variable, sizes, comparisons):
        self.variable = variable
        self.sizes = sizes
        self.comparisons = comparisons

    @property
    def per_element(self):
        """Whether the curve shows the time divided by `n`: where that grows a hundredfold."""
        return max(self.sizes) >= 100 * min(self.sizes)

    def curve(self):
        share = (lambda n: n) if self.per_element else (lambda n: 1)
        label = f"time of a call, divided by {self.variable}" if self.per_element else "time of a call"
        chart = Chart(self.variable, label, "s", "log", "log")
        for name, mark in (("eager", "e"), ("compiled", "C")):
            points = []
            for n, found in zip(self.sizes, self.comparisons):
                if name == "eager" or found.regions > 0:
                    points.append((n, getattr(found, name).median / share(n)))
            if points:
                chart.curve(name, mark, points, dots=True)
        return chart

    def rows(self):
        """The table's cells as texts, the heading first."""
        rows = [[self.variable, "eager us", "compiled us", "times as fast", "first call ms", "pays off after"]]
        for n, found in zip(self.sizes, self.comparisons):
            row = [f"{n:g}", f"{found.eager.median * 1e6:.2f}"]
            if found.regions == 0:  # nothing was compiled
                rows.append(row + ["-"] * 4)
                continue
            times = f"{found.speedup:.2f}{' (noise)' if found.is_noise else ''}"
            pays = str(found.break_even) if found.break_even else "-"
            rows.append(
                row + [f"{found.compiled.median * 1e6:.2f}", times, f"{found.compile_seconds * 1e3:.2f}", pays]
            )
        return rows

    def table(self):
        rows = self.rows()
        widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
        return "\n".join("   ".join(f"{cell:>{width}}" for cell, width in zip(row, widths)) for row in rows)

    def __repr__(self):
        return f"{self.table()}\n{self.curve().text()}"

    def _repr_svg_(self):
        return self.curve().svg()

    def _repr_html_(self):
        rows = self.rows()
        cells = "".join(
            "<tr>" + "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in row) + "</tr>"
            for row, tag in zip(rows, ["th"] + ["td"] * (len(rows) - 1))
        )
        return f"<table>{cells}</table>{self._repr_svg_()}"


def compare(name, function, arguments, keywords, seconds):
    return Comparison(_glint_bench.measure(name, function, arguments, keywords, seconds))


def table_of(found):
    """The table alone, for a list of many."""
    return Comparison(found).table()


def checked(sizes):
    """The numbers of a sweep, whole ones as the ints that sizes are: `1e3` is 1000."""
    numbers = []
    for number in sizes:
        if not isinstance(number, (int, float)):
            raise TypeError(f"a sweep takes numbers, not {type(number).__name__}")
        if not 0 < number < float("inf"):
            raise ValueError(f"a sweep's numbers are positive, not {number}")
        numbers.append(int(number) if number == int(number) else number)
    if not numbers:
        raise ValueError("a sweep needs at least one number")
    return numbers
