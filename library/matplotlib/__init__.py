"""The part of matplotlib that notebooks on training use: `matplotlib.pyplot`.

It draws SVG, in a notebook below the cell, and text for a terminal. It is no matplotlib: what is not
there says so.
"""


from matplotlib._figure import rcParams


def use(backend, *, force=True):
    """There is one way to draw."""
