"""The bar itself: it counts, and draws at most every `mininterval` seconds.

    for i in tqdm(range(10)): ...       draws before the first turn, now and then, and at the end
    with tqdm(total=10) as bar:
        bar.update(3)

Between two drawings `miniters` turns pass without a look at the clock. Speeds are averages that
forget what is long ago (`smoothing`), but for the last drawing's, which is of the whole.
"""
import os
import sys
from html import escape
from time import time

import _glint_display
from tqdm import _meter
from tqdm._places import Cell, Line, write_beside


class _Average:
    """Moves by `share` of the way to what is new."""

    def __init__(self, share):
        self.share = share
        self.last = 0
        self.calls = 0

    def add(self, value):
        self.last += self.share * (value - self.last)
        self.calls += 1
        return self.value()

    def value(self):
        return self.last / (1 - (1 - self.share) ** self.calls) if self.calls else self.last


def _columns(file):
    """Of a terminal, or what the environment says of one; None: unknown."""
    try:
        return os.get_terminal_size(file.fileno())[0]
    except (OSError, AttributeError, ValueError, TypeError):
        pass
    try:
        return [int(os.environ[name]) - 1 for name in ("COLUMNS", "LINES")][0]
    except (KeyError, ValueError):
        return None


def _length_of(iterable):
    try:
        return len(iterable)
    except (TypeError, AttributeError):
        return None


