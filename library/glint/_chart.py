"""Charts with logarithmic axes, as text for a terminal and as SVG.

    chart = Chart("elements", "time of a call", "s")
    chart.curve("eager", "e", [(1e3, 2e-6), (1e6, 9e-4)])
    chart.point("here", "*", 1e4, 8e-6)
    print(chart.text())
    chart.svg()
"""
import math

_PREFIXES = [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"), (1, ""), (1e-3, "m"), (1e-6, "u"), (1e-9, "n"), (1e-12, "p")]
_COLOURS = ["#5f5f5f", "#8f8f8f", "#d1552f", "#1f77b4", "#2a9d5c", "#8e5cc2"]


def quantity(value, unit, digits=3):
    """`quantity(2.47e9, "B/s")` is "2.47 GB/s"."""
    for factor, prefix in _PREFIXES:
        if value >= factor * 0.9995 or factor == 1e-12:
            scaled = value / factor
            decimals = max(0, digits - len(str(int(scaled))))
            return f"{scaled:.{decimals}f} {prefix}{unit}"


def tick(value, unit):
    """A power of ten, as short as it can be: `100 MB/s`."""
    return quantity(value, unit, 1).strip()


def escaped(text):
    for letter, name in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        text = text.replace(letter, name)
    return text


class _Axis:
    """Where values stand between the powers of ten around all of them, from 0 to 1."""

    def __init__(self, values):
        logs = [math.log10(value) for value in values]
        self.low = math.floor(min(logs) + 1e-9)
        self.high = max(math.ceil(max(logs) - 1e-9), self.low + 1)

    def place(self, value):
        return (math.log10(value) - self.low) / (self.high - self.low)

    def decades(self):
        """At most some seven of them."""
        step = max(1, (self.high - self.low + 6) // 7)
        return [(10.0**power, self.place(10.0**power)) for power in range(self.low, self.high + 1, step)]


def _height_at(places, across):
    """Of a line through places, each (across, up) from left to right; None beside it."""
    for (x0, y0), (x1, y1) in zip(places, places[1:]):
        if x0 <= across <= x1 and x1 > x0:
            return y0 + (y1 - y0) * (across - x0) / (x1 - x0)
    return None


class Chart:
    """Curves and points; each has a name, and a letter that draws it as text."""

    def __init__(self, x_label, y_label, y_unit):
        self.x_label = x_label
        self.y_label = y_label
        self.y_unit = y_unit
        self.series = []

    def curve(self, name, mark, points, dots=False):
        self.series.append((name, mark, sorted(points), dots))

    def point(self, name, mark, x, y):
        self.series.append((name, mark, [(x, y)], True))

    def _axes(self):
        places = [place for _, _, points, _ in self.series for place in points]
        return _Axis([x for x, _ in places]), _Axis([y for _, y in places])

    def text(self, width=56, height=13):
        x_axis, y_axis = self._axes()
        rows = [[" "] * width for _ in range(height)]

        def row_of(up):
            return height - 1 - round(up * (height - 1))

        for _, mark, points, _ in self.series:
            places = [(x_axis.place(x), y_axis.place(y)) for x, y in points]
            for column in range(width):
                up = _height_at(places, column / (width - 1))
                if up is not None:
                    rows[row_of(up)][column] = mark
        for _, mark, points, dots in self.series:
            for x, y in points if dots else []:
                rows[row_of(y_axis.place(y))][round(x_axis.place(x) * (width - 1))] = mark
        labels = {row_of(up): tick(value, self.y_unit) for value, up in y_axis.decades()}
        lines = [f"{labels.get(row, ''):>10} |{''.join(marks).rstrip()}" for row, marks in enumerate(rows)]
        lines.append(" " * 11 + "+" + "-" * width)
        below = [" "] * (width + 12)
        for value, across in x_axis.decades():
            label = f"{value:g}"
            start = min(12 + round(across * (width - 1)), width + 12 - len(label))
            below[start : start + len(label)] = list(label)
        lines.append("".join(below).rstrip())
        names = ", ".join(f"{mark} {name}" for name, mark, _, _ in self.series)
        lines.append(f"{'':12}{self.y_label}, by {self.x_label}")
        lines.append(f"{'':12}{names}")
        return "\n".join(lines)

    def svg(self, width=520, height=320):
        """On a white card of its own: a notebook's theme does not reach into a picture."""
        x_axis, y_axis = self._axes()
        left, right, top, bottom = 78, 14, 14 + 16 * len(self.series), 44

        def at(x, y):
            across = left + x_axis.place(x) * (width - left - right)
            return across, height - bottom - y_axis.place(y) * (height - top - bottom)

        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
            f'height="{height}" role="img" font-family="sans-serif" font-size="12" fill="#505050" '
            f'style="max-width:100%;height:auto">'
            f"<title>{escaped(self.y_label)}, by {escaped(self.x_label)}</title>"
            f'<rect width="{width}" height="{height}" rx="6" fill="#ffffff"/>'
        ]
        for value, _ in y_axis.decades():
            _, y = at(10.0**x_axis.low, value)
            parts.append(
                f'<line x1="{left}" y1="{y:.1f}" x2="{width - right}" y2="{y:.1f}" stroke="#80808040"/>'
                f'<text x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">{tick(value, self.y_unit)}</text>'
            )
        for value, _ in x_axis.decades():
            x, _ = at(value, 10.0**y_axis.low)
            parts.append(
                f'<line x1="{x:.1f}" y1="{top}" x2="{x:.1f}" y2="{height - bottom}" stroke="#80808040"/>'
                f'<text x="{x:.1f}" y="{height - bottom + 16}" text-anchor="middle">{value:g}</text>'
            )
        middle = (left + width - right) / 2
        parts.append(f'<text x="{middle:.1f}" y="{height - 8}" text-anchor="middle">{escaped(self.x_label)}</text>')
        for number, (name, _, points, dots) in enumerate(self.series):
            parts.append(_drawn(_COLOURS[number % len(_COLOURS)], [at(x, y) for x, y in points], dots))
            if len(points) == 1:  # not by its colour alone
                x, y = at(*points[0])
                parts.append(f'<text x="{x + 8:.1f}" y="{y + 4:.1f}">{escaped(name)}</text>')
            parts.append(
                f'<rect x="{left}" y="{6 + 16 * number}" width="10" height="10" fill="{_COLOURS[number % len(_COLOURS)]}"/>'
                f'<text x="{left + 16}" y="{15 + 16 * number}">{escaped(name)}</text>'
            )
        return "".join(parts) + "</svg>"


def _drawn(colour, places, dots):
    """A line through places of a picture, and a dot at each where they were measured."""
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    drawn = f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>' if len(places) > 1 else ""
    for x, y in places if dots else []:
        drawn += f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{colour}"/>'
    return drawn
