"""`Axes`: one plot of a figure, in matplotlib's words, around a chart (`glint._chart`)."""
import math

from glint._chart import Chart
from glint._colours import CYCLE, colour, shades
from glint._marks import Area, Bars, Line, Note, Picture, Rule
from glint._numbers import numbers, table
from matplotlib._formats import marker as marker_named
from matplotlib._formats import of_format, of_keywords

_range = range  # `hist` has an argument of that name
INSTEAD = (
    "it is not part of Glint's matplotlib, which has plot, scatter, bar, barh, hist, imshow, matshow, fill_between, "
    "axhline, axvline, text, annotate"
)


_ANCHORS = {"left": "start", "center": "middle", "right": "end"}


class Line2D:
    """A line that was plotted: its numbers may change until the figure is drawn."""

    def __init__(self, mark):
        self._mark = mark

    def set_data(self, xs, ys):
        self._mark.xs, self._mark.ys = numbers(xs), numbers(ys)

    def set_xdata(self, xs):
        self._mark.xs = numbers(xs)

    def set_ydata(self, ys):
        self._mark.ys = numbers(ys)

    def get_xdata(self):
        return self._mark.xs

    def get_ydata(self):
        return self._mark.ys

    def get_color(self):
        return self._mark.colour

    def set_label(self, label):
        self._mark.name = str(label)

    def get_label(self):
        return self._mark.name


def _rows(values):
    """(xs or None, ys, format) of each line in `plot(x, y, "r", x, y, ...)`."""
    values, found = list(values), []
    while values:
        first = values.pop(0)
        if values and not isinstance(values[0], str):
            xs, ys = first, values.pop(0)
        else:
            xs, ys = None, first
        form = values.pop(0) if values and isinstance(values[0], str) else ""
        if getattr(ys, "ndim", 1) == 2:
            found += [(xs, list(column), form) for column in zip(*table(ys))]
        else:
            found.append((xs, numbers(ys), form))
    return found


def _alone(pixel):
    """The number of a pixel that has one."""
    return pixel[0] if isinstance(pixel, list) and len(pixel) == 1 else pixel


