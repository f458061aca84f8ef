"""Charts, as SVG and as text for a terminal: what `glint.bench` shows, and what scripts plot.

    chart = Chart("elements", "time of a call", "s", "log", "log")
    chart.curve("eager", "e", [(1e3, 2e-6), (1e6, 9e-4)])
    chart.point("here", "*", 1e4, 8e-6)
    print(chart.text())
    chart.svg()

What stands in a chart draws itself (`_marks.py`) in places that the axes give (`_axis.py`).
"""
from html import escape

from glint._axis import Axis
from glint._colours import CYCLE
from glint._marks import Bars, Line

_PREFIXES = [
    (1e12, "T"),
    (1e9, "G"),
    (1e6, "M"),
    (1e3, "k"),
    (1, ""),
    (1e-3, "m"),
    (1e-6, "u"),
    (1e-9, "n"),
    (1e-12, "p"),
]
_COLOURS = ["#5f5f5f", "#8f8f8f", "#d1552f", "#1f77b4", "#2a9d5c", "#8e5cc2"]
_LETTERS = "*+ox@%&$"
_GREY = "#80808040"


def quantity(value, unit, digits=3):
    """`quantity(2.47e9, "B/s")` is "2.47 GB/s"."""
    for factor, prefix in _PREFIXES:
        if value >= factor * 0.9995 or factor == 1e-12:
            scaled = value / factor
            decimals = max(0, digits - len(str(int(scaled))))
            return f"{scaled:.{decimals}f} {prefix}{unit}"


def written(text):
    """A text of the script's in a picture: letters that XML does not have are left out."""
    return escape("".join(letter for letter in text if letter >= " "))


def tick(value, unit):
    """A power of ten, as short as it can be: `100 MB/s`."""
    return quantity(value, unit, 1).strip()


class Places:
    """Where numbers of both axes stand, in a rectangle from `origin` to `end`."""

    def __init__(self, x_axis, y_axis, origin, end):
        self.x_axis, self.y_axis = x_axis, y_axis
        (self.left, self.bottom), (self.right, self.top) = origin, end

    def _x(self, place):
        return self.left + place * (self.right - self.left)

    def _y(self, place):
        return self.bottom + place * (self.top - self.bottom)

    def __call__(self, x, y):
        if not (self.x_axis.has(x) and self.y_axis.has(y)):
            return None
        return self._x(self.x_axis.place(x)), self._y(self.y_axis.place(y))

    def floor(self, x):
        """On the lower end of the other axis."""
        return (self._x(self.x_axis.place(x)), self.bottom) if self.x_axis.has(x) else None

    def across(self, y):
        if not self.y_axis.has(y):
            return None
        at = self._y(self.y_axis.place(y))
        return (self.left, at), (self.right, at)

    def upright(self, x):
        if not self.x_axis.has(x):
            return None
        at = self._x(self.x_axis.place(x))
        return (at, self.bottom), (at, self.top)


class Cells:
    """Letters in rows; places go from 0 to 1, what lies outside is not drawn."""

    def __init__(self, width, height):
        self.width, self.height = width, height
        self.rows = [[" "] * width for _ in range(height)]

    def set(self, across, up, letter):
        if 0 <= across <= 1 and 0 <= up <= 1:
            self.rows[self.row_of(up)][round(across * (self.width - 1))] = letter

    def row_of(self, up):
        return self.height - 1 - round(up * (self.height - 1))

    def places(self):
        return [(x / (self.width - 1), y / (self.height - 1)) for y in range(self.height) for x in range(self.width)]

    def segment(self, x0, y0, x1, y1, letter):
        """A letter a column; where that is less than one, all rows."""
        if x0 > x1:
            x0, y0, x1, y1 = x1, y1, x0, y0
        last = self.width - 1
        if (x1 - x0) * last < 1:
            low, high = sorted((min(max(y0, 0), 1), min(max(y1, 0), 1)))
            for row in range(self.row_of(high), self.row_of(low) + 1):
                self.set(x0, (self.height - 1 - row) / (self.height - 1), letter)
            return
        for column in range(max(0, int(x0 * last)), min(last, int(x1 * last) + 1) + 1):
            at = column / last
            if x0 <= at <= x1:
                self.set(at, y0 + (y1 - y0) * (at - x0) / (x1 - x0), letter)

    def box(self, x0, y0, x1, y1, letter):
        columns = range(max(0, round(x0 * (self.width - 1))), min(self.width - 1, round(x1 * (self.width - 1))) + 1)
        low, high = sorted((min(max(y0, 0), 1), min(max(y1, 0), 1)))
        for row in range(self.row_of(high), self.row_of(low) + 1):
            for column in columns:
                self.rows[row][column] = letter


