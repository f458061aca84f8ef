"""File names against patterns of the shell: `*`, `?`, `[seq]` and `[!seq]`.

    fnmatch.filter(["a.py", "b.txt"], "*.py")       ["a.py"]

A pattern becomes a regular expression. Of several stars only the last may be asked to give back what it
took: what stands between two stars is matched where it first can be.
"""
import os
import re

__all__ = ["filter", "fnmatch", "fnmatchcase", "translate"]

_compiled = {}


def _matcher(pattern):
    if pattern not in _compiled:
        _compiled[pattern] = re.compile(translate(pattern)).match
    return _compiled[pattern]


def fnmatch(name, pat):
    return fnmatchcase(os.fspath(name), os.fspath(pat))


def fnmatchcase(name, pat):
    return _matcher(pat)(name) is not None


def filter(names, pat):
    match = _matcher(os.fspath(pat))
    return [name for name in names if match(os.fspath(name)) is not None]


def _set(inside):
    """The set of a regular expression for what stands between brackets."""
    negated = inside[0] == "!"
    if negated:
        inside = inside[1:]
    parts = []  # what ranges lie between: "a-z_" has ["a", "z_"]
    start, at = 0, inside.find("-", 1)
    while at != -1:
        parts.append(inside[start:at])
        start = at + 1
        at = inside.find("-", at + 3)
    rest = inside[start:]
    if rest or not parts:
        parts.append(rest)
    else:
        parts[-1] += "-"
    # Ranges that run backwards hold nothing.
    for k in range(len(parts) - 1, 0, -1):
        if parts[k - 1][-1] > parts[k][0]:
            parts[k - 1] = parts[k - 1][:-1] + parts[k][1:]
            del parts[k]
    text = "-".join([part.replace("\\", r"\\").replace("-", r"\-") for part in parts])
    text = re.sub(r"([&~|])", r"\\\1", text)
    if not text:
        return "." if negated else "(?!)"
    if negated:
        return f"[^{text}]"
    return f"[\\{text}]" if text[0] in "^[" else f"[{text}]"


def _pieces(pattern):
    """The pattern's stars as "*", everything else as regular expressions of one character."""
    at = 0
    while at < len(pattern):
        character = pattern[at]
        at += 1
        if character == "?":
            yield "."
        elif character == "[":
            # A closing bracket that comes first is one of the set.
            end = at + 1 if pattern[at:at + 1] == "!" else at
            end = pattern.find("]", end + 1 if pattern[end:end + 1] == "]" else end)
            if end == -1:
                yield "\\["
            else:
                yield _set(pattern[at:end])
                at = end + 1
        else:
            yield "*" if character == "*" else re.escape(character)


def translate(pat):
    """The regular expression of a pattern, as a text."""
    fixed = [""]  # what stands before the first star, between two, behind the last
    was_star = False
    for piece in _pieces(pat):
        if piece != "*":
            fixed[-1] += piece
        elif not was_star:
            fixed.append("")
        was_star = piece == "*"
    if len(fixed) == 1:
        return f"(?s:{fixed[0]})\\Z"
    middle = "".join([f"(?>.*?{part})" for part in fixed[1:-1]])
    return f"(?s:{fixed[0]}{middle}.*{fixed[-1]})\\Z"
