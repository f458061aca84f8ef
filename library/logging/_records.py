"""What is logged, and how it reads: levels, `LogRecord`, `Formatter`, filters.

    Formatter("%(asctime)s %(levelname)s %(message)s").format(record)
"""
import os as _os
import sys as _sys
import time as _time
import traceback as _traceback

CRITICAL = FATAL = 50
ERROR = 40
WARNING = WARN = 30
INFO = 20
DEBUG = 10
NOTSET = 0

_name_of_level = {CRITICAL: "CRITICAL", ERROR: "ERROR", WARNING: "WARNING", INFO: "INFO",
                  DEBUG: "DEBUG", NOTSET: "NOTSET"}
_level_of_name = {"CRITICAL": CRITICAL, "FATAL": FATAL, "ERROR": ERROR, "WARN": WARNING,
                  "WARNING": WARNING, "INFO": INFO, "DEBUG": DEBUG, "NOTSET": NOTSET}
_start = _time.time()


def getLevelName(level):
    """A level's name, or the level of a name."""
    if level in _name_of_level:
        return _name_of_level[level]
    return _level_of_name.get(level, f"Level {level}")


def addLevelName(level, levelName):
    _name_of_level[level] = levelName
    _level_of_name[levelName] = level


def getLevelNamesMapping():
    return dict(_level_of_name)


def level_of(level):
    if isinstance(level, int):
        return level
    if not isinstance(level, str):
        raise TypeError(f"Level not an integer or a valid string: {level!r}")
    if level not in _level_of_name:
        raise ValueError(f"Unknown level: {level!r}")
    return _level_of_name[level]


class LogRecord:
    __module__ = "logging"

    def __init__(self, name, level, pathname, lineno, msg, args, exc_info, func=None, sinfo=None):
        now = _time.time()
        if args and len(args) == 1 and isinstance(args[0], dict) and args[0]:
            args = args[0]  # `info("%(a)s", {"a": 1})`
        self.name = name
        self.msg = msg
        self.args = args
        self.levelname = getLevelName(level)
        self.levelno = level
        self.pathname = pathname
        self.filename = _os.path.basename(pathname)
        self.module = _os.path.splitext(self.filename)[0]
        self.exc_info = exc_info
        self.exc_text = None
        self.stack_info = sinfo
        self.lineno = lineno
        self.funcName = func
        self.created = now
        self.msecs = int((now - int(now)) * 1000) + 0.0
        self.relativeCreated = (now - _start) * 1000
        self.thread = 0
        self.threadName = "MainThread"
        self.processName = "MainProcess"
        self.process = _os.getpid()

    def __repr__(self):
        return (f"<LogRecord: {self.name}, {self.levelno}, {self.pathname}, {self.lineno}, "
                f"\"{self.msg}\">")

    def getMessage(self):
        message = str(self.msg)
        return message % self.args if self.args else message


BASIC_FORMATS = {"%": "%(levelname)s:%(name)s:%(message)s", "{": "{levelname}:{name}:{message}"}
_DEFAULT_FORMATS = {"%": "%(message)s", "{": "{message}"}


def check_style(style):
    if style == "$":
        raise NotImplementedError("logging: there is no style `$`; write `%` or `{`")
    if style not in BASIC_FORMATS:
        raise ValueError("Style must be one of: %,{,$")


def _has_field(format):
    """Whether there is a `%(name)s`, with any flags, width and letter."""
    for part in format.split("%(")[1:]:
        name, close, rest = part.partition(")")
        letter = rest.lstrip("#0+ -").lstrip("*0123456789.")[:1]
        if close and name.replace("_", "a").isalnum() and letter in tuple("diouxefgcrsa%"):
            return True
    return False


class Formatter:
    __module__ = "logging"
    default_time_format = "%Y-%m-%d %H:%M:%S"
    default_msec_format = "%s,%03d"
    converter = _time.localtime

    def __init__(self, fmt=None, datefmt=None, style="%", validate=True, *, defaults=None):
        check_style(style)
        self._style = style
        self._fmt = fmt or _DEFAULT_FORMATS[style]
        self._defaults = defaults or {}
        self.datefmt = datefmt
        if validate and style == "%" and not _has_field(self._fmt):
            raise ValueError(f"Invalid format '{self._fmt}' for '%' style")
        if validate and style == "{" and "{" not in self._fmt:
            raise ValueError("invalid format: no fields")

    def formatTime(self, record, datefmt=None):
        parts = self.converter(record.created)
        if datefmt:
            return _time.strftime(datefmt, parts)
        text = _time.strftime(self.default_time_format, parts)
        return self.default_msec_format % (text, record.msecs) if self.default_msec_format else text

    def formatException(self, ei):
        return "".join(_traceback.format_exception(ei[0], ei[1], ei[2])).removesuffix("\n")

    def formatStack(self, stack_info):
        return stack_info

    def usesTime(self):
        return ("%(asctime)" if self._style == "%" else "{asctime") in self._fmt

    def formatMessage(self, record):
        values = {**self._defaults, **record.__dict__}
        try:
            return self._fmt % values if self._style == "%" else self._fmt.format(**values)
        except KeyError as error:
            raise ValueError(f"Formatting field not found in record: {error}")

    def format(self, record):
        record.message = record.getMessage()
        if self.usesTime():
            record.asctime = self.formatTime(record, self.datefmt)
        text = self.formatMessage(record)
        if record.exc_info and not record.exc_text:  # kept, for the handlers that come after
            record.exc_text = self.formatException(record.exc_info)
        for more in (record.exc_text, record.stack_info):
            if more:
                text = text + ("" if text.endswith("\n") else "\n") + more
        return text


class Filter:
    """Lets a logger's records through, and those of the loggers under it."""

    __module__ = "logging"

    def __init__(self, name=""):
        self.name = name

    def filter(self, record):
        return not self.name or record.name == self.name or record.name.startswith(self.name + ".")


class Filterer:
    __module__ = "logging"

    def __init__(self):
        self.filters = []

    def addFilter(self, filter):
        if filter not in self.filters:
            self.filters.append(filter)

    def removeFilter(self, filter):
        if filter in self.filters:
            self.filters.remove(filter)

    def filter(self, record):
        for each in self.filters:
            if not (each.filter(record) if hasattr(each, "filter") else each(record)):
                return False
        return True


_folder = _os.path.dirname(_sys._call_place(0)[0])


def callers():
    """The script's calls that led here, innermost first: file, line, function."""
    place, at = _sys._call_place(0), 0
    while place is not None:
        if _os.path.dirname(place[0]) != _folder:
            yield place[:3]
        at += 1
        place = _sys._call_place(at)
