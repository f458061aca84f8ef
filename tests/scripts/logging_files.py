# Logging to files, and times.
import logging
import os
import time

path = f"logging_files_{os.getpid()}.log"
logging.basicConfig(filename=path, filemode="w", level=logging.INFO, format="%(asctime)s|%(message)s", datefmt="%Y")
logging.info("to a file")
logging.info("größer")
handler = logging.root.handlers[0]
print(os.path.basename(handler.baseFilename) == path, type(handler).__name__, handler.mode)
with open(path) as file:
    print(file.read().replace(time.strftime("%Y"), "YEAR"), end="")
logging.shutdown()
logging.basicConfig(force=True, handlers=[logging.FileHandler(path), logging.NullHandler()], level=10)
logging.debug("appended")
logging.root.handlers[0].close()
with open(path) as file:
    print(len(file.read().splitlines()))
os.remove(path)

logging.Formatter.converter = time.gmtime
record = logging.LogRecord("name", logging.ERROR, "folder/file.py", 7, "%s!", ("text",), None, "function")
record.created = 1700000000.5
record.msecs = 500.0
for format, datefmt in (("%(asctime)s", None), ("%(asctime)s %(msecs)03d", "%H:%M"), ("%(filename)s %(module)s %(pathname)s %(lineno)3d %(funcName)s %(threadName)s %(processName)s", None),
                        (None, None), ("%(levelname).1s%(asctime)20s", "%m%d")):
    print(logging.Formatter(format, datefmt).format(record))
print(logging.Formatter("{asctime} {message:>8}", style="{").format(record))
print(logging.Formatter("%(message)s %(more)s", defaults={"more": "by default"}).format(record))
try:
    logging.Formatter("%(nothing)s").format(record)
except ValueError as error:
    print(error)
print(logging.Formatter().formatTime(record), logging.Formatter().usesTime(), logging.Formatter("%(asctime)s").usesTime())
own = logging.Formatter("%(asctime)s", "%Y %H")
own.converter = lambda seconds: time.gmtime(seconds + 3600)
print(own.format(record))


class Fixed(logging.Formatter):
    def converter(self, seconds):
        return time.gmtime(seconds - 3600)


print(Fixed("%(asctime)s", "%H").format(record))