class Axes:
    def __init__(self, figure):
        self.figure = figure
        self.clear()

    def __getattr__(self, name):
        raise AttributeError(f"'Axes' object has no attribute '{name}'; {INSTEAD}")

    def clear(self):
        old, self.chart = getattr(self, "chart", None), Chart()
        if old is not None:
            self.chart.alike = old.alike
            for charts in old.alike.values():
                charts[:] = [self.chart if each is old else each for each in charts]
        self.chart.has_legend = self.chart.has_grid = False
        self._next_colour = 0

    cla = clear

    # ---- What is drawn ----

    def _colour(self):
        self._next_colour += 1
        return CYCLE[(self._next_colour - 1) % len(CYCLE)]

    def plot(self, *values, **words):
        lines = []
        words.pop("data", None)
        given = of_keywords(words)
        for xs, ys, form in _rows(values):
            chosen = {**of_format(form), **given}
            if "colour" not in chosen:
                chosen["colour"] = self._colour()
            xs = numbers(range(len(ys))) if xs is None else self._on_axis("x", xs)
            mark = Line(xs, ys, **{"letter": self.chart.letter(), "width": 1.8, **chosen})
            lines.append(Line2D(self.chart.add(mark)))
        return lines

    def _scaled(self, x_scale, y_scale, values, words):
        self.set_xscale(x_scale)
        self.set_yscale(y_scale)
        return self.plot(*values, **words)

    def semilogx(self, *values, **words):
        return self._scaled("log", self.chart.y_scale, values, words)

    def semilogy(self, *values, **words):
        return self._scaled(self.chart.x_scale, "log", values, words)

    def loglog(self, *values, **words):
        return self._scaled("log", "log", values, words)

    def scatter(self, x, y, s=None, c=None, marker="o", *, cmap="viridis", vmin=None, vmax=None, **words):
        chosen = of_keywords(words)
        xs, ys = self._on_axis("x", x), numbers(y)
        sizes = [36.0] if s is None else numbers(s)
        one, colours = self._of_points(chosen.get("colour", c), len(xs), str(cmap), vmin, vmax)
        shape = {"name": chosen.get("name", ""), "alpha": chosen.get("alpha", 1.0), "marker": marker_named(marker)}
        mark = Line(xs, ys, one, style="", size=math.sqrt(sizes[0]), letter=self.chart.letter(), **shape)
        mark.colours = colours
        mark.sizes = [math.sqrt(size) for size in sizes] if len(sizes) == len(xs) > 1 else None
        return self.chart.add(mark)

    def _of_points(self, given, count, cmap, low, high):
        """One colour, and a list of them where each point has its own."""
        if given is None:
            return self._colour(), None
        if isinstance(given, str) or isinstance(given, tuple) and len(given) in (3, 4) and count != len(given):
            return colour(given), None
        if isinstance(given, (list, tuple)) and given and isinstance(given[0], (str, tuple)):
            colours = [colour(each) for each in given]
        else:
            found = shades(numbers(given), cmap, low, high)
            colours = ["#{:02x}{:02x}{:02x}".format(*each) for each in found]
        if len(colours) != count:
            told = f"'c' argument has {len(colours)} elements"
            raise ValueError(f"{told}, which is inconsistent with 'x' and 'y' with size {count}.")
        return CYCLE[0], colours

    def _on_axis(self, axis, values):
        """Numbers; words stand at 0, 1, 2, ... with themselves as ticks."""
        values = [values] if isinstance(values, str) else values
        words = list(values) if isinstance(values, (list, tuple)) else []
        if not words or not all(isinstance(word, str) for word in words):
            return numbers(values)
        ticks = list(getattr(self.chart, f"{axis}_ticks") or [])
        known = {text: place for place, text in ticks}
        for word in words:
            known.setdefault(word, float(len(known)))
        setattr(self.chart, f"{axis}_ticks", [(place, text) for text, place in known.items()])
        return [known[word] for word in words]

    def bar(self, x, height, width=0.8, bottom=0.0, *, align="center", **words):
        return self._bars("x", x, height, width, bottom, align, words)

    def barh(self, y, width, height=0.8, left=0.0, *, align="center", **words):
        return self._bars("y", y, width, height, left, align, words)

    def _bars(self, axis, places, lengths, width, start, align, words):
        edge = words.pop("edgecolor", words.pop("ec", None))
        given_colour = words.pop("color", None)
        given = of_keywords(words)
        places, lengths = self._on_axis(axis, places), numbers(lengths)
        widths, starts = numbers(width), numbers(start)
        several = isinstance(given_colour, list)
        one = None if several else colour(given_colour) if given_colour is not None else self._colour()
        colours = [colour(each) for each in given_colour] if several else [one]
        boxes = []
        for i, (place, length) in enumerate(zip(places, lengths if len(lengths) > 1 else lengths * len(places))):
            wide, begin = widths[i % len(widths)], starts[i % len(starts)]
            low = place - (wide / 2 if align == "center" else 0)
            box = (low, begin, low + wide, begin + length)
            boxes.append(box if axis == "x" else (box[1], box[0], box[3], box[2]))
        colours = [colours[i % len(colours)] for i in range(len(boxes))]
        edge = colour(edge) if edge is not None else "none"
        return self.chart.add(Bars(boxes, colours, given.get("name", ""), given.get("alpha", 1.0), edge))

    def hist(self, x, bins=10, range=None, density=False, **words):
        """Gives the counts, the bins' edges and the bars."""
        words.pop("histtype", None)
        values = [value for value in numbers(x.flatten() if hasattr(x, "flatten") else x) if math.isfinite(value)]
        edges = self._edges(values, bins, range)
        counts = [0.0] * (len(edges) - 1)
        is_even = not isinstance(bins, (list, tuple))
        for value in values:
            if not edges[0] <= value <= edges[-1]:
                continue
            if is_even:
                at = min(int((value - edges[0]) / (edges[-1] - edges[0]) * len(counts)), len(counts) - 1)
            else:
                at = max(i for i, edge in enumerate(edges[:-1]) if edge <= value)
            counts[at] += 1
        if density and values:
            counts = [count / sum(counts) / (high - low) for count, low, high in zip(counts, edges, edges[1:])]
        widths = [high - low for low, high in zip(edges, edges[1:])]
        return counts, edges, self.bar(edges[:-1], counts, widths, align="edge", **words)

    def _edges(self, values, bins, ends):
        if not isinstance(bins, int):
            return numbers(bins)
        low, high = (min(values), max(values)) if ends is None and values else ends or (0.0, 1.0)
        if low == high:
            low, high = low - 0.5, high + 0.5
        return [low + (high - low) * i / bins for i in _range(bins + 1)]

    def imshow(
        self, X, cmap=None, vmin=None, vmax=None, alpha=1.0, origin="upper", aspect="equal", interpolation=None, **words
    ):
        of_keywords(words)
        rows = [[_alone(pixel) for pixel in row] for row in table(X)]
        rows = rows[::-1] if origin == "lower" else rows
        mark = Picture(rows, str(cmap or "viridis"), vmin, vmax, 1.0 if alpha is None else alpha)
        self.chart.keeps_shape = aspect != "auto"
        self.chart.margin = 0.0
        limits = (mark.height - 0.5, -0.5)
        self.chart.y_limits = limits[::-1] if origin == "lower" else limits
        return self.chart.add(mark)

    def matshow(self, Z, **words):
        """A matrix as an image, each element a square."""
        return self.imshow(Z, **words)

    def fill_between(self, x, y1, y2=0.0, **words):
        """The area between two lines."""
        words.pop("step", None)
        chosen = of_keywords(words)
        xs, highs = numbers(x), numbers(y1)
        lows = numbers(y2) if hasattr(y2, "__iter__") else [float(y2)] * len(xs)
        paint = chosen.get("colour") or self._colour()
        return self.chart.add(Area(xs, lows, highs, paint, chosen.get("name", ""), chosen.get("alpha", 1.0)))

    def axhline(self, y=0, xmin=0, xmax=1, **words):
        return self._rule(y, True, words)

    def axvline(self, x=0, ymin=0, ymax=1, **words):
        return self._rule(x, False, words)

    def _rule(self, value, is_level, words):
        chosen = of_keywords(words)
        chosen.pop("marker", None)
        chosen.pop("size", None)
        chosen.setdefault("colour", CYCLE[0])
        return self.chart.add(Rule(value, is_level, **chosen, letter="-" if is_level else "|"))

    def text(self, x, y, s, fontdict=None, *, ha="left", va=None, color="black", fontsize=12, to=None, **words):
        """Words, with their beginning at a place of the axes'."""
        ha = words.pop("horizontalalignment", ha)
        if "transform" in words:
            raise ValueError("'transform': words stand at a place of the axes' numbers here")
        if ha not in _ANCHORS:
            raise ValueError(f"{ha!r} is not a valid value for ha; supported values are 'left', 'center', 'right'")
        size = float(fontsize) if isinstance(fontsize, (int, float)) else 12.0
        return self.chart.add(Note(str(s), (float(x), float(y)), colour(color), _ANCHORS[ha], size, to))

    def annotate(self, text, xy, xytext=None, *, arrowprops=None, **words):
        """Words at `xytext`, with a line to `xy` where `arrowprops` asks for an arrow. Words that are so many
        points away from `xy` stand there."""
        coordinates = words.pop("textcoords", "data")
        if coordinates == "offset points":
            xytext = None
        elif words.pop("xycoords", "data") != "data" or coordinates != "data":
            raise ValueError("'xycoords' and 'textcoords': places are of the axes' numbers here, 'data'")
        to = None if arrowprops is None else (float(xy[0]), float(xy[1]))
        return self.text(*(xytext or xy), text, to=to, **words)

    # ---- What stands around it ----

    def set_title(self, label, **ignored):
        self.chart.title = str(label)

    def set_xlabel(self, xlabel, **ignored):
        self.chart.x_label = str(xlabel)

    def set_ylabel(self, ylabel, **ignored):
        self.chart.y_label = str(ylabel)

    def _limits(self, name, low, high):
        now = getattr(self.chart, name)
        if isinstance(low, (tuple, list)):
            low, high = low
        limits = tuple(old if new is None else float(new) for old, new in zip(now, (low, high)))
        setattr(self.chart, name, limits)
        return limits

    def set_xlim(self, left=None, right=None, **ignored):
        return self._limits("x_limits", left, right)

    def set_ylim(self, bottom=None, top=None, **ignored):
        return self._limits("y_limits", bottom, top)

    def _ends(self, axis):
        return (axis.value_at(0.0), axis.value_at(1.0))

    def get_xlim(self):
        return self._ends(self.chart.axes()[0])

    def get_ylim(self):
        return self._ends(self.chart.axes()[1])

    def _scale(self, name, scale):
        if scale not in ("linear", "log"):
            raise ValueError(f"{scale!r} is not a valid value for scale; supported values are 'linear', 'log'")
        setattr(self.chart, name, scale)

    def set_xscale(self, value, **ignored):
        self._scale("x_scale", value)

    def set_yscale(self, value, **ignored):
        self._scale("y_scale", value)

    def _ticks(self, name, ticks, labels):
        places = numbers(ticks)
        texts = [f"{place:g}" for place in places] if labels is None else [str(label) for label in labels]
        if len(texts) != len(places):
            raise ValueError(f"{len(places)} ticks, and {len(texts)} labels for them")
        setattr(self.chart, name, list(zip(places, texts)))

    def set_xticks(self, ticks, labels=None, **ignored):
        self._ticks("x_ticks", ticks, labels)

    def set_yticks(self, ticks, labels=None, **ignored):
        self._ticks("y_ticks", ticks, labels)

    def _tick_labels(self, name, labels):
        """Words for the ticks that there are, or for 0, 1, 2, ...; what begins with an empty one is for the
        ticks from -1 on that an image has."""
        labels = [str(label) for label in labels]
        places = [place for place, _ in getattr(self.chart, name) or ()]
        if not places:
            first = -1 if labels and labels[0] == "" else 0
            places = [float(first + i) for i in _range(len(labels))]
        ticks = [(place, text) for place, text in zip(places, labels) if text]
        setattr(self.chart, name, ticks)

    def set_xticklabels(self, labels, **ignored):
        self._tick_labels("x_ticks", labels)

    def set_yticklabels(self, labels, **ignored):
        self._tick_labels("y_ticks", labels)

    def legend(self, *names, **ignored):
        """Of what has a label; or names in the order of what was plotted."""
        texts = names[-1] if names else ()
        for mark, text in zip([mark for mark in self.chart.marks if not isinstance(mark, Note)], texts):
            mark.name = str(text)
        self.chart.has_legend = True

    def grid(self, visible=True, which="major", axis="both", **ignored):
        self.chart.has_grid = visible is not False

    def axis(self, option=None):
        if option in ("off", False):
            self.chart.has_axes = False
        elif option in ("on", True):
            self.chart.has_axes = True
        elif option in ("equal", "scaled", "image"):
            self.chart.keeps_shape = True
        elif isinstance(option, (tuple, list)):
            self.set_xlim(option[0], option[1])
            self.set_ylim(option[2], option[3])
        elif option not in (None, "auto", "tight"):
            raise ValueError(f"Unrecognized string {option!r} to axis; try 'on' or 'off'")
        return self.get_xlim() + self.get_ylim()

    def set(self, **words):
        """`set(title="a", xlabel="b")` is `set_title("a")` and `set_xlabel("b")`."""
        for name, value in words.items():
            getattr(self, f"set_{name}")(value)
