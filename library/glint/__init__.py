"""What Glint has beside PyTorch's API."""
import _glint_report

from glint import cuda


def report(function, *arguments, **keywords):
    """Calls a function under torch.compile and writes a page that shows all that was made of it.

        glint.report(f, x, "out.html")

    The page's path stands behind the function's arguments; it is no script that runs. Gives what the
    function gave.
    """
    import torch

    if not arguments or not isinstance(arguments[-1], str):
        raise TypeError("report() needs the path of the page behind the function's arguments")
    path = arguments[-1]
    _glint_report.check_target(path)
    result = torch.compile(function)(*arguments[:-1], **keywords)
    with open(path, "w") as page:
        page.write(_glint_report.page(function))
    return result


def bench(function, *arguments, **keywords):
    """Compares a call eager and compiled, for about a second.

        found = glint.bench(f, x)
        found.eager.median, found.compiled.spread, found.compile, found.break_even

    Gives a comparison that prints as a table with a roofline; see docs/timing.md.
    """
    from glint import _bench

    return _bench.compare("", function, arguments, keywords, 1.0)


def sweep(make, sizes, name="n"):
    """Compares a call for several sizes, a third of a second each.

        glint.sweep(lambda n: (f, torch.randn(n)), [1e3, 1e4, 1e5])

    `make(n)` gives the function and its arguments; it may make another function for each n. Gives
    the comparisons, which print as a table and a curve.
    """
    from glint import _bench

    numbers = _bench.checked(sizes)
    found = []
    for n in numbers:
        function, *arguments = make(n)
        found.append(_bench.compare("", function, arguments, {}, 0.3))
    return _bench.Sweep(name, numbers, found)


def plot(
    *values, label="", color=None, marker="", title="", x_label="", y_label="", x_scale="linear", y_scale="linear"
):
    """Draws lines: numbers, `xs, ys`, columns of a matrix, or a dict of names and numbers.

        glint.plot(losses)
        glint.plot(xs, torch.sin(xs), label="sin")
        glint.plot({"train": train, "test": test}, y_scale="log")

    Gives a chart, which a notebook shows as a picture and a terminal as text: `print(chart)`.
    """
    from glint import _plot

    return _plot.plot(
        values, label, color, marker, x_label=x_label, y_label=y_label, x_scale=x_scale, y_scale=y_scale, title=title
    )
