"""Exercises that the compiler grades: what one expects is held against what it makes.

    from glint import course

    course.predict(f, x, kernels=1)                     right: kernels of `f`: 1
    course.predict(f, calls=[(x,), (y,)], entries=2)    several calls, one after the other
    course.task(mine, x, kernels=1, like=f)             done: `mine` gives what `f` gives; kernels: 1

The function is compiled anew, and its stages are counted, with those of the functions that it
calls. A first wrong number brings a hint, a second one the number and the lines that it stands in.
"""
import _glint_report
from glint import _answers


def _lines(stage, since):
    return [line for _, lines in _glint_report.stage(None, stage, since) for line in lines]


def _nodes(function, since):
    """With gradients the forward stands there twice: alone, and in one graph with its backward."""
    stages = [lines for _, lines in _glint_report.stage(None, "graph", since) if "backward:" not in lines]
    graph = [line for lines in stages for line in lines]
    return len([line for line in graph if " = " in line and not line.startswith("graph ")]), graph


def _kernels(function, since):
    named = [line for line in _lines("kernels", since) if line.startswith("kernel ")]
    return len(named), named + _lines("fusion", since)


def _entries(function, since):
    """Titles are `f`, `f from 4:5` behind a break, `f, entry 2` for other guards."""
    regions = _glint_report.stage(function, "guards", since)
    titles = [title for title, _ in regions if " from " not in title]
    return len(titles), [line for _, lines in regions for line in lines if " failed: " in line]


def _breaks(since):
    return dict.fromkeys(line for line in _lines("breaks", since) if line.startswith("GB"))


def _pieces(function, since):
    """A call is cut at each break, also where a function that it calls breaks.

    A piece that computes nothing leaves no line in the log: what begins behind it tells of it.
    """
    regions = _glint_report.stage(None, "guards", since)
    behind = {title.split(", entry ")[0] for title, _ in regions if " from " in title}
    found = max(len(_breaks(since)), len(behind)) + 1 if _nodes(function, since)[0] else 0
    return found, _lines("breaks", since)


# What can be counted: in words, how, and the command that shows it. The counts come with the lines
# that explain them.
_COUNTS = {
    "nodes": ("operations in the graph", _nodes, "`:graph {}` shows what it was counted in"),
    "kernels": ("kernels", _kernels, "`:fusion {}` says what is joined; library calls are no kernels"),
    "entries": ("compiled entries", _entries, "from nothing; `:guards {}` shows what a call must fulfil"),
    "regions": ("regions", _pieces, "`:breaks {}` says where the graph ends, and why"),
}
_wrong_answers = {}  # by function and count: what has been tried


def _count_named(name):
    if name not in _COUNTS:
        raise TypeError(f"nothing is counted as '{name}'; there are {', '.join(_COUNTS)}")
    return _COUNTS[name]


def _name_of(function):
    return getattr(function, "__name__", type(function).__name__)


def _name_in_commands(function):
    """What `:graph` and others know it by: of a module, its class's `forward`."""
    return _name_of(function) if hasattr(function, "__name__") else f"{_name_of(function)}.forward"


def _no_number(answer):
    """Why an answer cannot be held against a count, in words; empty if it can."""
    if type(answer) is int:
        return ""
    return f"a whole number is asked for, and {answer!r} is a {type(answer).__name__}"


def _show(lines):
    for line in lines:
        print(f"    {line}")


def _one_expected(arguments, expected):
    if len(expected) == 1:
        return next(iter(expected.items()))
    names = ", ".join(f"{name}=" for name in _COUNTS)
    last = arguments[-1] if arguments else None
    if not expected and (type(last) is int or last is ...):
        raise TypeError(f"say what the {last!r} counts: one of {names}")
    raise TypeError(f"predict() takes one answer at a time: one of {names}")


def _tell_wrong(function, counted, answer, number, why):
    name = _name_of(function)
    words, _, hint = _COUNTS[counted]
    tried = _wrong_answers.setdefault((name, counted), set())
    tried.add(answer)
    if len(tried) > 1:
        print(f"not quite: {words} of `{name}`: {number}, not {answer}")
        _show(why)
        return
    print(f"not quite: {answer} is too {'few' if answer < number else 'many'} {words} of `{name}`")
    _show([hint.format(_name_in_commands(function)), "after another wrong number the right one is told"])


def predict(function, *arguments, calls=None, **expected):
    """Says whether a count of what the function is compiled to is what one expected.

    `expected` is one of nodes, kernels, entries and regions; `...` stands for no answer yet.
    """
    counted, answer = _one_expected(arguments, expected)
    words, count, _ = _count_named(counted)
    name = _name_of(function)
    if answer is ...:
        print(f"no answer yet: how many {words} of `{name}` are there? Put a number for `...`;")
        print("a first guess that is wrong brings a hint")
        return
    if _no_number(answer):
        print(f"no answer yet: {_no_number(answer)}")
        return
    given = [arguments] if calls is None else calls
    run = _answers.run_compiled(function, given)
    if run.raised:
        print(f"`{name}` raises:")
        _show(run.raised)
        return
    number, why = count(function, run.since)
    if number != answer:
        _tell_wrong(function, counted, answer, number, why)
        return
    print(f"right: {words} of `{name}`: {number}")
    _show(why)


def _first_difference(name, other, given, mine, wanted):
    """What a call gave that it should not have, as lines; empty if nothing."""
    for number, (result, right) in enumerate(zip(mine.results, wanted.results), 1):
        which = f"{name}(...)" if len(given) == 1 else f"call {number} of {name}"
        if mine.changed[number - 1] and not wanted.changed[number - 1]:
            return [f"{which} changes its input, and {other}(...) does not"]
        difference = _answers.difference(result, right)
        if difference:
            return [f"{which}: {difference}"]
    return []


def _over(most, function, since):
    """The first count that is not as asked, as (what is so, its lines), or None; and all counts."""
    reached = []
    if not _nodes(function, since)[0]:
        return ("nothing that it computes was compiled", _lines("breaks", since)), reached
    for each, limit in most.items():
        words, count, hint = _COUNTS[each]
        number, why = count(function, since)
        if number > limit:
            hint = hint.format(_name_in_commands(function))
            return (f"{words}: {number}, and at most {limit} is asked for", why + [hint]), reached
        reached.append(f"{words}: {number}")
    if "kernels" in most and _pieces(function, since)[0] > 1:
        return ("what runs at a break is in no kernel", _lines("breaks", since)), reached
    return None, reached


def task(function, *arguments, like, calls=None, **most):
    """Says whether a function gives what `like` gives, and is compiled to no more than asked for."""
    given = [arguments] if calls is None else calls
    name, other = _name_of(function), _name_of(like)
    for each, limit in most.items():
        _count_named(each)
        if _no_number(limit):
            raise TypeError(f"{each}: {_no_number(limit)}")
    wanted = _answers.run_eager(like, given)
    mine = _answers.run_compiled(function, given)
    if wanted.raised or mine.raised:
        print(f"not yet: `{other if wanted.raised else name}` raises:")
        _show(wanted.raised or mine.raised)
        return
    wrong = _first_difference(name, other, given, mine, wanted)
    if wrong:
        print(f"not yet: `{name}` does not give what `{other}` gives")
        _show(wrong)
        return
    over, reached = _over(most, function, mine.since)
    if over:
        print(f"not yet: `{name}` gives what `{other}` gives; but {over[0]}")
        _show(over[1])
        return
    print("; ".join([f"done: `{name}` gives what `{other}` gives"] + reached))
