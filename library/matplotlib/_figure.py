"""`Figure`: plots side by side and one below the other, as one picture."""
from glint._chart import card, written
from matplotlib._axes import Axes

_PIXELS = 80  # an inch


class RcParams(dict):
    """Of all settings the one that has an effect here: `rcParams["figure.figsize"]`, in inches."""

    def __setitem__(self, name, value):
        if name not in self:
            raise KeyError(f"{name} is not a valid rc parameter here: Glint's matplotlib has figure.figsize alone")
        width, height = value
        dict.__setitem__(self, name, [float(width), float(height)])

    def update(self, given=(), **words):
        for name, value in dict(given, **words).items():
            self[name] = value


rcParams = RcParams({"figure.figsize": [6.4, 4.0]})


class AxesGrid(list):
    """What `subplots` gives of several: `axes[0]`, `axes[1, 2]`, `axes.flat`."""

    def __getitem__(self, place):
        if isinstance(place, tuple):
            row, column = place
            return list.__getitem__(self, row)[column]
        return list.__getitem__(self, place)

    @property
    def flat(self):
        return [each for row in self for each in (row if isinstance(row, list) else [row])]

    def flatten(self):
        return AxesGrid(self.flat)

    ravel = flatten

    @property
    def shape(self):
        return (len(self), len(self[0])) if self and isinstance(self[0], list) else (len(self),)

    @property
    def size(self):
        return len(self.flat)


def _make_alike(axis, how, rows):
    """Gives plots of a grid the same ends: all of them, or those of a row or a column."""
    known = {"all": "all", True: "all", "row": "row", "col": "col", "none": "none", False: "none"}
    if how not in known:
        raise ValueError(f"{how!r} is not a valid value for share{axis}; 'all', 'row', 'col', 'none' are")
    columns = [list(column) for column in zip(*rows)]
    groups = {"all": [[each for row in rows for each in row]], "row": rows, "col": columns, "none": []}
    for group in groups[known[how]]:
        charts = [axes.chart for axes in group]
        for chart in charts:
            chart.alike[axis] = charts


class Figure:
    def __init__(self, figsize=None, number=1):
        self.number = number
        width, height = figsize or rcParams["figure.figsize"]
        self.width, self.height = round(width * _PIXELS), round(height * _PIXELS)
        self.title = ""
        self._axes = []  # (axes, row, column, rows, columns)

    def __getattr__(self, name):
        raise AttributeError(f"'Figure' object has no attribute '{name}'; it is not part of Glint's matplotlib")

    @property
    def axes(self):
        return [each[0] for each in self._axes]

    def add_subplot(self, *place, **ignored):
        """`add_subplot(2, 3, 1)` is the first of two rows with three each; so is `add_subplot(231)`."""
        if len(place) == 1:
            place = tuple(int(digit) for digit in str(place[0]))
        rows, columns, number = place or (1, 1, 1)
        if not 1 <= number <= rows * columns:
            raise ValueError(f"num must be an integer with 1 <= num <= {rows * columns}, not {number}")
        row, column = (number - 1) // columns, (number - 1) % columns
        for found, *where in self._axes:
            if where == [row, column, rows, columns]:
                return found
        self._axes.append((Axes(self), row, column, rows, columns))
        return self._axes[-1][0]

    def subplots(self, nrows=1, ncols=1, squeeze=True, sharex=False, sharey=False, **ignored):
        found = [
            [self.add_subplot(nrows, ncols, row * ncols + column + 1) for column in range(ncols)]
            for row in range(nrows)
        ]
        _make_alike("x", sharex, found)
        _make_alike("y", sharey, found)
        if squeeze and nrows == ncols == 1:
            return found[0][0]
        if squeeze and 1 in (nrows, ncols):
            return AxesGrid(each for row in found for each in row)
        return AxesGrid(AxesGrid(row) for row in found)

    def gca(self):
        return self._axes[-1][0] if self._axes else self.add_subplot(1, 1, 1)

    def clear(self):
        self._axes, self.title = [], ""

    clf = clear

    def suptitle(self, t, **ignored):
        self.title = str(t)

    def tight_layout(self, **ignored):
        """Plots never overlap here."""

    def set_size_inches(self, width, height=None):
        width, height = width if height is None else (width, height)
        self.width, self.height = round(width * _PIXELS), round(height * _PIXELS)

    def svg(self):
        top = 26 if self.title else 0
        parts = ""
        if self.title:
            parts += (
                f'<text x="{self.width / 2:.0f}" y="20" text-anchor="middle" font-size="15">'
                f"{written(self.title)}</text>"
            )
        for axes, row, column, rows, columns in self._axes:
            wide, tall = self.width // columns, (self.height - top) // rows
            parts += (
                f'<g transform="translate({column * wide} {top + row * tall})">{axes.chart.svg_part(wide, tall)}</g>'
            )
        return card(parts, self.width, self.height, self.title or self._named())

    def _named(self):
        titles = [axes.chart.title for axes in self.axes if axes.chart.title]
        return ", ".join(titles) or f"Figure {self.number}"

    _repr_svg_ = svg

    def text(self):
        parts = [self.title] if self.title else []
        return "\n\n".join(parts + [axes.chart.text() for axes in self.axes])

    def __repr__(self):
        return f"<Figure size {self.width}x{self.height} with {len(self._axes)} Axes>"

    def savefig(self, fname, **ignored):
        name = str(fname)
        suffix = name.rsplit(".", 1)[-1] if "." in name.rsplit("/", 1)[-1] else "png"
        if suffix != "svg":
            raise ValueError(f"Format '{suffix}' is not supported (supported formats: svg); pixels are not drawn here")
        with open(name, "w") as file:
            file.write(self.svg())
