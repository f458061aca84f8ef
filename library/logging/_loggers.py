"""Loggers: a tree by the dots in their names, and what is written to them.

    logger = logging.getLogger("train.data")     its parent is `train`, or the root
    logger.info("%d rows", 3)

A record goes to the handlers of its logger, then to those of its parents, while `propagate` is set.
"""
import sys as _sys

from logging._records import (CRITICAL, DEBUG, ERROR, Filterer, INFO, LogRecord, NOTSET, WARNING,
                              callers, getLevelName, level_of)


class Logger(Filterer):
    __module__ = "logging"

    def __init__(self, name, level=NOTSET):
        super().__init__()
        self.name = name
        self.level = level_of(level)
        self.parent = None
        self.propagate = True
        self.handlers = []
        self.disabled = False

    def __repr__(self):
        return f"<{type(self).__name__} {self.name} ({getLevelName(self.getEffectiveLevel())})>"

    # ---- Levels ----

    def setLevel(self, level):
        self.level = level_of(level)

    def getEffectiveLevel(self):
        logger = self
        while logger is not None:
            if logger.level:
                return logger.level
            logger = logger.parent
        return NOTSET

    def isEnabledFor(self, level):
        if self.disabled or self.manager.disable >= level:
            return False
        return level >= self.getEffectiveLevel()

    # ---- Messages ----

    def debug(self, msg, *args, **kwargs):
        if self.isEnabledFor(DEBUG):
            self._log(DEBUG, msg, args, **kwargs)

    def info(self, msg, *args, **kwargs):
        if self.isEnabledFor(INFO):
            self._log(INFO, msg, args, **kwargs)

    def warning(self, msg, *args, **kwargs):
        if self.isEnabledFor(WARNING):
            self._log(WARNING, msg, args, **kwargs)

    warn = warning

    def error(self, msg, *args, **kwargs):
        if self.isEnabledFor(ERROR):
            self._log(ERROR, msg, args, **kwargs)

    def exception(self, msg, *args, exc_info=True, **kwargs):
        self.error(msg, *args, exc_info=exc_info, **kwargs)

    def critical(self, msg, *args, **kwargs):
        if self.isEnabledFor(CRITICAL):
            self._log(CRITICAL, msg, args, **kwargs)

    fatal = critical

    def log(self, level, msg, *args, **kwargs):
        if not isinstance(level, int):
            raise TypeError("level must be an integer")
        if self.isEnabledFor(level):
            self._log(level, msg, args, **kwargs)

    def _log(self, level, msg, args, exc_info=None, extra=None, stack_info=False, stacklevel=1):
        if stack_info:
            raise NotImplementedError("logging: there is no `stack_info`")
        file, line, function, stack = self.findCaller(stack_info, stacklevel)
        if isinstance(exc_info, BaseException):
            exc_info = (type(exc_info), exc_info, exc_info.__traceback__)
        elif exc_info and not isinstance(exc_info, tuple):
            exc_info = _sys.exc_info()
        self.handle(self.makeRecord(self.name, level, file, line, msg, args, exc_info, function,
                                    extra, stack))

    def findCaller(self, stack_info=False, stacklevel=1):
        nearest = None
        for level, place in enumerate(callers(), 1):
            if level >= stacklevel:
                return *place, None
            nearest = nearest or place
        return *(nearest or ("(unknown file)", 0, "(unknown function)")), None

    def makeRecord(self, name, level, fn, lno, msg, args, exc_info, func=None, extra=None,
                   sinfo=None):
        record = LogRecord(name, level, fn, lno, msg, args, exc_info, func, sinfo)
        for key, value in (extra or {}).items():
            if key in ("message", "asctime") or key in record.__dict__:
                raise KeyError(f"Attempt to overwrite {key!r} in LogRecord")
            setattr(record, key, value)
        return record

    # ---- Handlers ----

    def addHandler(self, hdlr):
        if hdlr not in self.handlers:
            self.handlers.append(hdlr)

    def removeHandler(self, hdlr):
        if hdlr in self.handlers:
            self.handlers.remove(hdlr)

    def _all_handlers(self):
        handlers, logger = [], self
        while logger is not None:
            handlers.extend(logger.handlers)
            logger = logger.parent if logger.propagate else None
        return handlers

    def hasHandlers(self):
        return bool(self._all_handlers())

    def handle(self, record):
        if not self.disabled and self.filter(record):
            self.callHandlers(record)

    def callHandlers(self, record):
        import logging
        handlers = self._all_handlers()
        if not handlers and logging.lastResort is not None:
            handlers = [logging.lastResort]
        for handler in handlers:
            if record.levelno >= handler.level:
                handler.handle(record)

    def getChild(self, suffix):
        return self.manager.getLogger(suffix if self is self.root else f"{self.name}.{suffix}")


class RootLogger(Logger):
    __module__ = "logging"

    def __init__(self, level):
        super().__init__("root", level)


class Manager:
    """All loggers by name."""

    __module__ = "logging"

    def __init__(self, rootnode):
        self.root = rootnode
        self.disable = 0
        self.loggerDict = {}
        self.loggerClass = Logger

    def getLogger(self, name):
        if not isinstance(name, str):
            raise TypeError("A logger name must be a string")
        if name in self.loggerDict:
            return self.loggerDict[name]
        logger = self.loggerClass(name)
        logger.manager = self
        logger.parent = self._above(name)
        for other in self.loggerDict.values():
            if other.name.startswith(name + ".") and other.parent is logger.parent:
                other.parent = logger
        self.loggerDict[name] = logger
        return logger

    def _above(self, name):
        while "." in name:
            name = name.rpartition(".")[0]
            if name in self.loggerDict:
                return self.loggerDict[name]
        return self.root


root = RootLogger(WARNING)
Logger.root = root
Logger.manager = Manager(root)


class LoggerAdapter:
    """A logger that adds to each of its records: `extra`, or what `process` makes of a message."""

    __module__ = "logging"

    def __init__(self, logger, extra=None):
        self.logger = logger
        self.extra = extra

    def __repr__(self):
        level = getLevelName(self.getEffectiveLevel())
        return f"<{type(self).__name__} {self.logger.name} ({level})>"

    def process(self, msg, kwargs):
        kwargs["extra"] = self.extra
        return msg, kwargs

    def log(self, level, msg, *args, **kwargs):
        if self.isEnabledFor(level):
            msg, kwargs = self.process(msg, kwargs)
            self.logger.log(level, msg, *args, **kwargs)

    def debug(self, msg, *args, **kwargs):
        self.log(DEBUG, msg, *args, **kwargs)

    def info(self, msg, *args, **kwargs):
        self.log(INFO, msg, *args, **kwargs)

    def warning(self, msg, *args, **kwargs):
        self.log(WARNING, msg, *args, **kwargs)

    def error(self, msg, *args, **kwargs):
        self.log(ERROR, msg, *args, **kwargs)

    def exception(self, msg, *args, exc_info=True, **kwargs):
        self.log(ERROR, msg, *args, exc_info=exc_info, **kwargs)

    def critical(self, msg, *args, **kwargs):
        self.log(CRITICAL, msg, *args, **kwargs)

    def isEnabledFor(self, level):
        return self.logger.isEnabledFor(level)

    def getEffectiveLevel(self):
        return self.logger.getEffectiveLevel()

    def setLevel(self, level):
        self.logger.setLevel(level)

    @property
    def name(self):
        return self.logger.name
