"""Where records go: a stream, a file, nowhere. A script's own handler is a subclass with `emit`.

    handler = logging.StreamHandler(sys.stdout)
    handler.setFormatter(logging.Formatter("%(message)s"))
    logger.addHandler(handler)
"""
import os as _os
import sys as _sys
import traceback as _traceback

from logging._records import (Filterer, Formatter, NOTSET, WARNING, callers, getLevelName,
                              level_of)

_plain = Formatter()


class Handler(Filterer):
    __module__ = "logging"

    def __init__(self, level=NOTSET):
        super().__init__()
        self.name = None
        self.level = level_of(level)
        self.formatter = None

    def __repr__(self):
        return f"<{type(self).__name__} ({getLevelName(self.level)})>"

    def get_name(self):
        return self.name

    def set_name(self, name):
        self.name = name

    def acquire(self):
        """Nothing: a script runs in one thread."""

    def release(self):
        """Nothing: a script runs in one thread."""

    def setLevel(self, level):
        self.level = level_of(level)

    def setFormatter(self, fmt):
        self.formatter = fmt

    def format(self, record):
        return (self.formatter or _plain).format(record)

    def emit(self, record):
        raise NotImplementedError("emit must be implemented by Handler subclasses")

    def handle(self, record):
        passes = self.filter(record)
        if passes:
            self.emit(record)
        return passes

    def flush(self):
        pass

    def close(self):
        pass

    def handleError(self, record):
        """Says what went wrong with a record; logging ends no script."""
        import logging
        if not logging.raiseExceptions or not _sys.stderr:
            return
        places = [f"  File \"{file}\", line {line}, in {function}\n"
                  for file, line, function in reversed(list(callers()))]
        _sys.stderr.write(f"--- Logging error ---\n{_traceback.format_exc()}Call stack:\n"
                          f"{''.join(places)}Message: {record.msg!r}\nArguments: {record.args}\n")


class StreamHandler(Handler):
    __module__ = "logging"
    terminator = "\n"

    def __init__(self, stream=None):
        super().__init__()
        self.stream = _sys.stderr if stream is None else stream

    def __repr__(self):
        name = str(getattr(self.stream, "name", ""))
        return (f"<{type(self).__name__} {name}{' ' if name else ''}"
                f"({getLevelName(self.level)})>")

    def flush(self):
        if self.stream and hasattr(self.stream, "flush"):
            self.stream.flush()

    def emit(self, record):
        try:
            self.stream.write(self.format(record) + self.terminator)
            self.flush()
        except RecursionError:
            raise
        except Exception:
            self.handleError(record)

    def setStream(self, stream):
        if stream is self.stream:
            return None
        before = self.stream
        self.flush()
        self.stream = stream
        return before


class FileHandler(StreamHandler):
    __module__ = "logging"

    def __init__(self, filename, mode="a", encoding=None, delay=False, errors=None):
        self.baseFilename = _os.path.abspath(_os.fspath(filename))
        self.mode = mode
        self.encoding = encoding
        self.errors = errors
        self.delay = delay
        self._closed = False
        Handler.__init__(self)
        self.stream = None if delay else self._open()

    def __repr__(self):
        return f"<{type(self).__name__} {self.baseFilename} ({getLevelName(self.level)})>"

    def _open(self):
        return open(self.baseFilename, self.mode, encoding=self.encoding, errors=self.errors)

    def close(self):
        if self.stream:
            self.flush()
            stream, self.stream = self.stream, None
            stream.close()
        self._closed = True

    def emit(self, record):
        if self.stream is None and (self.mode != "w" or not self._closed):
            self.stream = self._open()
        if self.stream:
            super().emit(record)


class NullHandler(Handler):
    __module__ = "logging"

    def handle(self, record):
        pass

    def emit(self, record):
        pass


class _StderrHandler(StreamHandler):
    """Writes to what standard error is when a record comes."""

    __module__ = "logging"

    def __init__(self, level=NOTSET):
        Handler.__init__(self, level)

    @property
    def stream(self):
        return _sys.stderr


lastResort = _StderrHandler(WARNING)
