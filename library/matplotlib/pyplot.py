"""Plots as statements: each goes to the figure that is at work.

    import matplotlib.pyplot as plt

    plt.plot(losses, "r--o", label="train")
    plt.legend()
    plt.show()

A notebook shows what is open at the end of a cell; elsewhere `show` prints it as text.
"""
import _glint_display
from matplotlib._axes import INSTEAD, Axes, Line2D
from matplotlib._figure import Figure, rcParams

_open = []  # figures, the one at work last
_numbered = 0


def figure(num=None, figsize=None, **ignored):
    """A new figure, or the open one of that number, is at work from now on."""
    global _numbered
    for each in _open:
        if num is not None and each.number == num:
            _open.remove(each)
            _open.append(each)
            return each
    _numbered += 1
    _open.append(Figure(figsize, _numbered if num is None else num))
    return _open[-1]


_current = None  # axes that `subplot` or `sca` chose


def gcf():
    return _open[-1] if _open else figure()


def _is_open():
    return _current is not None and _open and _current.figure is _open[-1]


def gca():
    return _current if _is_open() else gcf().gca()


def sca(ax):
    global _current
    _current = ax


def subplots(nrows=1, ncols=1, *, sharex=False, sharey=False, squeeze=True, figsize=None, **ignored):
    made = figure(figsize=figsize)
    return made, made.subplots(nrows, ncols, squeeze, sharex, sharey)


def subplot(*place, **ignored):
    sca(gcf().add_subplot(*place))
    return gca()


def close(fig=None):
    """The figure at work, another one, or "all"."""
    if fig == "all":
        _open.clear()
    for each in list(_open):
        if each is fig or each.number == fig or fig is None and each is _open[-1]:
            _open.remove(each)


def cla():
    gca().clear()


def clf():
    gcf().clear()


def show(*ignored, **words):
    """Shows what is open, and closes it."""
    while _open:
        each = _open.pop(0)
        if not each.axes:
            continue
        if _glint_display.is_rich():
            _glint_display.show({"text/plain": each.text(), "image/svg+xml": each.svg()}, "", False)
        else:
            print(each.text())


if _glint_display.is_rich():
    _glint_display.at_cell_end.append(show)


def savefig(fname, **ignored):
    gcf().savefig(fname)


def suptitle(t, **ignored):
    gcf().suptitle(t)


def tight_layout(**ignored):
    gcf().tight_layout()


def xlim(left=None, right=None):
    return gca().get_xlim() if left is None and right is None else gca().set_xlim(left, right)


def ylim(bottom=None, top=None):
    return gca().get_ylim() if bottom is None and top is None else gca().set_ylim(bottom, top)


def _on_axes(name):
    def call(*values, **words):
        return getattr(gca(), name)(*values, **words)

    call.__name__ = name
    return call


plot, scatter, bar, barh = _on_axes("plot"), _on_axes("scatter"), _on_axes("bar"), _on_axes("barh")
hist, imshow, fill_between = _on_axes("hist"), _on_axes("imshow"), _on_axes("fill_between")
matshow = _on_axes("matshow")
axhline, axvline = _on_axes("axhline"), _on_axes("axvline")
text, annotate = _on_axes("text"), _on_axes("annotate")
semilogx, semilogy, loglog = _on_axes("semilogx"), _on_axes("semilogy"), _on_axes("loglog")
title, xlabel, ylabel = _on_axes("set_title"), _on_axes("set_xlabel"), _on_axes("set_ylabel")
xscale, yscale = _on_axes("set_xscale"), _on_axes("set_yscale")
xticks, yticks = _on_axes("set_xticks"), _on_axes("set_yticks")
legend, grid, axis = _on_axes("legend"), _on_axes("grid"), _on_axes("axis")


def __getattr__(name):
    raise AttributeError(f"module 'matplotlib.pyplot' has no attribute '{name}'; {INSTEAD}")
