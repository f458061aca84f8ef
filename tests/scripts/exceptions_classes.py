# The hierarchy of exceptions, and classes of one's own.
class AppError(Exception):
    pass


class Coded(AppError):
    def __init__(self, code, message="none"):
        super().__init__(message)
        self.code = code

    def __str__(self):
        return f"[{self.code}] {super().__str__()}"


t, n, a = (1, 2), 3, [1]
for raise_it in (lambda: [][1], lambda: {}["k"], lambda: int("x"), lambda: None.x, lambda: 1 + "a", lambda: undefined,
                 lambda: [1, 2, 3].index(9), lambda: float("abc"), lambda: "a" * "b", lambda: len(5), lambda: next(iter([])),
                 lambda: t["a"], lambda: iter(3), lambda: n(), lambda: [].pop(), lambda: {}.popitem(), lambda: -"a",
                 lambda: 5 < "a", lambda: a[1.5], lambda: {[]: 1}, lambda: chr(-1), lambda: int("12", 99), lambda: 1 % 0,
                 lambda: 1.0 / 0, lambda: 1.0 // 0, lambda: 0 ** -1, lambda: "abc".index("z"), lambda: ().index(1),
                 lambda: set().pop(), lambda: {1}.remove(2), lambda: "%d" % "a", lambda: "{}".format(), lambda: max([]),
                 lambda: ord("ab"), lambda: range(1, 2, 0), lambda: 1 in 5, lambda: dict([1]), lambda: "a".join([1])):
    try:
        raise_it()
    except Exception as error:
        print(type(error).__name__, "|", error)

try:
    raise Coded(7, "seven")
except AppError as error:
    print(error, error.code, repr(error), isinstance(error, Exception))
try:
    raise AppError
except AppError as error:
    print(repr(error), str(error) == "")
for child, parent in [(KeyError, LookupError), (IndexError, LookupError), (ZeroDivisionError, ArithmeticError),
                      (OverflowError, ArithmeticError), (FileNotFoundError, OSError), (ModuleNotFoundError, ImportError),
                      (RecursionError, RuntimeError), (NotImplementedError, RuntimeError), (UnboundLocalError, NameError),
                      (KeyboardInterrupt, BaseException), (StopIteration, Exception)]:
    print(child.__name__, parent.__name__, issubclass(child, parent))
try:
    raise "text"
except TypeError as error:
    print(error)
try:
    a, b = [1, 2, 3]
except ValueError as error:
    print(error)
try:
    a, b, c = 1, 2
except ValueError as error:
    print(error)
try:
    a, *b, c = [1]
except ValueError as error:
    print(error)
try:
    for x in 5:
        pass
except TypeError as error:
    print(error)
