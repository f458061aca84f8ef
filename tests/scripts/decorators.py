# Decorators on functions, methods and classes, with and without arguments.
import functools


def logged(f):
    @functools.wraps(f)
    def wrapper(*args, **kwargs):
        print("->", f.__name__, args, kwargs)
        result = f(*args, **kwargs)
        print("<-", result)
        return result

    return wrapper


def times(n):
    def decorate(f):
        def wrapper(*args):
            return [f(*args) for _ in range(n)]

        return wrapper

    return decorate


@logged
def add(a, b=1):
    "adds"
    return a + b


@times(3)
@logged
def hello():
    return "hello"


print(add(1, b=2), add.__name__, add.__doc__)
print(hello())


def register(cls):
    cls.registered = True
    return cls


@register
class Thing:
    @logged
    def method(self, x):
        return x * 2

    def __repr__(self):
        return "<thing>"


print(Thing().method(4), Thing.registered)


@functools.lru_cache(maxsize=None)
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


print(fib(60))
print(functools.reduce(lambda a, b: a * b, range(1, 6)), functools.partial(pow, 2)(10))
