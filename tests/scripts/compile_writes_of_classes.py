# option: --compile
# Writes to classes, through properties, to sets, to dicts of any keys, defaultdicts, Counters and
# deques, with every call compiled: as eagerly, call by call, and seen where they are read later.
from collections import Counter, OrderedDict, defaultdict, deque

import torch

x = torch.tensor([1.0, 2.0])


def calls(f, *changes):
    """Three calls, and one more after each change."""
    results = [f(x).tolist() for _ in range(3)]
    for change in changes:
        change()
        results.append(f(x).tolist())
    print(f.__name__, results)


class Base:
    count = 0
    last = None
    scale = 2.0


class Derived(Base):
    pass


def class_attributes(x):
    Base.count += 1
    Base.last = x * Base.count
    Derived.scale = Derived.scale + 1
    return x * Derived.count + Base.scale + Derived.scale


calls(class_attributes, lambda: setattr(Base, "count", 10), lambda: setattr(Derived, "count", 5),
      lambda: setattr(Base, "scale", 1.0))
print(Base.count, Derived.count, Base.last, Base.scale, Derived.scale, "scale" in vars(Derived))


class Counting:
    made = 0

    def __init__(self):
        type(self).made += 1
        self.number = type(self).made


def instances(x):
    one, other = Counting(), Counting()
    return x + one.number * 10 + other.number


calls(instances, lambda: setattr(Counting, "made", 100))
print(Counting.made)


class Thermostat:
    def __init__(self):
        self.kelvin, self.writes = 300, 0

    @property
    def celsius(self):
        return self.kelvin - 273

    @celsius.setter
    def celsius(self, value):
        if value < -273:
            raise ValueError("too cold")
        self.writes += 1
        self.kelvin = value + 273


room = Thermostat()


def properties(x):
    room.celsius += 5
    return x * room.celsius + room.writes


calls(properties, lambda: setattr(room, "celsius", 0))
print(vars(room))


def too_cold(x):
    room.celsius = -300
    return x


try:
    too_cold(x)
except ValueError as error:
    print("raised", error, vars(room))

seen = {"a", 1, 2}


def sets(x):
    fresh = "b" not in seen
    seen.add("b")
    seen.discard(1)
    seen.discard("nothing")
    if "a" in seen:
        seen.remove("a")
    seen.update([7, 8], ("c",))
    return x + fresh + 2 * (2 in seen) + 4 * (1 in seen)


calls(sets, lambda: seen.add("a"), lambda: seen.remove("b"), lambda: seen.discard(2))
print(sorted(seen, key=str))


def missing(x):
    seen.remove("no such")
    return x


try:
    missing(x)
except KeyError as error:
    print("raised", error)

table = {"n": 1, 3: 10, (1, "k"): 0.5, None: 7}


def dicts(x):
    table[3] += 1
    table.setdefault(4, 40)
    table.setdefault("m", []).append(table[3])
    table["popped"] = table.pop(None, 0)
    table.update({5: 50}, word="w")
    table[(1, "k")] *= 2
    return x + table[3] + table.get(6, 100) + table[(1, "k")] + (8 in table) + len(table)


calls(dicts, lambda: table.update({3: 0}), lambda: table.update({6: -6}),
      lambda: table.update({8: 0, None: 3}))
print(table)

groups = defaultdict(list)
totals = defaultdict(lambda: torch.zeros(2))


def missing_keys(x):
    groups["x"].append(len(groups["x"]))
    groups[0].append("zero")
    totals["sum"] = totals["sum"] + x
    totals["square"].add_(x * x)
    return totals["sum"] * len(groups["x"])


calls(missing_keys, groups.clear, lambda: totals.pop("sum"))
print(groups, dict(totals))

words = Counter()
order = OrderedDict(a=1)


def counters(x):
    words["w"] += 2
    words.update(["u", "w"])
    order["b"] = order["a"] + words["w"]
    order.move_to_end("a")
    return x * words["w"] + order["b"]


calls(counters, words.clear)
print(words, order)

recent = deque(maxlen=3)
queue = deque([1, 2, 3])


def deques(x):
    recent.append(x * len(recent))
    queue.append(queue.popleft())
    queue.appendleft(0)
    queue.pop()
    return x + len(recent) + queue[0] * 10 + queue[1]


calls(deques, recent.clear, lambda: queue.rotate(1))
print(recent, queue)


class Registry(dict):
    default = 1

    def __getitem__(self, key):
        return dict.__getitem__(self, key) * 2

    def __setitem__(self, key, value):
        self.changes = getattr(self, "changes", 0) + 1
        dict.__setitem__(self, key, value)

    def __contains__(self, key):
        return key == "always" or dict.__contains__(self, key)


registry = Registry(a=1)
registry.rate = 3


def subclass(x):
    y = x * registry.rate + registry["a"] + registry.default
    if "always" in registry and "b" not in registry:
        y = y + 100
    return y


calls(subclass, lambda: setattr(registry, "rate", 4), lambda: registry.update(a=5),
      lambda: setattr(Registry, "default", 7), lambda: registry.update(b=1),
      lambda: setattr(registry, "default", -1))


def hooked(x):
    registry["c"] = 3
    return x + registry["c"]


calls(hooked)
print(dict(registry), registry.changes)
