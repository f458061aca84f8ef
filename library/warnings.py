"""`warn` and the filters that scripts use: "ignore", "error", "once", "default", "always"."""
import sys as _sys

filters = []
_seen = set()


def _action_for(category):
    for action, kind in filters:
        if issubclass(category, kind):
            return action
    return "default"


def warn(message, category=None, stacklevel=1, source=None):
    if isinstance(message, Warning):
        category = type(message)
    elif category is None:
        category = UserWarning
    action = _action_for(category)
    if action == "ignore":
        return
    if action == "error":
        raise message if isinstance(message, Warning) else category(message)
    key = (str(message), category)
    if action in ("default", "once", "module") and key in _seen:
        return
    _seen.add(key)
    print(f"{category.__name__}: {message}", file=_sys.stderr)


def filterwarnings(action, message="", category=Warning, module="", lineno=0, append=False):
    if append:
        filters.append((action, category))
    else:
        filters.insert(0, (action, category))


def simplefilter(action, category=Warning, lineno=0, append=False):
    filterwarnings(action, "", category, "", lineno, append)


def resetwarnings():
    filters.clear()


class catch_warnings:
    def __init__(self, *, record=False, module=None, action=None, category=Warning):
        self._record = record
        self._action = action
        self._category = category

    def __enter__(self):
        self._saved = list(filters)
        if self._action is not None:
            simplefilter(self._action, self._category)
        return [] if self._record else None

    def __exit__(self, *exc_info):
        filters[:] = self._saved
