"""What was measured: the times of one statement, and their text.

    f(x)
      Median: 10.25 us
      IQR:    0.88 us (9.75 to 10.63)
      4 measurements, 10 runs per measurement, 1 thread
"""
import math
from textwrap import indent

# Shorter differences than this are those of the clock.
_LEAST_CONFIDENCE = 25e-9
_MOST_FIGURES = 4
_MARGIN = "  "
_FEWEST_FOR_QUARTILES = 4
_NOTED_SPREAD, _GREAT_SPREAD = 0.1, 0.25
_UNITS = [("ns", 1e-9, "nanosecond"), ("us", 1e-6, "microsecond"), ("ms", 1e-3, "millisecond"),
          ("s", 1.0, "second")]


def unit_of(seconds):
    """The greatest unit that is no longer than a time: its sign, its seconds and its name."""
    fitting = [unit for unit in _UNITS if unit[1] <= seconds]
    return fitting[-1] if fitting else _UNITS[0]


def _quantile(ordered, part):
    if not ordered:
        return math.nan
    place = part * (len(ordered) - 1)
    low = math.floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def rounded(number, figures):
    """To so many significant figures."""
    if number == 0:
        return 0.0
    return round(number, figures - int(math.floor(math.log10(abs(number)) + 1)))


class TaskSpec:
    """What is measured, and what its tables call it."""

    def __init__(self, stmt, setup, global_setup="", label=None, sub_label=None, description=None,
                 env=None, num_threads=1):
        self.stmt, self.setup, self.global_setup = stmt, setup, global_setup
        self.label, self.sub_label, self.description = label, sub_label, description
        self.env, self.num_threads = env, num_threads

    @property
    def title(self):
        if self.label is not None:
            return self.label + (f": {self.sub_label}" if self.sub_label else "")
        if "\n" not in self.stmt:
            return self.stmt + (f": {self.sub_label}" if self.sub_label else "")
        return f"stmt:{f' ({self.sub_label})' if self.sub_label else ''}\n{indent(self.stmt, _MARGIN)}"

    def setup_str(self):
        if self.setup == "pass" or not self.setup:
            return ""
        return f"setup:\n{indent(self.setup, _MARGIN)}" if "\n" in self.setup else f"setup: {self.setup}"

    def summarize(self):
        """The lines above the times; what takes several ends in a line of its own."""
        sections = [self.title, self.description or "", self.setup_str()]
        return "\n".join([text + "\n" if "\n" in text else text for text in sections if text])


class Measurement:
    """The seconds of several measurements, each of `number_per_run` runs."""

    def __init__(self, number_per_run, raw_times, task_spec, metadata=None):
        self.number_per_run = number_per_run
        self.raw_times = raw_times
        self.task_spec = task_spec
        self.metadata = metadata

    @property
    def times(self):
        """Seconds of one run."""
        return [each / self.number_per_run for each in self.raw_times]

    @property
    def median(self):
        return _quantile(self._ordered(), 0.5)

    @property
    def mean(self):
        ordered = self._ordered()
        return sum(ordered) / len(ordered) if ordered else math.nan

    @property
    def iqr(self):
        """From the first quartile to the third."""
        ordered = self._ordered()
        return _quantile(ordered, 0.75) - _quantile(ordered, 0.25)

    @property
    def significant_figures(self):
        """How many digits of the median mean something, by the spread of the times about it."""
        ordered = self._ordered()
        middle = ordered[len(ordered) // 4:math.ceil(3 * len(ordered) / 4)]
        mean = sum(middle) / len(middle)
        deviation = math.sqrt(sum([(each - mean) ** 2 for each in middle]) / len(middle))
        confidence = max(1.645 * deviation / math.sqrt(len(middle)), _LEAST_CONFIDENCE)
        return min(max(math.floor(math.log10(self.median / confidence)), 1), _MOST_FIGURES)

    @property
    def has_warnings(self):
        return self.iqr / self.median > _NOTED_SPREAD

    @property
    def title(self):
        return self.task_spec.title

    @property
    def env(self):
        return self.task_spec.env

    @property
    def as_row_name(self):
        return self.task_spec.sub_label or self.task_spec.stmt or "[Unknown]"

    @staticmethod
    def merge(measurements):
        """Those of one statement as one."""
        merged = {}
        for each in measurements:
            key = tuple(vars(each.task_spec).values()) + (each.number_per_run,)
            if key in merged:
                merged[key].raw_times.extend(each.raw_times)
            else:
                merged[key] = Measurement(each.number_per_run, list(each.raw_times), each.task_spec)
        return list(merged.values())

    def meets_confidence(self, threshold=_NOTED_SPREAD):
        return self.iqr / self.median < threshold

    def _has_quartiles(self):
        return len(self.raw_times) >= _FEWEST_FOR_QUARTILES

    def _ordered(self):
        return sorted(self.times)

    def __repr__(self):
        sign, unit, _ = unit_of(self.median)
        count, threads = len(self.raw_times), self.task_spec.num_threads
        lines = []
        if count == 1:
            lines.append(f"  {self.median / unit:.2f} {sign}")
        else:
            lines.append(f"  Median: {self.median / unit:.2f} {sign}")
        if self._has_quartiles():
            ordered = self._ordered()
            low, high = _quantile(ordered, 0.25) / unit, _quantile(ordered, 0.75) / unit
            lines.append(f"  IQR:    {self.iqr / unit:.2f} {sign} ({low:.2f} to {high:.2f})")
        each, plural = ("per measurement", "s") if count > 1 else ("", "")
        lines.append(f"  {count} measurement{plural}, {self.number_per_run} runs {each}, "
                     f"{threads} thread{'s' if threads > 1 else ''}")
        if self.has_warnings:
            spread = self.iqr / self.median
            means = ("suggests significant environmental influence" if spread > _GREAT_SPREAD
                     else "could indicate system fluctuation")
            lines.append(f"  WARNING: Interquartile range is {spread * 100:.1f}% of the median "
                         "measurement.")
            lines.append(f"           This {means}.")
        name = "torch.utils.benchmark.utils.common.Measurement"
        return f"<{name} object at {id(self):#x}>\n{self.task_spec.summarize()}\n" + "\n".join(lines)
