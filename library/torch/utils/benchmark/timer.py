"""Measures a statement: `Timer("f(x)", globals=globals()).blocked_autorange()`.

Each run ends when the device has done its work: the clock waits for it.
"""
import textwrap
import timeit as _timeit

import torch
from torch.utils.benchmark.measurement import Measurement, TaskSpec

# The part of a measurement that starting it may take.
_MOST_OVERHEAD = 1e-4
_MOST_RUNS = 10 ** 9


def timer():
    """Seconds, once the GPU has done what it was given."""
    if torch.cuda.is_available():
        torch.cuda.synchronize()
    return _timeit.default_timer()


class Timer:
    """A statement, with what its tables call it: `label` is a table, `sub_label` a row, `description`
    a column."""

    def __init__(self, stmt="pass", setup="pass", global_setup="", timer=timer, globals=None,
                 label=None, sub_label=None, description=None, env=None, num_threads=1, language="python"):
        if str(language).lower() not in ("python", "py", "language.python"):
            raise ValueError(f"Glint measures Python, not {language}")
        if global_setup:
            raise ValueError(
                f"global_setup is C++ only, got: `{global_setup}`. Most likely this code can simply "
                "be moved to `setup`.")
        names = dict(globals or {})
        names.setdefault("torch", torch)
        stmt, setup = _unindented(stmt), _unindented(setup)
        self._timer = _timeit.Timer(stmt=stmt, setup=setup, timer=timer, globals=names)
        self._task_spec = TaskSpec(stmt, setup, global_setup, label, sub_label, description, env,
                                   num_threads)

    def timeit(self, number=1000000):
        """One measurement of so many runs, behind a few that are not counted."""
        def measured():
            self._seconds(max(number // 100, 2))
            return self._measurement(number, [self._seconds(number)])

        return self._with_threads(measured)

    def blocked_autorange(self, callback=None, min_run_time=0.2):
        """As many measurements as fit in a time, each long enough for the clock to tell."""
        def measured():
            number = self._runs_of_a_block(min_run_time)
            times, total = [], 0.0
            while total < min_run_time or not times:
                times.append(self._seconds(number))
                total += times[-1]
                if callback:
                    callback(number, times[-1])
            return self._measurement(number, times)

        return self._with_threads(measured)

    def adaptive_autorange(self, threshold=0.1, *, min_run_time=0.01, max_run_time=10.0, callback=None):
        """Measures until the middle half of the times lies close together, or the time is over."""
        def measured():
            number = self._runs_of_a_block(0.05)
            times, total = [], 0.0
            while total < max_run_time:
                times.append(self._seconds(number))
                total += times[-1]
                if callback:
                    callback(number, times[-1])
                enough = total >= min_run_time and len(times) > 3
                if enough and self._measurement(number, times).meets_confidence(threshold):
                    break
            return self._measurement(number, times)

        return self._with_threads(measured)

    def _measurement(self, number, times):
        return Measurement(number_per_run=number, raw_times=times, task_spec=self._task_spec)

    def _seconds(self, number):
        return max(self._timer.timeit(number), 1e-9)

    def _runs_of_a_block(self, min_run_time):
        """So many that what surrounds them is a small part, and that a hundred blocks fit in the time."""
        empty = _timeit.Timer(timer=self._timer.timer)
        overhead = sorted([empty.timeit(0) for _ in range(5)])[2]
        number = 1
        while number < _MOST_RUNS:
            taken = self._seconds(number)
            if overhead / taken <= _MOST_OVERHEAD and taken >= min_run_time / 1000 or taken > min_run_time:
                return number
            number *= 10
        return number

    def _with_threads(self, measured):
        before = torch.get_num_threads()
        torch.set_num_threads(self._task_spec.num_threads)
        try:
            return measured()
        finally:
            torch.set_num_threads(before)


def _unindented(text):
    """A text that stands indented in a script, from its own margin on."""
    if not isinstance(text, str):
        return text
    lines = textwrap.dedent(text).strip("\n").split("\n")
    return "\n".join([line.rstrip() for line in lines])
