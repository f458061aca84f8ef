"""Shows values, changes what is shown, and wraps texts that are more than text.

    display(x)
    shown = display("epoch 0", display_id=True)
    shown.update("epoch 1")
    clear_output(wait=True)
    display(Markdown("**bold**"))

In a notebook these are messages to the front end. In a script `display` prints its arguments, at the
REPL the text form of each; an update prints anew.
"""
import sys

import _glint_display
from IPython._forms import (
    HTML,
    JSON,
    SVG,
    Code,
    DisplayObject,
    Image,
    Javascript,
    Latex,
    Markdown,
    Math,
    Pretty,
    TextDisplayObject,
)

_last_id = 0


def _new_id():
    """No two sessions may have the same: a front end keeps what it has shown."""
    global _last_id
    import os
    import time

    _last_id += 1
    return f"{os.getpid():x}-{time.time_ns():x}-{_last_id:x}"


class DisplayHandle:
    """What was shown under a name, to be changed."""

    def __init__(self, display_id=None):
        self.display_id = _new_id() if display_id is None else display_id

    def __repr__(self):
        return f"<{type(self).__name__} display_id={self.display_id}>"

    def display(self, obj, **kwargs):
        display(obj, display_id=self.display_id, **kwargs)

    def update(self, obj, **kwargs):
        update_display(obj, display_id=self.display_id, **kwargs)


def _forms(value, include, exclude):
    forms = _glint_display.forms(value)
    return {
        type: form
        for type, form in forms.items()
        if (not include or type in include) and not (exclude and type in exclude)
    }


def _show(value, name, update, raw, include, exclude):
    shows_itself = getattr(value, "_ipython_display_", None)
    if shows_itself is not None and not raw and not isinstance(value, type):
        shows_itself()
        return
    forms = value if raw else _forms(value, include, exclude)
    if _glint_display.is_rich():
        _glint_display.show(forms, name, update)
    elif "text/plain" in forms:
        print(forms["text/plain"])


def display(
    *objs,
    include=None,
    exclude=None,
    metadata=None,
    transient=None,
    display_id=None,
    raw=False,
    clear=False,
    update=False,
):
    """Shows values. With a `display_id`, or True for a new one, gives a handle to change them by."""
    name = display_id or (transient or {}).get("display_id")
    handle = DisplayHandle(None if display_id is True else display_id) if display_id else None
    if not _glint_display.is_interactive():
        print(*objs)
        return handle
    if update and not name:
        raise TypeError("display_id required for update_display")
    if clear:
        clear_output(wait=True)
    if handle:
        name = handle.display_id
        if not objs:
            objs, raw = [{}], True
    for each in objs:
        _show(each, name or "", update, raw, include, exclude)
    return handle


def update_display(obj, *, display_id, **kwargs):
    """Changes what was shown under a name."""
    display(obj, display_id=display_id, update=True, **kwargs)


def clear_output(wait=False):
    """Takes away what the cell has shown; with `wait`, once there is something new."""
    if _glint_display.is_rich():
        _glint_display.clear(wait)
        return
    for stream in (sys.stdout, sys.stderr):  # the line that the cursor is in, and no more
        print("\033[2K\r", end="")
        stream.flush()


class ProgressBar(DisplayObject):
    """Iterates over so many numbers, or is set to one: `bar.progress = 3`."""

    def __init__(self, total):
        self.total = total
        self._progress = 0
        self.html_width = "60ex"
        self.text_width = 60
        self._display_id = _new_id()

    def __repr__(self):
        filled = "=" * int(self.progress / self.total * self.text_width)
        return f"[{filled:{self.text_width}}] {self.progress}/{self.total}"

    def _repr_html_(self):
        return f"<progress style='width:{self.html_width}' max='{self.total}' value='{self.progress}'></progress>"

    def display(self):
        display(self, display_id=self._display_id)

    def update(self):
        display(self, display_id=self._display_id, update=True)

    @property
    def progress(self):
        return self._progress

    @progress.setter
    def progress(self, value):
        self._progress = value
        self.update()

    def __iter__(self):
        self.display()
        self._progress = -1
        return self

    def __next__(self):
        self.progress += 1
        if self.progress < self.total:
            return self.progress
        raise StopIteration()
