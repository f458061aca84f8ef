# Recursion through special methods, keys, iterators and nested data ends in RecursionError, never in a crash.
import collections
import functools
import heapq
import itertools
import torch


class Item:
    """Each special method meets a container or builtin that calls it again."""

    def __init__(self, n=0):
        self.n = n

    def __eq__(self, other):
        return Item() in [Item()]

    def __hash__(self):
        return hash((Item(), 1))

    def __lt__(self, other):
        return sorted([Item(), Item()]) is None

    def __repr__(self):
        return repr({"item": Item()})

    def __str__(self):
        return f"<{Item()}>"

    def __iter__(self):
        return iter(list(Item()))

    def __next__(self):
        return next(Item())

    def __len__(self):
        return len(Item())

    def __bool__(self):
        return not Item()

    def __getitem__(self, i):
        return [1, 2][Item()]

    def __index__(self):
        return [1, 2][Item()]

    def __setitem__(self, i, value):
        self[i] = value

    def __call__(self, x=None):
        return list(map(self, [1]))

    def __contains__(self, x):
        return x in Item()

    def __getattr__(self, name):
        return getattr(Item(), name)

    def __add__(self, other):
        return sum([Item(), Item()], Item())

    def __enter__(self):
        with Item():
            pass

    def __exit__(self, *info):
        pass

    def __format__(self, spec):
        return f"{Item():{spec}}"

    def __reversed__(self):
        return reversed(Item())

    def __int__(self):
        return int(Item())

    @property
    def p(self):
        return Item().p


def key(x):
    return sorted([2, 1], key=key)


def smallest(x):
    return min([1, 2], key=smallest)


def fold(a, b):
    return functools.reduce(fold, [1, 2, 3])


def generate():
    return sum(generate() for _ in range(2))


def delegate():
    yield from delegate()


def joined():
    return ",".join(joined() for _ in [1])


def mapped(x):
    return list(map(mapped, [1]))


def filtered(x):
    return list(filter(filtered, [1]))


def starred(x):
    return list(itertools.starmap(starred, [(1,)]))


def counted(x=None):
    return counts["missing"]


counts = collections.defaultdict(counted)


@functools.lru_cache(None)
def cached(n):
    return cached(n + 1)


def nested(make, depth=20000):
    value = make(None)
    for _ in range(depth):
        value = make(value)
    return value


def attempt(name, f):
    try:
        f()
        print(name, "ended")
    except RecursionError as error:
        print(name, "RecursionError", str(error)[:32])
    except Exception as error:
        print(name, type(error).__name__, str(error)[:60])


item = Item()
heap = [Item()]
for name, f in [("==", lambda: item == 3), ("in", lambda: item in (1, 2)), ("index", lambda: [3].index(item)), ("count", lambda: [3].count(item)), ("hash", lambda: hash(item)), ("dict", lambda: {item: 1}), ("set", lambda: {item}),
                ("<", lambda: item < item), ("sorted", lambda: sorted([item, Item()])), ("max", lambda: max(item, Item())), ("heap", lambda: heapq.heappush(heap, Item())), ("repr", lambda: repr(item)), ("str", lambda: str([item])), ("print", lambda: print(item)),
                ("format", lambda: f"{item:>3}"), ("list", lambda: list(item)), ("next", lambda: next(item)), ("unpack", lambda: [*item]), ("zip", lambda: list(zip(item))), ("len", lambda: len(item)), ("bool", lambda: 1 if item else 2), ("any", lambda: any([item])),
                ("getitem", lambda: item[0]), ("setitem", lambda: item.__setitem__(0, 1)), ("call", lambda: item()), ("contains", lambda: 1 in item), ("attribute", lambda: item.nothing), ("property", lambda: item.p), ("add", lambda: item + 1), ("with", lambda: item.__enter__()),
                ("reversed", lambda: reversed(item)), ("int", lambda: int(item)), ("range", lambda: range(item)), ("key", lambda: key(1)), ("min key", lambda: smallest(1)), ("reduce", lambda: fold(1, 2)), ("sum", generate), ("yield from", lambda: list(delegate())),
                ("join", joined), ("map", lambda: mapped(1)), ("filter", lambda: filtered(1)), ("starmap", lambda: starred(1)), ("defaultdict", counted), ("lru_cache", lambda: cached(0)), ("exec", lambda: exec("f()", {"f": counted}))]:
    attempt(name, f)

deep, other = nested(lambda v: [v]), nested(lambda v: [v])
attempt("deep repr", lambda: repr(deep))
attempt("deep ==", lambda: deep == other)
attempt("deep <", lambda: deep < other)
attempt("deep dict", lambda: str(nested(lambda v: {1: v})))
attempt("deep dicts", lambda: nested(lambda v: {1: v}) == nested(lambda v: {1: v}))
attempt("deep isinstance", lambda: isinstance("x", nested(lambda v: (v,) if v else int)))
attempt("deep tensor", lambda: torch.tensor(deep))
attempt("deep sum", lambda: sum(nested(lambda v: [v])))
endless = []
endless.append(endless)
attempt("endless tensor", lambda: torch.tensor(endless))
print(endless)

# A long chain is no recursion: making and dropping it just works.
for make in (lambda m: map(lambda x: x + 1, m or [1, 2]), lambda m: filter(lambda x: True, m or [1, 2]), lambda m: enumerate(m or [1, 2]), lambda m: functools.partial(m or (lambda: 5))):
    chain = nested(make, 3000)
    print(type(chain).__name__)
del chain, deep, other
