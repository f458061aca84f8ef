"""Warnings, where they come from, and the filters that choose among them.

    warnings.warn("old", FutureWarning)
    demo.py:3: FutureWarning: old
      warnings.warn("old", FutureWarning)

What the library warns of is said of the script's line that called it. A warning is shown once for
each line, until the filters change: that is what `_seen` holds.
"""
import sys as _sys

# (action, pattern of the text, category, pattern of the module, line), the first that fits decides;
# patterns as they were given, None for any.
filters = [("default", None, DeprecationWarning, "__main__", 0),
           ("ignore", None, DeprecationWarning, None, 0),
           ("ignore", None, PendingDeprecationWarning, None, 0),
           ("ignore", None, ImportWarning, None, 0),
           ("ignore", None, ResourceWarning, None, 0)]
_seen = set()
_recorded = None  # where `catch_warnings(record=True)` collects
_ACTIONS = ("default", "error", "ignore", "always", "module", "once")


class WarningMessage:
    """What is shown, or was recorded."""

    def __init__(self, message, category, filename, lineno, file=None, line=None, source=None):
        self.message, self.category, self.filename, self.lineno = message, category, filename, lineno
        self.file, self.line, self.source = file, line, source
        self._category_name = category.__name__ if category else None

    def __str__(self):
        return (f"{{message : {self.message!r}, category : {self._category_name!r}, filename : "
                f"{self.filename!r}, lineno : {self.lineno}, line : {self.line!r}}}")


# ---- Filters --------------------------------------------------------------------------------------

def _fits(pattern, text, any_case):
    if pattern is None or pattern == text:
        return True
    import re
    return re.match(pattern, text, re.IGNORECASE if any_case else 0) is not None


def _action_for(category, text, module="__main__", lineno=0):
    for action, message, kind, where, line in filters:
        if (issubclass(category, kind) and line in (0, lineno) and _fits(message, text, True)
                and _fits(where, module, False)):
            return action
    return "default"


def _add_filter(item, append):
    if append and item in filters:
        return
    if not append and item in filters:
        filters.remove(item)
    filters.insert(len(filters) if append else 0, item)
    _seen.clear()


def _check_filter(action, lineno):
    if action not in _ACTIONS:
        raise AssertionError(f"invalid action: {action!r}")
    if not isinstance(lineno, int) or lineno < 0:
        raise AssertionError("lineno must be an int >= 0")


def filterwarnings(action, message="", category=Warning, module="", lineno=0, append=False):
    if action not in _ACTIONS:
        raise AssertionError(f"invalid action: {action!r}")
    if not isinstance(message, str):
        raise AssertionError("message must be a string")
    if not isinstance(category, type):
        raise AssertionError("category must be a class")
    if not issubclass(category, Warning):
        raise AssertionError("category must be a Warning subclass")
    if not isinstance(module, str):
        raise AssertionError("module must be a string")
    _check_filter(action, lineno)
    _add_filter((action, message or None, category, module or None, lineno), append)


def simplefilter(action, category=Warning, lineno=0, append=False):
    _check_filter(action, lineno)
    _add_filter((action, None, category, None, lineno), append)


def resetwarnings():
    filters.clear()
    _seen.clear()


class catch_warnings:
    """Filters, and how warnings are shown, stay what they were; they may be collected meanwhile."""

    def __init__(self, *, record=False, module=None, action=None, category=Warning, lineno=0,
                 append=False):
        self._record = record
        self._filter = None if action is None else (action, category, lineno, append)
        self._entered = False

    def __enter__(self):
        global _recorded, showwarning
        if self._entered:
            raise RuntimeError(f"Cannot enter {self!r} twice")
        self._entered = True
        self._saved = filters[:], _recorded, showwarning
        _seen.clear()
        if self._filter is not None:
            simplefilter(*self._filter)
        if self._record:
            _recorded, showwarning = [], _showwarning
            return _recorded

    def __exit__(self, *exc_info):
        global _recorded, showwarning
        if not self._entered:
            raise RuntimeError(f"Cannot exit {self!r} without entering first")
        filters[:], _recorded, showwarning = self._saved
        _seen.clear()


# ---- Showing --------------------------------------------------------------------------------------

def _line_of(filename, lineno):
    """A line of a file, without the space around it; empty where there is none."""
    try:
        with open(filename, encoding="utf-8", errors="replace") as file:
            for number, line in enumerate(file, 1):
                if number == lineno:
                    return line.strip()
    except (OSError, ValueError):
        pass
    return ""


def formatwarning(message, category, filename, lineno, line=None):
    line = _line_of(filename, lineno) if line is None else line.strip()
    text = f"{filename}:{lineno}: {category.__name__}: {message}\n"
    return f"{text}  {line}\n" if line else text


def showwarning(message, category, filename, lineno, file=None, line=None):
    _write(WarningMessage(message, category, filename, lineno, file, line))


_showwarning = showwarning


def _write(warning):
    file = _sys.stderr if warning.file is None else warning.file
    file.write(formatwarning(warning.message, warning.category, warning.filename, warning.lineno,
                             line=warning.line))


def _show(warning):
    """Where a script has put a `showwarning` of its own, that shows it."""
    if showwarning is not _showwarning:
        showwarning(warning.message, warning.category, warning.filename, warning.lineno,
                    warning.file, warning.line)
    elif _recorded is not None:
        _recorded.append(warning)
    else:
        _write(warning)


# ---- Warning --------------------------------------------------------------------------------------

_WARN, _ITS_CALLER = 1, 2  # levels up from `_place`


def _place(stacklevel):
    """File, line and module that a warning is of: `stacklevel` calls up from who calls `warn`."""
    nearest = place = _sys._call_place(_ITS_CALLER)
    at = _ITS_CALLER
    if nearest is None or not nearest[0].startswith("library/"):
        place = _sys._call_place(_WARN + max(stacklevel, 1))
    while place is not None and place[0].startswith("library/"):
        at += 1
        place = _sys._call_place(at)
    if place is None and nearest is not None and nearest[0].startswith("library/"):
        place = nearest
    file, line, _, module = place or ("sys", 1, "", "sys")
    return file, line, module


def warn(message, category=None, stacklevel=1, source=None):
    if isinstance(message, Warning):
        category = type(message)
    elif category is None:
        category = UserWarning
    if not (isinstance(category, type) and issubclass(category, Warning)):
        raise TypeError(f"category must be a Warning subclass, not '{type(category).__name__}'")
    filename, lineno, module = _place(stacklevel)
    warn_explicit(message, category, filename, lineno, module, _seen, source=source)


def warn_explicit(message, category, filename, lineno, module=None, registry=None,
                  module_globals=None, source=None):
    if module is None:
        module = filename.removesuffix(".py") or "<unknown>"
    if isinstance(message, Warning):
        text, category = str(message), type(message)
    else:
        text = message
        message = category(message)
    text = str(text)
    action = _action_for(category, text, module, lineno)
    if action == "ignore":
        return
    if action == "error":
        raise message
    key = {"once": (text, category), "module": (module, text, category)}.get(
        action, (module, text, category, lineno))
    if action != "always" and registry is not None:
        if key in _seen:
            return
        _seen.add(key)
    _show(WarningMessage(message, category, filename, lineno, source=source))
