# Exceptions as text: the module `traceback`, its lines without those that name files.
import sys
import traceback


def divide():
    return 1 / 0


def show(text):
    print([line for line in text.splitlines() if not line.startswith("  File")])


try:
    divide()
except ZeroDivisionError as error:
    show(traceback.format_exc())
    show("".join(traceback.format_exception(error)))
    show("".join(traceback.format_exception(type(error), error, None)[-1:]))
    print(traceback.format_exception_only(error))
    print(traceback.format_exception_only(type(error), error))
traceback.print_exc(file=sys.stdout)


class Own(Exception):
    pass


try:
    try:
        raise KeyError("first")
    except KeyError as first:
        raise Own from first
except Own as error:
    show(traceback.format_exc())
    print(traceback.format_exception_only(error))
print(__import__("math").floor(2.5), __import__("os.path").__name__)


def misspelt(sought):
    try:
        sought()
    except Exception:
        show(traceback.format_exc())


misspelt(lambda: [].apend(1))
misspelt(lambda: tracebak)
misspelt(lambda: traceback.fromat_exc())
