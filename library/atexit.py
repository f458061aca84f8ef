"""What is called when the program ends.

    atexit.register(print, "bye")

The last one first, before the script's variables go.
"""
__all__ = ["register", "unregister"]

_calls = []


def register(func, /, *args, **kwargs):
    if not callable(func):
        raise TypeError("the first argument must be callable")
    _calls.append((func, args, kwargs))
    return func


def unregister(func, /):
    _calls[:] = [call for call in _calls if call[0] != func]


def _clear():
    _calls.clear()


def _ncallbacks():
    return len(_calls)


def _run_exitfuncs():
    """Called by the session at its end."""
    while _calls:
        func, args, kwargs = _calls.pop()
        try:
            func(*args, **kwargs)
        except SystemExit:
            pass
        except BaseException:
            import sys
            import traceback
            print(f"Exception ignored in atexit callback: {func!r}", file=sys.stderr)
            traceback.print_exc()
