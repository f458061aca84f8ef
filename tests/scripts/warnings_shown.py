# Warnings: where they are from, how they are shown, and what filters choose among them.
import sys
import warnings
from warnings import catch_warnings, filterwarnings, simplefilter


class Shown:
    def write(self, text):
        print(text.replace(__file__, "FILE"), end="")

    def flush(self):
        pass


sys.stderr = Shown()


def attempt(function):
    try:
        function()
    except Exception as error:
        print(type(error).__name__, error)


def old():
    warnings.warn("old", DeprecationWarning, stacklevel=2)


class Thing:
    def method(self):
        warnings.warn(
            "over several lines",
            RuntimeWarning,
        )


class OwnText(Warning):
    def __str__(self):
        return "of its own"


old()
Thing().method()
warnings.warn("two\nlines")
for i in range(3):
    warnings.warn("once a line")
    warnings.warn(f"of each text, {i}")
for category in (DeprecationWarning, PendingDeprecationWarning, ImportWarning, ResourceWarning, FutureWarning):
    warnings.warn("of " + category.__name__, category)
warnings.warn(OwnText("x"))
warnings.warn("higher than there is", stacklevel=5)
warnings.warn(5)
exec("warnings.warn('in exec')", {"warnings": warnings, "__name__": "executed"})
exec("warnings.warn('in exec, old', DeprecationWarning)", {"warnings": warnings, "__name__": "executed"})

# Recorded.
with catch_warnings(record=True) as caught:
    simplefilter("always")
    warnings.warn("recorded")
    old()
for each in caught:
    print(each.message, each.category, each.filename == __file__, each.lineno, each.line, each.file, each.source)
print(str(caught[0]).replace(__file__, "FILE"))

# Filters.
for i in range(2):
    simplefilter("default")
    warnings.warn("again after a filter")
for i in range(2):
    with catch_warnings():
        warnings.warn("again within")
simplefilter("once")
for i in range(2):
    warnings.warn("once")
    warnings.warn("once")
simplefilter("module")
warnings.warn("of a module")
warnings.warn("of a module")
filterwarnings("ignore", message="a+b?c", category=UserWarning)
warnings.warn("AAC is ignored")
warnings.warn("xaac is shown")
filterwarnings("ignore", module="nowhere")
warnings.warn("not of that module")
filterwarnings("ignore", module="__main_")
warnings.warn("of that module")
warnings.resetwarnings()
filterwarnings("ignore", lineno=5)
warnings.warn("not of that line")
attempt(lambda: simplefilter("wrong"))
attempt(lambda: filterwarnings("ignore", category=int))
attempt(lambda: filterwarnings("ignore", message=5))
attempt(lambda: filterwarnings("ignore", lineno=-1))
attempt(lambda: warnings.warn("x", int))
attempt(lambda: warnings.warn("x", "UserWarning"))
simplefilter("error")
attempt(lambda: warnings.warn("raised"))
attempt(lambda: warnings.warn(RuntimeWarning("raised too")))
with catch_warnings(action="ignore"):
    warnings.warn("not shown")
simplefilter("default")
print(warnings.filters[:2])


# Shown in a way of the script's own.
def own(message, category, filename, lineno, file=None, line=None):
    print("own:", message, category, lineno, file, line)


before = warnings.showwarning
warnings.showwarning = own
warnings.warn("to a function")
warnings.showwarning = before
before = warnings.formatwarning
warnings.formatwarning = lambda message, *place, **options: f"short: {message}\n"
warnings.warn("formatted")
warnings.formatwarning = before
print(repr(warnings.formatwarning("m", UserWarning, "nofile.py", 3)),
      repr(warnings.formatwarning("m", UserWarning, "nofile.py", 3, "  line ")))
warnings.warn_explicit("explicit", UserWarning, "nofile.py", 7)
warnings.showwarning("shown", UserWarning, "nofile.py", 3)
