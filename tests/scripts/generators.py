# Generators: lazy, sent to, thrown into, closed, delegating.
def count(n):
    print("start")
    for i in range(n):
        received = yield i
        if received is not None:
            print("received", received)
    return "done"


g = count(3)
print(next(g), g.send("hello"), next(g))
try:
    next(g)
except StopIteration as stop:
    print("stop", stop.value)
print(list(g), next(g, "default"))


def fibonacci():
    a, b = 0, 1
    while True:
        yield a
        a, b = b, a + b


print([x for x, _ in zip(fibonacci(), range(10))])


def chain(*iterables):
    for iterable in iterables:
        yield from iterable


print(list(chain("ab", range(2), [None])))


def inner():
    x = yield 1
    print("inner got", x)
    return x * 2


def outer():
    result = yield from inner()
    print("outer got", result)
    yield result


o = outer()
print(next(o), o.send(21))


def guarded():
    try:
        yield 1
        yield 2
    except ValueError as error:
        yield f"caught {error}"
    finally:
        print("closed")


g = guarded()
print(next(g), g.throw(ValueError("thrown")))
print(list(g))
g = guarded()
next(g)
g.close()
print(sum(x * x for x in range(4)), any(x > 2 for x in range(4)), all(x > 2 for x in range(4)))
squares = (x * x for x in range(3))
print(next(squares), list(squares), list(squares))


def tree(depth):
    if depth:
        yield from tree(depth - 1)
        yield depth
        yield from tree(depth - 1)


print(list(tree(3)))


def raises():
    yield 1
    raise KeyError("from generator")


try:
    for x in raises():
        print(x)
except KeyError as error:
    print(error)
print(max(len(w) for w in "the quick brown fox".split()), ", ".join(str(i) for i in range(3)), dict((c, i) for i, c in enumerate("ab")))
