"""What stands in a chart: lines, points, bars, pictures, straight lines across.

Each has a `name` for the legend, the numbers that the axes must reach (`extent`), and is drawn twice:

    mark.svg(at)         SVG; `at(x, y)` is a place, None where an axis has no such number
    mark.text(cells, at)  letters in a grid, by `cells.set(across, up, letter)`, both from 0 to 1

As text, what has a higher `layer` covers what is below.
"""
import math
from html import escape

import _glint_display
from glint._colours import shades
from glint._numbers import thinned

_DASHES = {"-": "", "--": "7,4", "-.": "7,3,2,3", ":": "2,3"}
_RAMP = " .:-=+*#%@"
_MOST_PIXELS = 256

# Shapes of points around (0, 0), from -1 to 1; rounds are none of them.
_CORNERS = {
    **{"s": [(-1, -1), (1, -1), (1, 1), (-1, 1)], "D": [(0, -1.3), (1.3, 0), (0, 1.3), (-1.3, 0)]},
    **{"^": [(0, -1.1), (1.1, 0.9), (-1.1, 0.9)], "v": [(0, 1.1), (1.1, -0.9), (-1.1, -0.9)]},
    **{"<": [(-1.1, 0), (0.9, -1.1), (0.9, 1.1)], ">": [(1.1, 0), (-0.9, -1.1), (-0.9, 1.1)]},
    "*": [
        (radius * math.sin(i * math.pi / 5), -radius * math.cos(i * math.pi / 5))
        for i, radius in enumerate([1.3, 0.5] * 5)
    ],
}
_STROKES = {
    **{"+": [(-1, 0, 1, 0), (0, -1, 0, 1)], "x": [(-1, -1, 1, 1), (-1, 1, 1, -1)]},
    **{"|": [(0, -1, 0, 1)], "_": [(-1, 0, 1, 0)]},
}
MARKERS = ["o", ".", *_CORNERS, *_STROKES]


def _number(value):
    return f"{value:.1f}".rstrip("0").rstrip(".")


def _box(x0, y0, x1, y1):
    """A rectangle's attributes."""
    place = f'x="{_number(min(x0, x1))}" y="{_number(min(y0, y1))}"'
    return f'{place} width="{_number(abs(x1 - x0))}" height="{_number(abs(y1 - y0))}"'


def _marker(shape, x, y, size, paint):
    """A point's shape: `paint` are its attributes."""
    r = size / 2
    if shape in "o.":
        return f'<circle cx="{_number(x)}" cy="{_number(y)}" r="{_number(r if shape == "o" else r / 2)}" {paint}/>'
    if shape in _CORNERS:
        places = " ".join(f"{_number(x + a * r)},{_number(y + b * r)}" for a, b in _CORNERS[shape])
        return f'<polygon points="{places}" {paint}/>'
    path = "".join(
        f"M{_number(x + a * r)} {_number(y + b * r)}L{_number(x + c * r)} {_number(y + d * r)}"
        for a, b, c, d in _STROKES[shape]
    )
    return f'<path d="{path}" {paint.replace("fill=", "stroke=")} stroke-width="1.5"/>'


