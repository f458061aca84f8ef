# Every kind of parameter, and how arguments reach it.
def all_kinds(a, b, /, c, d=4, *rest, e, f=6, **others):
    print(a, b, c, d, rest, e, f, others)


all_kinds(1, 2, 3, e=5)
all_kinds(1, 2, c=3, e=5)
all_kinds(1, 2, 3, 40, 50, 60, e=5, g=7, h=8)
all_kinds(*[1, 2, 3], **{"e": 5, "z": 26})
all_kinds(1, *(2, 3), 4, *[5, 6], e=0, **{"k": 1}, **{"l": 2})


def defaults(a, b=[], *, c="c"):
    b.append(a)
    return b, c


print(defaults(1), defaults(2), defaults(3, [], c="d"))


def only_keywords(*, left, right=2):
    return left - right


def only_positions(a, b, /):
    return a * b


print(only_keywords(left=5), only_positions(3, 4))


def collect(*args, **kwargs):
    return args, kwargs


print(collect(), collect(1, x=2), collect(*range(3), **dict(a=1)))
for call in (lambda: only_positions(a=1, b=2), lambda: only_keywords(1), lambda: only_keywords(),
             lambda: only_positions(1), lambda: only_positions(1, 2, 3), lambda: all_kinds(1, 2, 3),
             lambda: defaults(1, a=2), lambda: defaults(c=1), lambda: defaults(1, x=2)):
    try:
        call()
    except TypeError as error:
        print(type(error).__name__, error)