class Chart:
    """Marks between two axes. `svg_part` is a chart's drawing inside a larger one."""

    def __init__(self, x_label="", y_label="", y_unit=None, x_scale="linear", y_scale="linear", title=""):
        self.x_label, self.y_label, self.y_unit, self.title = x_label, y_label, y_unit, title
        self.x_scale, self.y_scale = x_scale, y_scale
        self.x_limits, self.y_limits = (None, None), (None, None)
        self.x_ticks = self.y_ticks = None  # pairs of numbers and texts
        self.marks = []
        self.has_legend, self.has_grid, self.has_axes = True, True, True
        self.margin = 0.05
        self.keeps_shape = False  # a number is as long on one axis as on the other
        self.alike = {"x": [self], "y": [self]}  # charts whose axis has the same ends

    # ---- What stands in it ----

    def add(self, mark):
        self.marks.append(mark)
        return mark

    def letter(self):
        return _LETTERS[len(self.marks) % len(_LETTERS)]

    def curve(self, name, letter, points, dots=False):
        points = sorted(points)
        colour = _COLOURS[len(self.marks) % len(_COLOURS)]
        xs, ys = [x for x, _ in points], [y for _, y in points]
        self.add(Line(xs, ys, colour, name, marker="o" if dots else "", size=8.0, letter=letter))

    def point(self, name, letter, x, y):
        self.add(Line([x], [y], _COLOURS[len(self.marks) % len(_COLOURS)], name, "", "o", size=8.0, letter=letter))

    def line(self, xs, ys, name, **options):
        """The next colour of the cycle, unless one is given."""
        colour = CYCLE[len([mark for mark in self.marks if isinstance(mark, Line)]) % len(CYCLE)]
        return self.add(Line(xs, ys, **{"colour": colour, "letter": self.letter(), "name": name, **options}))

    # ---- Axes ----

    def axes(self):
        base = 0.0 if any(isinstance(mark, Bars) for mark in self.marks) else None
        return self._axis("x", self.x_scale, base), self._axis("y", self.y_scale, base)

    def _axis(self, name, scale, base):
        charts = self.alike[name]
        values = [value for chart in charts for mark in chart.marks for value in mark.extent()[name == "y"]]
        limits = [getattr(chart, f"{name}_limits") for chart in [self, *charts]]
        limits = next((each for each in limits if each != (None, None)), (None, None))
        return Axis(values, scale, limits, self.margin, base)

    def _x_ticks(self, axis, most=7):
        return self._told(axis, axis.ticks(most), self.x_ticks, None)

    def _y_ticks(self, axis, most=7):
        return self._told(axis, axis.ticks(most), self.y_ticks, self.y_unit)

    def _told(self, axis, ticks, given, unit):
        """(text, place) of each; `given` are numbers and texts that are asked for."""
        if given is not None:
            found = [(text, axis.place(value)) for value, text in given if axis.has(value)]
            return [(text, place) for text, place in found if -1e-9 <= place <= 1 + 1e-9]
        return [(tick(value, unit) if unit else axis.told(value, ticks), place) for value, place in ticks]

    def _named(self):
        return [mark for mark in self.marks if mark.name] if self.has_legend else []

    # ---- As text ----

    def text(self, width=56, height=13):
        x_axis, y_axis = self.axes()
        cells, at = Cells(width, height), Places(x_axis, y_axis, (0, 0), (1, 1))
        for mark in sorted(self.marks, key=lambda mark: mark.layer):
            mark.text(cells, at)
        labels = {cells.row_of(up): text for text, up in self._y_ticks(y_axis)} if self.has_axes else {}
        lines = [self.title.center(width + 12).rstrip()] if self.title else []
        lines += [f"{labels.get(row, '')[:10]:>10} |{''.join(found).rstrip()}" for row, found in enumerate(cells.rows)]
        lines.append(" " * 11 + "+" + "-" * width)
        lines.append(self._below(x_axis, width))
        if self.x_label or self.y_label:
            lines.append(f"{'':12}{self.y_label}{', by ' if self.x_label and self.y_label else ''}{self.x_label}")
        if self._named():
            lines.append(f"{'':12}{', '.join(f'{mark.letter} {mark.name}' for mark in self._named())}")
        return "\n".join(lines)

    def _below(self, axis, width):
        below = [" "] * (width + 12)
        behind = 0
        for label, across in self._x_ticks(axis) if self.has_axes else []:
            start = min(12 + round(across * (width - 1)), width + 12 - len(label))
            if start >= behind:
                below[start : start + len(label)] = list(label)
                behind = start + len(label) + 1
        return "".join(below).rstrip()

    # ---- As a picture ----

    def svg(self, width=520, height=320):
        """On a white card of its own: a notebook's theme does not reach into a picture."""
        name = self.title or ", by ".join(label for label in (self.y_label, self.x_label) if label) or "a plot"
        return card(self.svg_part(width, height), width, height, name)

    _repr_svg_ = svg

    def __repr__(self):
        return self.text()

    def svg_part(self, width, height):
        x_axis, y_axis = self.axes()
        x_ticks, y_ticks = self._x_ticks(x_axis, max(2, width // 75)), self._y_ticks(y_axis, max(2, height // 45))
        legend, legend_height = self._legend(width)
        widest = max([len(text) for text, _ in y_ticks] or [0]) if self.has_axes else 0
        left, right = 14 + 7.2 * widest + (20 if self.y_label else 0), 16 + 2.5 * self._last_length(x_ticks)
        top = 12 + (22 if self.title else 0) + legend_height
        bottom = 12 + (18 if self.has_axes else 0) + (18 if self.x_label else 0)
        inner = [left, top, max(width - left - right, 20), max(height - top - bottom, 20)]
        if self.keeps_shape:
            _fit(inner, x_axis, y_axis)
        left, top, across, up = inner
        at = Places(x_axis, y_axis, (0, up), (across, 0))
        parts = [self._frame(inner, x_ticks, y_ticks)] if self.has_axes else []
        drawn = "".join(mark.svg(at) for mark in self.marks)
        parts.append(f'<svg x="{left:.1f}" y="{top:.1f}" width="{across:.1f}" height="{up:.1f}">{drawn}</svg>')
        parts.append(self._labels(inner, width, height))
        parts.append(legend)
        parts += [self._names_of_points(at, left, top)] if self.y_unit else []
        return "".join(parts)

    def _last_length(self, ticks):
        """Of the text at the end, which is half beyond it."""
        return len(ticks[-1][0]) if self.has_axes and ticks and ticks[-1][1] > 0.9 else 0

    def _frame(self, inner, x_ticks, y_ticks):
        left, top, across, up = inner
        parts = [
            f'<rect x="{left:.1f}" y="{top:.1f}" width="{across:.1f}" height="{up:.1f}" fill="none" stroke="#c0c0c0"/>'
        ]
        for text, place in y_ticks:
            y = top + up * (1 - place)
            end = left + across if self.has_grid else left - 4
            parts.append(f'<line x1="{left:.1f}" y1="{y:.1f}" x2="{end:.1f}" y2="{y:.1f}" stroke="{_GREY}"/>')
            parts.append(f'<text x="{left - 6:.1f}" y="{y + 4:.1f}" text-anchor="end">{written(text)}</text>')
        for text, place in x_ticks:
            x = left + across * place
            end = top if self.has_grid else top + up + 4
            parts.append(f'<line x1="{x:.1f}" y1="{top + up:.1f}" x2="{x:.1f}" y2="{end:.1f}" stroke="{_GREY}"/>')
            parts.append(f'<text x="{x:.1f}" y="{top + up + 16:.1f}" text-anchor="middle">{written(text)}</text>')
        return "".join(parts)

    def _labels(self, inner, width, height):
        left, top, across, up = inner
        middle, centre = left + across / 2, top + up / 2
        parts = ""
        if self.title:
            parts += f'<text x="{middle:.1f}" y="20" text-anchor="middle" font-size="14">{written(self.title)}</text>'
        if self.x_label:
            parts += f'<text x="{middle:.1f}" y="{height - 8}" text-anchor="middle">{written(self.x_label)}</text>'
        if self.y_label:
            turned = f'text-anchor="middle" transform="rotate(-90 14 {centre:.1f})"'
            parts += f'<text x="14" y="{centre:.1f}" {turned}>{written(self.y_label)}</text>'
        return parts

    def _legend(self, width):
        """Names side by side above the plot, and their height."""
        x, y, parts = 50, 16 + (22 if self.title else 0), ""
        for mark in self._named():
            length = 44 + 6.8 * len(mark.name)
            if x > 50 and x + length > width:
                x, y = 50, y + 18
            parts += f'{mark.key(x, y)}<text x="{x + 6:.0f}" y="{y + 4}">{written(mark.name)}</text>'
            x += length
        return parts, y + 2 - (22 if self.title else 0) if parts else 0

    def _names_of_points(self, at, left, top):
        """Beside a point that is alone: not by its colour only."""
        parts = ""
        for mark in self.marks:
            if isinstance(mark, Line) and len(mark.xs) == 1:
                x, y = at(mark.xs[0], mark.ys[0])
                parts += f'<text x="{left + x + 8:.1f}" y="{top + y + 4:.1f}">{written(mark.name)}</text>'
        return parts


def _fit(inner, x_axis, y_axis):
    """Makes the rectangle smaller, so that both axes have the same scale."""
    left, top, across, up = inner
    wide, tall = abs(x_axis.high - x_axis.low), abs(y_axis.high - y_axis.low)
    scale = min(across / wide, up / tall)
    inner[:] = [left + (across - wide * scale) / 2, top + (up - tall * scale) / 2, wide * scale, tall * scale]


def card(drawn, width, height, name):
    """A drawing as a whole picture."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" role="img" font-family="sans-serif" font-size="12" fill="#505050" '
        f'style="max-width:100%;height:auto"><title>{written(name)}</title>'
        f'<rect width="{width}" height="{height}" rx="6" fill="#ffffff"/>{drawn}</svg>'
    )
