"""Exercises that the compiler grades: what one expects is held against what it makes.

    from glint import course

    course.predict(f, x, kernels=1)                     right: kernels of `f`: 1
    course.predict(f, calls=[(x,), (y,)], entries=2)    several calls, one after the other
    course.task(mine, x, kernels=1, like=f)             done: `mine` gives what `f` gives, kernels: 1

No answer is written down anywhere: the function is compiled, and its stages are counted. Where the
count is another, the stage that it stands in says why.
"""
import _glint_report


def _lines(function, stage, since):
    return [line for _, lines in _glint_report.stage(function, stage, since) for line in lines]


def _regions(function, since):
    """Titles of regions: `f`, `f from 4:5` behind a break, `f, entry 2` for other guards."""
    return [title for title, _ in _glint_report.stage(function, "guards", since)]


def _nodes(function, since):
    graph = _lines(function, "graph", since)
    return len([line for line in graph if " = " in line and not line.startswith("graph ")]), graph


def _kernels(function, since):
    named = [line for line in _lines(function, "kernels", since) if line.startswith("kernel ")]
    return len(named), named + _lines(function, "fusion", since)


def _entries(function, since):
    titles = [title for title in _regions(function, since) if " from " not in title]
    guards = _lines(function, "guards", since)
    return len(titles), [line for line in guards if " failed: " in line]


def _pieces(function, since):
    places = {title.split(", entry ")[0] for title in _regions(function, since)}
    return len(places), _lines(function, "breaks", since)


# What can be counted: in words, and how; the counts come with the lines that explain them.
_COUNTS = {
    "nodes": ("operations in the graph", _nodes),
    "kernels": ("kernels", _kernels),
    "entries": ("compiled entries", _entries),
    "regions": ("regions in a call", _pieces),
}


def _count_named(name):
    if name not in _COUNTS:
        raise TypeError(f"nothing is counted as '{name}'; there are {', '.join(_COUNTS)}")
    return _COUNTS[name]


def _run(function, arguments, calls):
    """What the compiled calls gave, and where their compiles begin in the log."""
    import torch

    since = _glint_report.compiles()
    compiled = torch.compile(function)
    given = [arguments] if calls is None else calls
    return [compiled(*each) for each in given], since


def _show(lines):
    for line in lines:
        print(f"    {line}")


def predict(function, *arguments, calls=None, **expected):
    """Says whether a count of what the function is compiled to is what one expected.

    `expected` is one of nodes, kernels, entries and regions; `...` stands for no answer yet.
    """
    if len(expected) != 1:
        raise TypeError(f"predict() takes one of {', '.join(_COUNTS)}")
    [(name, answer)] = expected.items()
    words, count = _count_named(name)
    if answer is ...:
        print(f"no answer yet: how many {words} of `{function.__name__}` are there? Put a number for `...`")
        return
    number, why = count(function, _run(function, arguments, calls)[1])
    if number == answer:
        print(f"right: {words} of `{function.__name__}`: {number}")
    else:
        print(f"not quite: {words} of `{function.__name__}`: {number}, not {answer}")
    _show(why)


def _is_like(mine, other):
    import torch

    if isinstance(other, (tuple, list)):
        same = isinstance(mine, (tuple, list)) and len(mine) == len(other)
        return same and all(_is_like(a, b) for a, b in zip(mine, other))
    if not isinstance(mine, torch.Tensor) or not isinstance(other, torch.Tensor):
        return type(mine) is type(other) and mine == other
    same = mine.shape == other.shape and mine.dtype == other.dtype
    return same and torch.allclose(mine, other, equal_nan=True)


def task(function, *arguments, like, calls=None, **most):
    """Says whether a function gives what `like` gives, and is compiled to no more than asked for."""
    given = [arguments] if calls is None else calls
    name, asked = function.__name__, {each: _count_named(each) for each in most}
    wanted = [like(*each) for each in given]
    results, since = _run(function, arguments, calls)
    for each, mine, other in zip(given, results, wanted):
        if not _is_like(mine, other):
            print(f"not yet: `{name}` does not give what `{like.__name__}` gives")
            _show([f"{name}(...) is {mine!r}", f"{like.__name__}(...) is {other!r}"])
            return
    reached = []
    for each, (words, count) in asked.items():
        number, why = count(function, since)
        if number > most[each]:
            print(f"not yet: {words} of `{name}`: {number}, and at most {most[each]} is asked for")
            _show(why)
            return
        reached.append(f"{words}: {number}")
    print(f"done: `{name}` gives what `{like.__name__}` gives; " + ", ".join(reached))
