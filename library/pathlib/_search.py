"""Files and folders that a pattern names: `*.py`, `runs/*/log.txt`, `**/*.pt`.

A pattern is a list of steps, from the left; each yields what the ones behind it find in the folders that
it found itself. "**" is the folder and all below it; links are not followed there. "" asks for a folder, as
what a slash at the end says.
"""
import fnmatch
import os

_WILD = ("*", "?", "[")


def _names_in(folder):
    """Of what may have been removed meanwhile, or may not be read, nothing."""
    try:
        return os.listdir(folder)
    except (PermissionError, FileNotFoundError, NotADirectoryError):
        return []


def _folders_below(folder):
    yield folder
    for name in _names_in(folder):
        below = folder / name
        if below.is_dir() and not below.is_symlink():
            yield from _folders_below(below)


def _children(folder, pattern):
    for name in _names_in(folder):
        if fnmatch.fnmatchcase(name, pattern):
            yield folder / name


def find(folder, steps):
    """The paths below the folder that match all the steps; each but the last has to be a folder."""
    if not steps:
        yield folder
        return
    step, rest = steps[0], steps[1:]
    # Only folders come here with a step behind them.
    if step == "**":
        seen = set()
        for below in _folders_below(folder):
            for path in find(below, rest):
                if path not in seen:
                    seen.add(path)
                    yield path
        return
    if any([sign in step for sign in _WILD]):
        found = _children(folder, step)
    else:
        exact = folder / step
        found = [exact] if exact.exists() else []
    for path in found:
        if not rest or path.is_dir():
            yield from find(path, rest)
