"""Where a bar is drawn: a line of a terminal, or a display of a notebook that changes.

    place = Line(sys.stderr)            position 0, or the first that no open bar has
    place.draw(" 50%|#####     |")      over what it drew before
    place.end(leaves=True)

An open bar's line stays known here, so that `write` can move it out of the way.
"""
import sys

_MOST_LINES = 20
_open_lines = []


class Line:
    """A line of a file; other bars' lines are below or above it."""

    def __init__(self, file, position=None):
        taken = {line.position for line in _open_lines}
        free = next(i for i in range(len(taken) + 1) if i not in taken)
        self.file = file
        self.position = free if position is None else abs(position)
        self.text = ""
        self._drawn = 0
        _open_lines.append(self)

    def _move(self, lines):
        self.file.write("\n" * lines + "\033[A" * -lines)
        self._flush()

    def _flush(self):
        flush = getattr(self.file, "flush", None)
        if flush is not None:
            flush()

    def draw(self, text, html=None, position=None):
        """False: so many bars are open that this one is not seen."""
        from tqdm._meter import width

        position = self.position if position is None else position
        if position >= _MOST_LINES:
            return False
        if position == _MOST_LINES - 1 and text:
            text = " ... (more hidden) ..."
        if position:
            self._move(position)
        self.text = text
        self.file.write("\r" + text + " " * max(self._drawn - width(text), 0))
        self._flush()
        self._drawn = width(text)
        if position:
            self._move(-position)
        return True

    def clear(self):
        kept = self.text
        if self.position >= _MOST_LINES:
            return
        self._move(self.position)
        self.draw("", position=0)
        self.file.write("\r")
        self._move(-self.position)
        self.text = kept

    def forget(self):
        if self in _open_lines:
            _open_lines.remove(self)

    def end(self, text, html, leaves):
        """The last text stays, on a line of its own, or goes."""
        self.forget()
        if leaves:
            self.draw(text, position=0)
            self.file.write("\n")
        elif self.draw("") and not self.position:
            self.file.write("\r")


class Cell:
    """A display of a notebook's cell; all bars have their own."""

    position = 0

    def __init__(self):
        self._shown = None
        self.text = ""

    def draw(self, text, html=None, position=None):
        from IPython.display import display

        self.text = text
        forms = {"text/plain": text} | ({"text/html": html} if html else {})
        if self._shown is None:
            self._shown = display(forms, raw=True, display_id=True)
        else:
            self._shown.update(forms, raw=True)
        return True

    def clear(self):
        pass

    def forget(self):
        pass

    def end(self, text, html, leaves):
        if leaves:
            self.draw(text, html)
        else:
            self.draw("", " ")


def write_beside(text, file):
    """Writes where bars are: they go, and are drawn again below."""
    streams = (sys.stdout, sys.stderr)
    moved = [line for line in _open_lines if line.file is file or line.file in streams and file in streams]
    for line in moved:
        line.clear()
    file.write(text)
    for line in moved:
        line.draw(line.text)
