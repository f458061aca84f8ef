"""`glint.plot`: lines of numbers as a chart."""
from glint._chart import Chart
from glint._colours import colour
from glint._numbers import numbers, table


def _series(values):
    """(xs, ys) pairs of what stands for points: `ys`, `xs, ys`, or a dict of names and numbers."""
    if len(values) == 1 and isinstance(values[0], dict):
        return [(None, numbers(ys), str(name)) for name, ys in values[0].items()]
    if len(values) == 1:
        values = (None, values[0])
    if len(values) != 2:
        raise TypeError(f"plot() takes `ys` or `xs, ys`, not {len(values)} rows of numbers")
    xs, ys = values
    if getattr(ys, "ndim", 1) == 2:
        return [(xs, list(column), "") for column in zip(*table(ys))]
    return [(xs, numbers(ys), "")]


def plot(values, label, color, marker, **words):
    """As `glint.plot`; `words` go to the chart."""
    chart = Chart(**words)
    found = _series(values)
    labels = list(label) if isinstance(label, (list, tuple)) else [label] * len(found)
    if len(labels) != len(found):
        raise ValueError(f"{len(labels)} labels for {len(found)} lines")
    for (xs, ys, name), given in zip(found, labels):
        xs = numbers(range(len(ys)) if xs is None else xs)
        chosen = {"colour": colour(color)} if color else {}
        lone = marker or ("o" if len(ys) == 1 else "")
        chart.line(xs, ys, str(given or name), marker=lone, **chosen)
    return chart