class tqdm:
    """Iterates over something, and shows how far that is."""

    format_sizeof = staticmethod(_meter.sizeof)
    format_interval = staticmethod(_meter.interval)
    format_num = staticmethod(_meter.number)
    format_meter = staticmethod(_meter.meter)

    def __init__(
        self,
        iterable=None,
        desc=None,
        total=None,
        leave=True,
        file=None,
        ncols=None,
        mininterval=0.1,
        maxinterval=10.0,
        miniters=None,
        ascii=None,
        disable=False,
        unit="it",
        unit_scale=False,
        dynamic_ncols=False,
        smoothing=0.3,
        bar_format=None,
        initial=0,
        position=None,
        postfix=None,
        unit_divisor=1000,
        nrows=None,
        colour=None,
        delay=0.0,
    ):
        in_cell = file is None and _glint_display.is_rich()
        file = sys.stderr if file is None else file
        if disable is None:
            disable = not in_cell and hasattr(file, "isatty") and not file.isatty()
        total = _length_of(iterable) if total is None and iterable is not None else total
        self.total = None if total == float("inf") else total
        self.iterable, self.disable, self.n, self.leave = iterable, bool(disable), initial, leave
        self.desc, self.postfix, self._place = desc or "", None, None
        if self.disable:
            return
        has_columns = ncols is None and file in (sys.stderr, sys.stdout) and not in_cell
        self.ncols = _columns(file) if has_columns or dynamic_ncols else ncols
        self.dynamic_ncols = dynamic_ncols
        self.mininterval, self.maxinterval = mininterval or 0, maxinterval or 0
        self.miniters, self.dynamic_miniters = miniters or 0, miniters is None
        is_utf = "utf" in str(getattr(file, "encoding", None)).lower()
        self.ascii = not (is_utf or in_cell) if ascii is None else ascii
        self.unit, self.unit_scale, self.unit_divisor = unit, unit_scale, unit_divisor
        self.smoothing, self.bar_format, self.initial = smoothing or 0, bar_format, initial
        self.colour, self.delay, self.fp = colour, delay, file
        self._restart_averages()
        if isinstance(postfix, dict):
            self.set_postfix(postfix, refresh=False)
        else:
            self.postfix = postfix
        self.last_print_n = initial
        self._place = Cell() if in_cell else Line(file, position)
        if delay <= 0:
            self.refresh()
        self.start_t = self.last_print_t = time()

    def _restart_averages(self):
        self._counts, self._times, self._turns = (_Average(self.smoothing) for _ in range(3))

    @property
    def pos(self):
        return self._place.position if self._place else 0

    @property
    def format_dict(self):
        """What `format_meter` is given."""
        if self._place is None:
            return {"n": self.n, "total": self.total, "elapsed": 0, "unit": "it"}
        if self.dynamic_ncols:
            self.ncols = _columns(self.fp)
        seconds = self._times.value() if self._times else 0
        return {
            "n": self.n,
            "total": self.total,
            "elapsed": time() - self.start_t if hasattr(self, "start_t") else 0,
            "ncols": self.ncols,
            "prefix": self.desc,
            "ascii": self.ascii,
            "unit": self.unit,
            "unit_scale": self.unit_scale,
            "rate": self._counts.value() / seconds if seconds else None,
            "bar_format": self.bar_format,
            "postfix": self.postfix,
            "unit_divisor": self.unit_divisor,
            "initial": self.initial,
            "colour": self.colour,
        }

    def __str__(self):
        return self.format_meter(**self.format_dict)

    def __repr__(self):
        return str(self)

    def _html(self):
        """A bar that the browser draws, between the texts."""
        values = self.format_dict
        left, bar, right = str(self), "", ""
        if self.total and not self.bar_format:
            left, right = self.format_meter(**{**values, "ncols": None, "bar_format": "{l_bar}\n{r_bar}"}).split("\n")
            left, right = left.rstrip("|"), right.lstrip("|")
            share = min(max(self.n / self.total, 0), 1)
            bar = f'<progress style="vertical-align:middle;width:20em" max="1" value="{share:.4f}"></progress>'
        style = "font-family:monospace;white-space:pre-wrap"
        return f'<div style="{style}">{escape(left)} {bar}{escape(right)}</div>'

    def display(self, msg=None, pos=None):
        html = self._html() if msg is None and isinstance(self._place, Cell) else None
        return self._place.draw(str(self) if msg is None else msg, html, pos)

    def refresh(self, **ignored):
        """Draws it now."""
        if self.disable:
            return
        self.display()
        return True

    def clear(self, **ignored):
        if not self.disable:
            self._place.clear()

    def __len__(self):
        if self.iterable is None:
            return self.total
        return len(self.iterable)

    def __bool__(self):
        if self.total is not None:
            return self.total > 0
        if self.iterable is None:
            raise TypeError("bool() undefined when iterable == total == None")
        return bool(self.iterable)

    def __contains__(self, item):
        return item in self.iterable

    def __reversed__(self):
        iterable = self.iterable
        try:
            self.iterable = reversed(iterable)
            return iter(self)
        finally:
            self.iterable = iterable

    def __iter__(self):
        if self.disable:
            yield from self.iterable
            return
        n, last_n, last_t = self.n, self.last_print_n, self.last_print_t
        begins = self.start_t + self.delay
        try:
            for each in self.iterable:
                yield each
                n += 1
                if n - last_n < self.miniters:
                    continue
                now = time()
                if now - last_t >= self.mininterval and now >= begins:
                    self.update(n - last_n)
                    last_n, last_t = self.last_print_n, self.last_print_t
        finally:
            self.n = n
            self.close()

    def update(self, n=1):
        """Counts so many more; True where that is drawn."""
        if self.disable:
            return
        if n < 0:
            self.last_print_n += n
        self.n += n
        if self.n - self.last_print_n < self.miniters:
            return
        now = time()
        seconds, count = now - self.last_print_t, self.n - self.last_print_n
        if seconds < self.mininterval or now < self.start_t + self.delay:
            return
        if self.smoothing and seconds and count:
            self._counts.add(count)
            self._times.add(seconds)
        self.refresh()
        if self.dynamic_miniters:
            self._adapt(count, seconds)
        self.last_print_n, self.last_print_t = self.n, now
        return True

    def _adapt(self, count, seconds):
        """As many turns as fit between two drawings, from now on."""
        if self.maxinterval and seconds >= self.maxinterval:
            self.miniters = count * (self.mininterval or self.maxinterval) / seconds
        elif self.smoothing:
            self.miniters = self._turns.add(count * (self.mininterval / seconds if self.mininterval and seconds else 1))
        else:
            self.miniters = max(self.miniters, count)

    def close(self):
        """Draws it a last time, or takes it away (`leave=False`)."""
        if getattr(self, "disable", True):
            return
        self.disable = True
        if not hasattr(self, "last_print_t") or self.last_print_t < self.start_t + self.delay:
            self._place.forget()
            return
        self._times = None  # the speed of the whole
        leaves = self.pos == 0 if self.leave is None else self.leave
        self._place.end(str(self), self._html() if isinstance(self._place, Cell) else None, leaves)

    def unpause(self):
        if not self.disable:
            now = time()
            self.start_t += now - self.last_print_t
            self.last_print_t = now

    def reset(self, total=None):
        """Begins again."""
        self.n = 0
        if total is not None:
            self.total = None if total == float("inf") else total
        if self.disable:
            return
        self.last_print_n = 0
        self.last_print_t = self.start_t = time()
        self._restart_averages()
        self.refresh()

    def _set(self, name, value, refresh):
        setattr(self, name, value)
        if refresh:
            self.refresh()

    def set_description(self, desc=None, refresh=True):
        self._set("desc", f"{desc}: " if desc else "", refresh)

    def set_description_str(self, desc=None, refresh=True):
        self._set("desc", desc or "", refresh)

    def set_postfix(self, ordered_dict=None, refresh=True, **kwargs):
        """`loss=0.31`: numbers in three digits."""
        values = dict(ordered_dict or {})
        for name in sorted(kwargs):
            values[name] = kwargs[name]
        told = []
        for name, value in values.items():
            text = _meter.number(value) if isinstance(value, (int, float)) else str(value)
            told.append(f"{name}={text.strip()}")
        self._set("postfix", ", ".join(told), refresh)

    def set_postfix_str(self, s="", refresh=True):
        self._set("postfix", str(s), refresh)

    @classmethod
    def write(cls, s, file=None, end="\n", nolock=False):
        """Prints beside the bars that are open."""
        write_beside(f"{s}{end}", sys.stdout if file is None else file)

    def __enter__(self):
        return self

    def __exit__(self, *raised):
        self.close()

    def __del__(self):
        self.close()

    def __hash__(self):
        return id(self)


def trange(*arguments, **keywords):
    """`tqdm(range(...))`"""
    return tqdm(range(*arguments), **keywords)
