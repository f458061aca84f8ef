# A function that only hands its arguments on, and those that do something to them first.
def show(*args, **kwargs):
    return args, kwargs


def plain(*args, **kwargs):
    return show(*args, **kwargs)


def positional(*args):
    return show(*args)


def rebound(*args, **kwargs):
    args = [*args, "more"]
    return show(*args, **kwargs)


def by_loop(*args, **kwargs):
    for args in ("ab", "cd"):
        pass
    return show(*args, **kwargs)


def changed(*args, **kwargs):
    kwargs["added"] = len(args)
    return show(*args, **kwargs)


def wrong_key(*args, **kwargs):
    kwargs[3] = 1
    return show(*args, **kwargs)


def not_a_mapping(*args, **kwargs):
    kwargs = args
    return show(*args, **kwargs)


def deleted(*args, **kwargs):
    del args
    return show(*args, **kwargs)


def by_walrus(*args, **kwargs):
    if (args := "xyz"):
        return show(*args, **kwargs)


def from_inside(*args, **kwargs):
    def inner():
        nonlocal args
        args = (7, 8)
        return show(*args, **kwargs)

    return inner(), show(*args, **kwargs)


def of_another(*args, **kwargs):
    return (lambda *args: show(*args, **kwargs))(1, 2)


def in_a_generator(*args, **kwargs):
    yield show(*args, **kwargs)


class Receiver:
    def __init__(self, *args, **kwargs):
        self.given = show(*args, **kwargs)

    def __call__(self, *args, **kwargs):
        return self.given, show(*args, **kwargs)


for function in (plain, rebound, by_loop, changed, wrong_key, not_a_mapping, deleted, by_walrus,
                 from_inside, of_another):
    for args, kwargs in (((), {}), ((1, 2), {}), ((1,), {"k": 3})):
        try:
            print(function.__name__, function(*args, **kwargs))
        except Exception as error:
            print(function.__name__, type(error).__name__, error)
print(positional(), positional(1, 2))
print(list(in_a_generator(1, k=2)))
print(Receiver(1, k=2)(3, m=4))


def many(a, b, c, d, e, f, g, h, *rest, **named):
    return show(a, b, *rest, h=h, **named)


class Many:
    def __call__(self, *args, **kwargs):
        return many(*args, **kwargs)


print(Many()(*range(12), z=1))
try:
    Many()(1, 2)
except TypeError as error:
    print(error)
