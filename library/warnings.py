"""`warn` and the filters that scripts use: "ignore", "error", "once", "default", "always".

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warnings.warn("old")
    caught[0].message                    UserWarning('old')

A filter's `message` is the beginning of a text, where `.*` stands for anything; there are no other
regular expressions. What a warning's place in the source decides is not there.
"""
import sys as _sys

filters = []
_seen = set()
_recorded = None  # where `catch_warnings(record=True)` collects


class WarningMessage:
    """What was recorded."""

    def __init__(self, message, category, source=None):
        self.message, self.category, self.source = message, category, source

    def __str__(self):
        return f"{self.category.__name__}: {self.message}"


def _begins_so(text, pattern):
    """In order, each piece between two `.*`, the first one at the beginning; letters of any case."""
    text, at = text.lower(), 0
    for number, piece in enumerate(pattern.lower().replace("\\", "").split(".*")):
        found = text.find(piece, at)
        if found < 0 or number == 0 and found > 0:
            return False
        at = found + len(piece)
    return True


def _action_for(category, text):
    for action, kind, message in filters:
        if issubclass(category, kind) and _begins_so(text, message):
            return action
    return "default"


def warn(message, category=None, stacklevel=1, source=None):
    if isinstance(message, Warning):
        category = type(message)
    elif category is None:
        category = UserWarning
    action = _action_for(category, str(message))
    if action == "ignore":
        return
    if action == "error":
        raise message if isinstance(message, Warning) else category(message)
    key = (str(message), category)
    if action in ("default", "once", "module") and key in _seen:
        return
    _seen.add(key)
    if _recorded is not None:
        whole = message if isinstance(message, Warning) else category(message)
        _recorded.append(WarningMessage(whole, category, source))
        return
    print(f"{category.__name__}: {message}", file=_sys.stderr)


def filterwarnings(action, message="", category=Warning, module="", lineno=0, append=False):
    if append:
        filters.append((action, category, message))
    else:
        filters.insert(0, (action, category, message))


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
        global _recorded, _seen
        self._saved = list(filters), _recorded, _seen
        _seen = set()
        if self._action is not None:
            simplefilter(self._action, self._category)
        if self._record:
            _recorded = []
            return _recorded

    def __exit__(self, *exc_info):
        global _recorded, _seen
        filters[:], _recorded, _seen = self._saved