class Line:
    """A line through points, in their order, and a marker at each; either may be absent."""

    def __init__(self, xs, ys, colour, name="", style="-", marker="", width=2.0, size=6.0, alpha=1.0, letter="*"):
        if len(xs) != len(ys):
            raise ValueError(f"x and y must have same first dimension, but have shapes ({len(xs)},) and ({len(ys)},)")
        self.xs, self.ys, self.colour, self.name = xs, ys, colour, name
        self.style, self.marker, self.width, self.size = style, marker, width, size
        self.alpha, self.letter = alpha, letter
        self.colours = None  # one for each point
        self.sizes = None

    @property
    def layer(self):
        return 2 if self.style else 3

    def extent(self):
        """Of points that are there: both numbers are."""
        pairs = [(x, y) for x, y in zip(self.xs, self.ys) if math.isfinite(x) and math.isfinite(y)]
        return [x for x, _ in pairs], [y for _, y in pairs]

    def _stretches(self, at):
        """Places in rows, between those that are not there."""
        rows = [[]]
        for x, y in zip(*thinned(self.xs, self.ys, bool(self.style))):
            place = at(x, y)
            if place is None:
                rows.append([])
            else:
                rows[-1].append(place)
        return [row for row in rows if row]

    def svg(self, at):
        drawn = []
        if self.style:
            dashes = f' stroke-dasharray="{_DASHES[self.style]}"' if _DASHES[self.style] else ""
            paint = f'fill="none" stroke="{self.colour}" stroke-width="{self.width:g}" stroke-linejoin="round"{dashes}'
            for row in self._stretches(at):
                places = " ".join(f"{_number(x)},{_number(y)}" for x, y in row)
                drawn.append(f'<polyline points="{places}" {paint}/>' if len(row) > 1 else "")
                if len(row) == 1 and not self.marker:  # a line that is a point
                    drawn.append(_marker("o", *row[0], max(self.width, 4.0), f'fill="{self.colour}"'))
        if self.marker:
            drawn += self._markers(at)
        return _see_through("".join(drawn), self.alpha)

    def _markers(self, at):
        if self.colours or self.sizes:
            points = list(
                zip(
                    self.xs,
                    self.ys,
                    self.colours or [self.colour] * len(self.xs),
                    self.sizes or [self.size] * len(self.xs),
                )
            )
            points = points[:: max(1, len(points) // 2000)]
        else:
            points = [(x, y, self.colour, self.size) for x, y in zip(*thinned(self.xs, self.ys, bool(self.style)))]
        places = [(at(x, y), colour, size) for x, y, colour, size in points]
        return [_marker(self.marker, *place, size, f'fill="{colour}"') for place, colour, size in places if place]

    def key(self, x, y):
        """What stands for it in the legend, left of (x, y)."""
        paint = f'stroke="{self.colour}" stroke-width="{self.width:g}" stroke-dasharray="{_DASHES.get(self.style, "")}"'
        line = f'<line x1="{x - 20}" y1="{y}" x2="{x}" y2="{y}" {paint}/>' if self.style else ""
        return line + (_marker(self.marker, x - 10, y, self.size, f'fill="{self.colour}"') if self.marker else "")

    def text(self, cells, at):
        if self.style:
            for row in self._stretches(at):
                for here, there in zip(row, row[1:] if len(row) > 1 else row):
                    cells.segment(*here, *there, self.letter)
        if self.marker:
            for row in self._stretches(at):
                for place in row:
                    cells.set(*place, self.letter)


class Bars:
    """Rectangles: (left, bottom, right, top) of each."""

    layer = 1

    def __init__(self, boxes, colours, name="", alpha=1.0, edge="none", letter="#"):
        self.boxes, self.colours, self.name, self.alpha, self.edge, self.letter = (
            boxes,
            colours,
            name,
            alpha,
            edge,
            letter,
        )

    def extent(self):
        corners = [corner for left, bottom, right, top in self.boxes for corner in ((left, bottom), (right, top))]
        return [x for x, _ in corners if math.isfinite(x)], [y for _, y in corners if math.isfinite(y)]

    def _places(self, at):
        """Of a logarithmic axis' zero, its lower end."""
        for (left, bottom, right, top), colour in zip(self.boxes, self.colours):
            high, low = at(right, top), at(left, bottom) or (at.floor(left) if at(left, top) else None)
            if high and low:
                yield low, high, colour

    def svg(self, at):
        drawn = []
        for (x0, y0), (x1, y1), colour in self._places(at):
            box = _box(x0, y0, x1, y1)
            drawn.append(f'<rect {box} fill="{colour}" stroke="{self.edge}"/>')
        return _see_through("".join(drawn), self.alpha)

    def key(self, x, y):
        return f'<rect {_box(x - 16, y - 5, x - 4, y + 5)} fill="{self.colours[0] if self.colours else "none"}"/>'

    def text(self, cells, at):
        for low, high, _ in self._places(at):
            cells.box(*low, *high, self.letter)


class Area:
    """What lies between two lines over the same xs."""

    layer = 0

    def __init__(self, xs, lows, highs, colour, name="", alpha=1.0, letter="#"):
        if not len(xs) == len(lows) == len(highs):
            raise ValueError(f"x, y1 and y2 must be of the same length, not {len(xs)}, {len(highs)} and {len(lows)}")
        self.xs, self.lows, self.highs = xs, lows, highs
        self.colour, self.name, self.alpha, self.letter = colour, name, alpha, letter

    def extent(self):
        return [x for x in self.xs if math.isfinite(x)], [y for y in self.lows + self.highs if math.isfinite(y)]

    def _edges(self, at):
        """Places on both lines, where both are there."""
        step = max(1, len(self.xs) // 1000)
        pairs = [
            (at(x, low), at(x, high)) for x, low, high in zip(self.xs[::step], self.lows[::step], self.highs[::step])
        ]
        return [(low, high) for low, high in pairs if low and high]

    def svg(self, at):
        edges = self._edges(at)
        corners = [low for low, _ in edges] + [high for _, high in reversed(edges)]
        places = " ".join(f"{_number(x)},{_number(y)}" for x, y in corners)
        return _see_through(f'<polygon points="{places}" fill="{self.colour}"/>', self.alpha)

    def key(self, x, y):
        return f'<rect {_box(x - 16, y - 5, x - 4, y + 5)} fill="{self.colour}" opacity="{self.alpha:g}"/>'

    def text(self, cells, at):
        edges = self._edges(at)
        for ((x0, low), (_, high)), ((x1, _), _) in zip(edges, edges[1:]):
            cells.box(x0, low, x1, high, self.letter)


class Picture:
    """Rows of numbers, the first on top, as colours; or rows of (red, green, blue)."""

    name = ""
    layer = 0

    def __init__(self, rows, shown_as="viridis", low=None, high=None, alpha=1.0):
        self.height, self.width = len(rows), len(rows[0]) if rows else 0
        if not self.width or any(len(row) != self.width for row in rows):
            raise TypeError("Invalid shape for image data: rows of the same length are expected")
        self.alpha = alpha
        step = max(1, -(-max(self.height, self.width) // _MOST_PIXELS))
        rows = [row[::step] for row in rows[::step]]
        self.pixels = (
            self._of_colours(rows)
            if isinstance(rows[0][0], (list, tuple))
            else self._of_numbers(rows, shown_as, low, high)
        )

    def _of_colours(self, rows):
        values = [part for row in rows for pixel in row for part in pixel[:3]]
        if any(len(pixel) not in (3, 4) for row in rows for pixel in row):
            raise TypeError(
                "Invalid shape for image data: 1, 3 or 4 numbers a pixel are expected, in the last dimension"
            )
        scale = 1 if all(isinstance(value, int) for value in values) else 255
        return [[tuple(min(max(int(part * scale), 0), 255) for part in pixel[:3]) for pixel in row] for row in rows]

    def _of_numbers(self, rows, shown_as, low, high):
        """All rows are shaded as one."""
        found = shades([value for row in rows for value in row], shown_as, low, high)
        width = len(rows[0])
        return [found[begin : begin + width] for begin in range(0, len(found), width)]

    def extent(self):
        return [-0.5, self.width - 0.5], [-0.5, self.height - 0.5]

    def _bitmap(self):
        """A BMP file: rows from the lowest, blue first, each filled up to four bytes."""
        rows, columns = len(self.pixels), len(self.pixels[0])
        body = []
        for row in reversed(self.pixels):
            for red, green, blue in row:
                body += (blue, green, red)
            body += [0] * (-3 * columns % 4)

        def word(value):
            return value.to_bytes(4, "little")

        sizes = word(40) + word(columns) + word(rows) + bytes((1, 0, 24, 0)) + word(0) + word(len(body)) + bytes(16)
        return b"BM" + word(54 + len(body)) + word(0) + word(54) + sizes + bytes(body)

    def svg(self, at):
        (x0, y0), (x1, y1) = at(-0.5, -0.5), at(self.width - 0.5, self.height - 0.5)
        box = _box(x0, y0, x1, y1)
        data = _glint_display.base64(self._bitmap())
        style = 'preserveAspectRatio="none" style="image-rendering:pixelated"'
        return _see_through(f'<image {box} {style} href="data:image/bmp;base64,{data}"/>', self.alpha)

    def text(self, cells, at):
        """Lightness as letters, from blank to dense."""
        light = [[(3 * red + 6 * green + blue) / 2550 for red, green, blue in row] for row in self.pixels]
        (x0, y0), (x1, y1) = at(-0.5, -0.5), at(self.width - 0.5, self.height - 0.5)
        for across, up in cells.places():
            column, row = (across - x0) / (x1 - x0), (max(y0, y1) - up) / abs(y1 - y0)
            if 0 <= column <= 1 and 0 <= row <= 1:
                line = light[min(int(row * len(light)), len(light) - 1)]
                share = line[min(int(column * len(line)), len(line) - 1)]
                cells.set(across, up, _RAMP[min(int(share * len(_RAMP)), len(_RAMP) - 1)])


class Rule:
    """A straight line across the whole, at a number of one axis."""

    layer = 2

    def __init__(self, value, is_level, colour, name="", style="-", width=1.5, alpha=1.0, letter="-"):
        self.value, self.is_level, self.colour, self.name = float(value), is_level, colour, name
        self.style, self.width, self.alpha, self.letter = style, width, alpha, letter

    def extent(self):
        there = [self.value] if math.isfinite(self.value) else []
        return ([], there) if self.is_level else (there, [])

    def _ends(self, at):
        return at.across(self.value) if self.is_level else at.upright(self.value)

    def svg(self, at):
        ends = self._ends(at)
        if ends is None:
            return ""
        (x0, y0), (x1, y1) = ends
        paint = f'stroke="{self.colour}" stroke-width="{self.width:g}" stroke-dasharray="{_DASHES[self.style]}"'
        line = f'<line x1="{_number(x0)}" y1="{_number(y0)}" x2="{_number(x1)}" y2="{_number(y1)}" {paint}/>'
        return _see_through(line, self.alpha)

    def key(self, x, y):
        paint = f'stroke="{self.colour}" stroke-width="{self.width:g}" stroke-dasharray="{_DASHES[self.style]}"'
        return f'<line x1="{x - 20}" y1="{y}" x2="{x}" y2="{y}" {paint}/>'

    def text(self, cells, at):
        ends = self._ends(at)
        if ends is not None:
            cells.segment(*ends[0], *ends[1], self.letter)


class Note:
    """Words at a place, with an arrow to another where `to` is one. They make no room for themselves."""

    name = ""
    layer = 9

    def __init__(self, words, place, colour, anchor="start", size=12.0, to=None):
        self.words, self.place, self.colour = words, place, colour
        self.anchor, self.size, self.to = anchor, size, to

    def extent(self):
        return [], []

    def svg(self, at):
        found, end = at(*self.place), at(*self.to) if self.to else None
        if found is None:
            return ""
        x, y = found
        words = escape("".join(letter for letter in self.words if letter >= " "))
        look = f'text-anchor="{self.anchor}" font-size="{self.size:g}" fill="{self.colour}"'
        drawn = f'<text x="{_number(x)}" y="{_number(y)}" {look}>{words}</text>'
        if end is None:
            return drawn
        arrow = f'<line x1="{_number(x)}" y1="{_number(y)}" x2="{_number(end[0])}" y2="{_number(end[1])}"'
        return f'{drawn}{arrow} stroke="{self.colour}"/>{_marker("o", *end, 4, f"fill={chr(34)}{self.colour}{chr(34)}")}'

    def text(self, cells, at):
        found = at(*self.place)
        if found is None:
            return
        words = self.words.split("\n")[0]
        column = round(found[0] * (cells.width - 1))
        column -= {"start": 0, "middle": len(words) // 2, "end": len(words)}[self.anchor]
        for i, letter in enumerate(words, column):
            cells.set(i / (cells.width - 1), found[1], letter)


def _see_through(drawn, alpha):
    return drawn if alpha == 1 or not drawn else f'<g opacity="{alpha:g}">{drawn}</g>'
