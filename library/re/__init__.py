"""Regular expressions.

    re.findall(r"(\\w+)=(\\d+)", "lr=3 steps=10")       # [("lr", "3"), ("steps", "10")]
    re.split(r"([,.]|\\s)", "a, b")                     # ["a", ",", "", " ", "b"]

A pattern is read here (`_translate.py`), as Python has it, and matched by PCRE2 (`_re`).
"""
from re._flags import (A, ASCII, DEBUG, DOTALL, I, IGNORECASE, L, LOCALE, M, MULTILINE, NOFLAG,
                       RegexFlag, S, U, UNICODE, VERBOSE, X)
from re._pattern import Match, Pattern
from re._source import error

_MOST_KEPT = 512
_kept = {}


def compile(pattern, flags=0):
    """A pattern for many texts."""
    if isinstance(pattern, Pattern):
        if flags:
            raise ValueError("cannot process flags argument with a compiled pattern")
        return pattern
    key = type(pattern), pattern, int(flags)
    found = _kept.get(key)
    if found is None:
        if not isinstance(pattern, (str, bytes)):
            raise TypeError("first argument must be string or compiled pattern")
        found = Pattern(pattern, RegexFlag(flags))
        if len(_kept) >= _MOST_KEPT:
            del _kept[next(iter(_kept))]
        _kept[key] = found
    return found


def purge():
    """Forgets the patterns that were kept."""
    _kept.clear()


def search(pattern, string, flags=0):
    """The first match, wherever it is; or None."""
    return compile(pattern, flags).search(string)


def match(pattern, string, flags=0):
    """The match at the beginning; or None."""
    return compile(pattern, flags).match(string)


def fullmatch(pattern, string, flags=0):
    """The match of the whole text; or None."""
    return compile(pattern, flags).fullmatch(string)


def findall(pattern, string, flags=0):
    """The texts of all matches, or of their groups."""
    return compile(pattern, flags).findall(string)


def finditer(pattern, string, flags=0):
    """All matches, one by one."""
    return compile(pattern, flags).finditer(string)


def split(pattern, string, maxsplit=0, flags=0):
    """What lies between the matches, and what their groups are."""
    return compile(pattern, flags).split(string, maxsplit)


def sub(pattern, repl, string, count=0, flags=0):
    """The text with its matches replaced."""
    return compile(pattern, flags).sub(repl, string, count)


def subn(pattern, repl, string, count=0, flags=0):
    """The text with its matches replaced, and how many were."""
    return compile(pattern, flags).subn(repl, string, count)


_SPECIAL = "()[]{}?*+-|^$\\.&~# \t\n\r\v\f"


def escape(pattern):
    """A pattern that matches the text itself."""
    if isinstance(pattern, bytes):
        return escape(pattern.decode("latin-1")).encode("latin-1")
    return "".join(["\\" + c if c in _SPECIAL else c for c in pattern])
