# Containers that change under the code that works on them, and indices that run code: errors, never crashes.


class Clears:
    """Its special methods clear the list that is being worked on."""

    def __index__(self):
        values.clear()
        return 1

    def __eq__(self, other):
        values.clear()
        return False

    def __repr__(self):
        values.clear()
        return "C"

    def __lt__(self, other):
        values.clear()
        return True

    def __hash__(self):
        return 1


def attempt(name, f):
    global values
    values = [1, 2, 3, 4]
    try:
        print(name, f(), values)
    except Exception as error:
        print(name, type(error).__name__, error, values)


def assign(key):
    values[key] = [7]


def delete(key):
    del values[key]


def with_items(f):
    values[:] = [Clears(), Clears(), 3]
    return f()


c = Clears()
for name, f in [("get", lambda: values[c]), ("slice", lambda: values[:c]), ("slice from", lambda: values[c:]), ("step", lambda: values[::c]), ("set", lambda: assign(c)), ("set slice", lambda: assign(slice(c, None))), ("set step", lambda: assign(slice(None, None, c))),
                ("del", lambda: delete(c)), ("del slice", lambda: delete(slice(c))), ("method", lambda: list.__getitem__(values, slice(None, c))), ("insert", lambda: values.insert(c, 5)), ("pop", lambda: values.pop(c)), ("repeat", lambda: values * c),
                ("in", lambda: with_items(lambda: 9 in values)), ("index", lambda: with_items(lambda: values.index(9))), ("count", lambda: with_items(lambda: values.count(9))), ("remove", lambda: with_items(lambda: values.remove(9))), ("==", lambda: with_items(lambda: values == [1, 2, 3])),
                ("repr", lambda: with_items(lambda: repr(values))), ("sort", lambda: with_items(lambda: values.sort())), ("max", lambda: with_items(lambda: type(max(values[:2])).__name__)), ("tuple", lambda: (1, 2, 3)[c]), ("str", lambda: "abc"[c:]), ("range", lambda: range(10)[c:])]:
    attempt(name, f)

lowest = -(2**62) * 2
print(lowest in range(0, -5, -1), lowest in range(5), lowest in range(lowest, 0), lowest // 2, lowest % -1, lowest % 7)
for f in (lambda: "a".ljust(10**16), lambda: "a".rjust(10**16), lambda: "a".center(10**16), lambda: "a".zfill(10**16), lambda: "ab" * 10**17, lambda: [0] * 10**15, lambda: (0,) * 10**15, lambda: list(range(10**15)), lambda: tuple(range(10**15)), lambda: bytes(10**15), lambda: b"a".ljust(10**16)):
    try:
        print(len(f()))
    except MemoryError as error:
        print("MemoryError", error)
