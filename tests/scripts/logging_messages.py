# Logging to a stream: levels, formats, the tree of loggers, filters, exceptions.
import logging
import os
import sys


class WithoutFolder:
    """Standard output, without the folder in tracebacks."""

    def write(self, text):
        sys.stdout.write(text.replace(os.path.dirname(os.path.abspath(__file__)) + os.sep, ""))


print(logging.getLogger(), logging.getLogger("a.b"), logging.getLogger("root") is logging.root)
logging.basicConfig(stream=sys.stdout, level=logging.INFO)
logging.debug("not shown")
logging.info("epoch %d: loss %.4f", 3, 0.25)
logging.warning("%(a)s and %(b)05d", {"a": 1, "b": 2})
logging.error("100%")
logging.critical(ValueError("as it is"))
logging.log(25, "a level between")
logging.log(logging.DEBUG, "no")
logging.basicConfig(level=logging.DEBUG, format="ignored: %(message)s")
logging.debug("still not shown")
logging.basicConfig(stream=WithoutFolder(), level="DEBUG", force=True, format="[%(levelname)-8s] %(name)s %(module)s:%(lineno)d %(funcName)s %(filename)s - %(message)s")


def train():
    logger = logging.getLogger("train.loop")
    logger.debug("in a function")
    (lambda: logger.info("in a lambda"))()
    logger.warning("one level up", stacklevel=2)
    logging.info(
        "on several lines"
    )


class Model:
    def fit(self):
        logging.getLogger(__name__).error("in a method of %s", __name__)


train()
Model().fit()
print(logging.getLogger("train.loop").parent, logging.getLogger("train").name, logging.getLogger("train.loop").parent)
print(logging.getLogger("train").getChild("loop") is logging.getLogger("train.loop"), logging.root.getChild("x").name)
print(sorted(name for name in logging.root.manager.loggerDict if isinstance(logging.root.manager.loggerDict[name], logging.Logger)))

print("--- exceptions")
try:
    1 / 0
except ZeroDivisionError as error:
    logging.exception("it failed: %s", error)
    logging.error("with its error", exc_info=True)
    kept = error
logging.warning("later", exc_info=kept)
logging.getLogger("x").exception("none there")

print("--- handlers")
logger = logging.getLogger("own")
logger.propagate = False
logger.setLevel(logging.DEBUG)
handler = logging.StreamHandler(sys.stdout)
handler.setLevel(logging.WARNING)
handler.setFormatter(logging.Formatter("own {levelname:>8}: {message}", style="{"))
logger.addHandler(handler)
logger.addHandler(handler)
logger.info("below the handler's level")
logger.warning("shown once")
print(handler, logger, logger.handlers, logger.hasHandlers(), logger.isEnabledFor(logging.DEBUG), logger.getEffectiveLevel())
logger.propagate = True
logger.error("shown twice")
logger.removeHandler(handler)


class Collect(logging.Handler):
    def __init__(self):
        super().__init__()
        self.records = []

    def emit(self, record):
        self.records.append((record.levelname, record.getMessage(), self.format(record)))


collect = Collect()
logger.addHandler(collect)
logger.propagate = False
logger.info("a %s", "b")
logger.log(5, "too low")
print(collect.records, collect)
logger.addFilter(lambda record: "secret" not in record.getMessage())
collect.addFilter(logging.Filter("own.part"))
logger.info("secret")
logger.info("not of the part")
logging.getLogger("own.part").info("of the part")
logging.getLogger("own.partly").info("of another")
print(collect.records[1:])
print(logging.NullHandler(), logging.lastResort, logging.Filter("a").filter(logging.LogRecord("ab", 10, "p", 1, "m", (), None)))

print("--- extra")
logging.basicConfig(stream=sys.stdout, force=True, format="%(levelno)s %(user)s %(message)s %(process)d".replace(" %(process)d", ""))
logging.warning("hello", extra={"user": "me"})
adapter = logging.LoggerAdapter(logging.getLogger("adapted"), {"user": "you"})
adapter.warning("%s world", "big")
print(adapter)
try:
    logging.warning("bad", extra={"message": 1})
except KeyError as error:
    print(error)

print("--- levels")
print([logging.getLevelName(level) for level in (0, 10, 20, 30, 40, 50, 35, "INFO", "ODD")])
logging.addLevelName(15, "TRACE")
print(logging.getLevelName(15), logging.getLevelName("TRACE"), logging.WARN, logging.FATAL)
logging.basicConfig(stream=sys.stdout, force=True, level=1)
logging.log(15, "traced")
logging.disable(logging.INFO)
logging.info("disabled")
logging.warning("not disabled")
logging.disable(logging.NOTSET)
logging.info("enabled again")
logging.getLogger("q").setLevel("ERROR")
logging.getLogger("q.r").warning("below its parent's level")
print(logging.getLogger("q.r"), logging.getLogger("q.r").level)
logging.getLogger("q").disabled = True
logging.getLogger("q").critical("a disabled logger")
for call in (lambda: logging.basicConfig(force=True, level="LOUD"), lambda: logging.getLogger(3), lambda: logging.getLogger("x").setLevel(None),
             lambda: logging.log("INFO", "x"), lambda: logging.Formatter("nothing"), lambda: logging.Formatter("%(message)s", style="!"),
             lambda: logging.basicConfig(force=True, stream=sys.stdout, filename="x"), lambda: logging.basicConfig(force=True, colour="red"),
             lambda: logging.basicConfig(force=True, handlers=[], stream=sys.stdout), lambda: logging.Handler().handle(logging.LogRecord("n", 20, "a/b.py", 3, "m", None, None))):
    try:
        call()
    except Exception as error:
        print(type(error).__name__, error)
print(logging.LogRecord("n", 20, "a/b.py", 3, "m %s", ("x",), None))
