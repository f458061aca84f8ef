"""Measurements side by side: a table a label, a row a sub-label, a column a description.

    [----------- sine -----------]
               |  eager  |  compiled
    1 threads: -------------------
          f    |   15.2  |     7.1
"""
import math

from torch.utils.benchmark.measurement import Measurement, rounded, unit_of

_GREEN, _BLUE, _FAINT_RED, _RED = "\x1b[92m\x1b[1m", "\x1b[34m\x1b[1m", "\x1b[2m\x1b[91m", "\x1b[31m\x1b[1m"
_PLAIN = "\x1b[0m\x1b[0m"


class Compare:
    """Prints the tables of measurements."""

    def __init__(self, results):
        self._results = []
        self._trims = False
        self._warns = False
        self._colour = None
        self.extend_results(results)

    def __str__(self):
        return "\n".join(self._tables())

    def extend_results(self, results):
        for each in results:
            if not isinstance(each, Measurement):
                raise ValueError(f"Expected an instance of `Measurement`, got {type(each)} instead.")
        self._results.extend(results)

    def trim_significant_figures(self):
        """No more digits than the spread of the times allows."""
        self._trims = True

    def colorize(self, rowwise=False):
        """The best time of each column, or row, in green, those near it in blue, far ones in red."""
        self._colour = "row" if rowwise else "column"

    def highlight_warnings(self):
        """Marks times that lie far from one another."""
        self._warns = True

    def print(self):
        print(str(self))

    def _tables(self):
        results = Measurement.merge(self._results)
        labels = []
        for each in results:
            if each.task_spec.label not in labels:
                labels.append(each.task_spec.label)
        return [_Table([each for each in results if each.task_spec.label == label], self).text()
                for label in labels]

    def trims(self):
        return self._trims

    def warns(self):
        return self._warns

    def colour(self):
        return self._colour


def _in_order(values):
    """Each once, where it first comes."""
    return list(dict.fromkeys(values))


class _Table:
    """The measurements of one label."""

    def __init__(self, results, options):
        self._results, self._options = results, options
        self._sign, self._unit, self._unit_name = unit_of(min([each.median for each in results]))
        self._names_env = len({each.env for each in results}) > 1
        self._columns = _in_order([each.task_spec.description for each in results])
        self._rows = _in_order([(each.task_spec.num_threads, self._row_name(each)) for each in results])
        self._rows.sort(key=lambda row: row[0])
        self._cells = {(each.task_spec.num_threads, self._row_name(each), each.task_spec.description): each
                       for each in results}

    def text(self):
        columns = [self._column(description) for description in self._columns]
        heads = [str(each or "") for each in self._columns]
        widths = [max([len(head)] + [len(cell) for cell in column]) for head, column in zip(heads, columns)]
        first = max([len(name) for _, name in self._rows]) + 6
        head = "  |  ".join([" " * first] + [name.center(width) for name, width in zip(heads, widths)])
        width = len(head)
        lines = [f"[{(' ' + (self._results[0].task_spec.label or '') + ' ').center(width - 2, '-')}]", head]
        shown = None
        for i, (threads, name) in enumerate(self._rows):
            if threads != shown:
                lines.append(f"{threads} threads: ".ljust(width, "-"))
                shown = threads
            cells = [self._painted(i, k, columns[k][i].center(widths[k])) for k in range(len(columns))]
            lines.append("  |  ".join([("      " + name).ljust(first)] + cells))
        return "\n".join(lines + ["", f"Times are in {self._unit_name}s ({self._sign})."]) + \
            self._warning() + "\n"

    def _row_name(self, each):
        return f"({each.env})  {each.as_row_name}" if self._names_env else each.as_row_name

    def _measured(self, description):
        return [self._cells.get((threads, name, description)) for threads, name in self._rows]

    def _column(self, description):
        """The texts of a column, as wide as one another."""
        measured = self._measured(description)
        there = [each for each in measured if each is not None]
        greatest = max([each.median for each in there]) / self._unit
        decimals = 1
        if self._options.trims():
            leading = math.ceil(math.log10(greatest)) if greatest > 0 else 1
            decimals = max(min([each.significant_figures for each in there]) - leading, 0)
        texts = [self._time(each, decimals) for each in measured]
        width = max([len(text) for text in texts])
        return [text.rjust(width) for text in texts]

    def _time(self, each, decimals):
        if each is None:
            return ""
        time = each.median / self._unit
        if self._options.trims():
            time = rounded(time, each.significant_figures)
        return f"{time:.{decimals}f}" + self._mark(each)

    def _mark(self, each):
        if not self._options.warns() or not each.has_warnings:
            return ""
        return f" (! {each.iqr / each.median * 100:.0f}%)"

    def _warning(self):
        if not self._options.warns() or not any([each.has_warnings for each in self._results]):
            return ""
        return "\n(! XX%) Measurement has high variance, where XX is the IQR / median * 100."

    def _painted(self, row, column, text):
        """Beside the best of its row or column: as good, near it, or so many times as long."""
        each = self._measured(self._columns[column])[row]
        if self._options.colour() is None or each is None:
            return text
        if self._options.colour() == "row":
            beside = [self._measured(description)[row] for description in self._columns]
        else:
            beside = self._measured(self._columns[column])
        ratio = each.median / min([other.median for other in beside if other is not None])
        if ratio == 1:
            return _GREEN + text + _PLAIN
        if 1.1 < ratio <= 2:
            return text
        return (_BLUE if ratio <= 1.1 else _RED if ratio > 5 else _FAINT_RED) + text + _PLAIN
