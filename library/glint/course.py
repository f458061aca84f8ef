"""Exercises that the compiler grades: what one expects is held against what it makes.

    from glint import course

    course.predict(f, x, kernels=1)                     right: kernels of `f`: 1
    course.predict(f, calls=[(x,), (y,)], entries=2)    several calls, one after the other
    course.task(mine, x, kernels=1, like=f)             done: `mine` gives what `f` gives; kernels: 1

The function is compiled anew, and what the log keeps of it is counted, with that of the functions that
it calls. A first wrong number brings a hint, another one the number and the lines that it stands in.
"""
import _glint_report
from glint import _answers


def _lines(stage, regions):
    return [line for region in regions for line in region["lines"].get(stage, [])]


def _nodes(function, regions):
    """A backward's own graph has none that count: what is differentiated stands in the forward."""
    counted = [region for region in regions if region["operations"]]
    return sum(region["operations"] for region in counted), _lines("graph", counted)


def _kernels(function, regions):
    kernels = [kernel for region in regions for kernel in region["kernels"]]
    return len(kernels), kernels + _lines("fusion", regions)


def _entries(function, regions):
    """What begins behind a break goes on with an entry, and is none."""
    definition = _glint_report.definition(function)
    entries = [region for region in regions if region["definition"] == definition and not region["is_behind_break"]]
    return len(entries), [region["recompiled"] for region in entries if region["recompiled"]]


def _pieces(function, regions):
    """A call is cut at each break, also where a function that it calls breaks.

    A break tells of the piece before it, a beginning of the break: either may hold nothing to compile.
    """
    if not _nodes(function, regions)[0]:
        return 0, []
    breaks = {place for region in regions for place in region["breaks"]}
    behind = {region["place"] for region in regions if region["is_behind_break"]}
    return max(len(breaks), len(behind)) + 1, _lines("breaks", regions)


# What can be counted: in words, how, and the command that shows it. The counts come with the lines
# that explain them.
_COUNTS = {
    "nodes": ("operations in the graph", _nodes, "`:graph {}` shows what it was counted in"),
    "kernels": ("kernels", _kernels, "`:fusion {}` says what is joined; library calls are no kernels"),
    "entries": ("compiled entries", _entries, "from nothing; `:guards {}` shows what a call must fulfil"),
    "regions": ("regions", _pieces, "`:breaks {}` says where the graph ends, and why"),
}
_wrong_answers = {}  # by what is written of the function, and count: what has been tried


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
    tried = _wrong_answers.setdefault((name, _glint_report.text(function), counted), set())
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
    number, why = count(function, run.regions)
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


def _over(most, function, regions):
    """The first count that is not as asked, as (what is so, its lines), or None; and all counts."""
    reached = []
    if not _nodes(function, regions)[0]:
        return ("nothing that it computes was compiled", _lines("breaks", regions)), reached
    for each, limit in most.items():
        words, count, hint = _COUNTS[each]
        number, why = count(function, regions)
        if number > limit:
            hint = hint.format(_name_in_commands(function))
            return (f"{words}: {number}, and at most {limit} is asked for", why + [hint]), reached
        reached.append(f"{words}: {number}")
    if "kernels" in most and _pieces(function, regions)[0] > 1:
        return ("what runs at a break is in no kernel", _lines("breaks", regions)), reached
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
    over, reached = _over(most, function, mine.regions)
    if over:
        print(f"not yet: `{name}` gives what `{other}` gives; but {over[0]}")
        _show(over[1])
        return
    print("; ".join([f"done: `{name}` gives what `{other}` gives"] + reached))
