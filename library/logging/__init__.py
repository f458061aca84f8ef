"""Messages with a level, as Python's logging writes them.

    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    logging.info("epoch %d: loss %.4f", 3, 0.25)

`_records` holds what is logged and how it reads, `_handlers` where it goes, `_loggers` the tree of
loggers. Not there: `logging.config` and `logging.handlers`, the style `$`, `stack_info`.
"""
from logging._handlers import (FileHandler, Handler, NullHandler, StreamHandler, _StderrHandler,
                               lastResort)
from logging._loggers import Logger, LoggerAdapter, Manager, RootLogger, root
from logging._records import (BASIC_FORMATS as _BASIC_FORMATS, CRITICAL, DEBUG, ERROR, FATAL,
                              Filter, Filterer, Formatter, INFO, LogRecord, NOTSET, WARN, WARNING,
                              addLevelName, check_style as _check_style, getLevelName,
                              getLevelNamesMapping)

BASIC_FORMAT = _BASIC_FORMATS["%"]
raiseExceptions = True


def getLogger(name=None):
    if not name or isinstance(name, str) and name == root.name:
        return root
    return root.manager.getLogger(name)


def getLoggerClass():
    return root.manager.loggerClass


def setLoggerClass(klass):
    if not issubclass(klass, Logger):
        raise TypeError(f"logger not derived from logging.Logger: {klass.__name__}")
    root.manager.loggerClass = klass


def _wanted_handlers(options):
    handlers = options.pop("handlers", None)
    if handlers is not None:
        if "stream" in options or "filename" in options:
            raise ValueError("'stream' or 'filename' should not be specified together with "
                             "'handlers'")
        return list(handlers)
    if "stream" in options and "filename" in options:
        raise ValueError("'stream' and 'filename' should not be specified together")
    filename, mode = options.pop("filename", None), options.pop("filemode", "a")
    if filename:
        return [FileHandler(filename, mode, encoding=options.pop("encoding", None),
                            errors=options.pop("errors", None))]
    return [StreamHandler(options.pop("stream", None))]


def basicConfig(**kwargs):
    """Gives the root a handler, unless it has one and `force` is not given."""
    options = kwargs
    if options.pop("force", False):
        for handler in root.handlers[:]:
            root.removeHandler(handler)
            handler.close()
    encoding, errors = options.pop("encoding", None), options.pop("errors", "backslashreplace")
    if root.handlers:
        return
    options.update(encoding=encoding, errors=errors)
    handlers = _wanted_handlers(options)
    options.pop("encoding", None), options.pop("errors", None)
    datefmt, style = options.pop("datefmt", None), options.pop("style", "%")
    _check_style(style)
    formatter = Formatter(options.pop("format", _BASIC_FORMATS[style]), datefmt, style)
    for handler in handlers:
        if handler.formatter is None:
            handler.setFormatter(formatter)
        root.addHandler(handler)
    level = options.pop("level", None)
    if level is not None:
        root.setLevel(level)
    if options:
        raise ValueError(f"Unrecognised argument(s): {', '.join(options)}")


def _ready_root():
    if not root.handlers:
        basicConfig()
    return root


def debug(msg, *args, **kwargs):
    _ready_root().debug(msg, *args, **kwargs)


def info(msg, *args, **kwargs):
    _ready_root().info(msg, *args, **kwargs)


def warning(msg, *args, **kwargs):
    _ready_root().warning(msg, *args, **kwargs)


warn = warning


def error(msg, *args, **kwargs):
    _ready_root().error(msg, *args, **kwargs)


def exception(msg, *args, exc_info=True, **kwargs):
    error(msg, *args, exc_info=exc_info, **kwargs)


def critical(msg, *args, **kwargs):
    _ready_root().critical(msg, *args, **kwargs)


fatal = critical


def log(level, msg, *args, **kwargs):
    _ready_root().log(level, msg, *args, **kwargs)


def disable(level=CRITICAL):
    root.manager.disable = level if isinstance(level, int) else getLevelName(level)


def shutdown():
    for logger in [root, *root.manager.loggerDict.values()]:
        for handler in logger.handlers:
            handler.flush()
            handler.close()
