# Classes that act as containers, callables, iterators and context managers.
class Grid:
    def __init__(self, n):
        self.cells = {}
        self.n = n

    def __len__(self):
        return self.n

    def __getitem__(self, key):
        return self.cells.get(key, "empty") if not isinstance(key, slice) else (key.start, key.stop, key.step)

    def __setitem__(self, key, value):
        self.cells[key] = value

    def __delitem__(self, key):
        del self.cells[key]

    def __contains__(self, value):
        return value in self.cells.values()

    def __iter__(self):
        return iter(sorted(self.cells))

    def __call__(self, *args, **kwargs):
        return ("called", args, kwargs)


g = Grid(3)
g[0, 1] = "a"
g[2, 2] = "b"
print(len(g), g[0, 1], g[5], g[1:2], g[::3], "a" in g, "z" in g, list(g), g(1, k=2))
del g[0, 1]
print(list(g), bool(g), bool(Grid(0)))


class Countdown:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return self

    def __next__(self):
        if self.n == 0:
            raise StopIteration
        self.n -= 1
        return self.n


print(list(Countdown(4)), sum(Countdown(5)), [x for x in Countdown(3)], max(Countdown(7)))
a, b, c = Countdown(3)
print(a, b, c, 1 in Countdown(3), tuple(zip(Countdown(2), "xy")))


class Sequence:
    def __getitem__(self, i):
        if i >= 3:
            raise IndexError
        return i * 10


print(list(Sequence()), 20 in Sequence())


class Lazy:
    def __getattr__(self, name):
        if name.startswith("x"):
            return name.upper()
        raise AttributeError(f"no {name}")

    def __setattr__(self, name, value):
        object.__setattr__(self, name, value * 2)


lazy = Lazy()
lazy.a = 21
print(lazy.a, lazy.xyz, hasattr(lazy, "b"), getattr(lazy, "c", "default"))
