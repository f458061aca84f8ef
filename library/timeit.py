"""How long a statement takes: `timeit(statement)`, `repeat(statement)`, `Timer(statement).autorange()`.

    timeit(lambda: f(x), number=100)                        # seconds of all hundred calls
    timeit("f(x)", globals=globals(), number=100)
"""
import gc
import time

default_timer = time.perf_counter
default_number = 1000000
default_repeat = 5

_FUNCTION = """\
def inner(_it, _timer{setup_name}):
    {setup}
    _t0 = _timer()
    for _i in _it:
        {statement}
        pass
    _t1 = _timer()
    return _t1 - _t0
"""


def _indented(text, columns):
    return text.replace("\n", "\n" + " " * columns)


class Timer:
    """A statement and what comes before it, each a text or a function of no arguments."""

    def __init__(self, stmt="pass", setup="pass", timer=default_timer, globals=None):
        names = {} if globals is None else globals
        self.timer = timer
        own = {}
        for kind, given in (("setup", setup), ("stmt", stmt)):
            if not isinstance(given, str):
                if not callable(given):
                    raise ValueError(f"{kind} is neither a string nor callable")
                own["_" + kind] = given
        if isinstance(setup, str):
            compile(setup, "<timeit-src>", "exec")
            compile(setup + "\n" + stmt if isinstance(stmt, str) else setup, "<timeit-src>", "exec")
        elif isinstance(stmt, str):
            compile(stmt, "<timeit-src>", "exec")
        self.src = _FUNCTION.format(
            statement=_indented(stmt, 8) if isinstance(stmt, str) else "_stmt()",
            setup=_indented(setup, 4) if isinstance(setup, str) else "_setup()",
            setup_name="".join([f", {name}={name}" for name in own]))
        namespace = dict(names)
        namespace.update(own)
        exec(compile(self.src, "<timeit-src>", "exec"), namespace)
        self.inner = namespace["inner"]

    def timeit(self, number=default_number):
        """The seconds of so many runs, without the collector of cycles between them."""
        collected = gc.isenabled()
        gc.disable()
        try:
            return self.inner(range(number), self.timer)
        finally:
            if collected:
                gc.enable()

    def repeat(self, repeat=default_repeat, number=default_number):
        return [self.timeit(number) for _ in range(repeat)]

    def autorange(self, callback=None):
        """So many runs that they take at least 0.2 seconds, and the seconds."""
        scale = 1
        while True:
            for step in (1, 2, 5):
                number = scale * step
                taken = self.timeit(number)
                if callback:
                    callback(number, taken)
                if taken >= 0.2:
                    return number, taken
            scale *= 10

    def print_exc(self, file=None):
        import traceback

        traceback.print_exc(file=file)


def timeit(stmt="pass", setup="pass", timer=default_timer, number=default_number, globals=None):
    return Timer(stmt, setup, timer, globals).timeit(number)


def repeat(stmt="pass", setup="pass", timer=default_timer, repeat=default_repeat,
           number=default_number, globals=None):
    return Timer(stmt, setup, timer, globals).repeat(repeat, number)
