"""Exceptions as text, as they are printed where nothing catches them.

    except ValueError:
        traceback.print_exc()
"""
import sys as _sys


def _text_of(error):
    return "NoneType: None\n" if error is None else _sys._format_exception(error)


def format_exc(limit=None, chain=True):
    return _text_of(_sys.exc_info()[1])


def print_exc(limit=None, file=None, chain=True):
    print(format_exc(), end="", file=file if file is not None else _sys.stderr)


def format_exception(exc, /, value=None, tb=None, limit=None, chain=True):
    """The lines that `print_exception` prints; as before Python 3.10, the type may come first."""
    text = _text_of(value if isinstance(exc, type) else exc)
    return text.splitlines(keepends=True)


def print_exception(exc, /, value=None, tb=None, limit=None, file=None, chain=True):
    lines = format_exception(exc, value)
    print("".join(lines), end="", file=file if file is not None else _sys.stderr)


def format_exception_only(exc, /, value=None):
    error = value if isinstance(exc, type) else exc
    kind = type(error)
    name = kind.__qualname__
    if kind.__module__ not in ("builtins", "__main__"):
        name = f"{kind.__module__}.{name}"
    text = str(error)
    return [f"{name}: {text}\n" if text else f"{name}\n"]
