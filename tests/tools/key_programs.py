"""Random programs about writes to classes and containers of any keys, and about which objects are the same.

    text = key_programs.program(17)              the same text for the same seed, always
    text.replace("@COMPILE", "@torch.compile")   a decorator stands above each function to compile

A program has some objects, dicts, sets, defaultdicts, Counters and deques, and two functions that
get two of the objects: they look things up, write, tell apart, and add what they find to a tensor.
The driver calls them with objects that are the same or not, and changes what they read between two
calls. In the end it prints all containers.
"""

import random

PRELUDE = '''import torch
from collections import Counter, OrderedDict, defaultdict, deque


class Thing:
    made = 0
    rate = 2
    rank = 4

    def __init__(self, level=1):
        self.level = level
        self.tags = set()

    @property
    def double(self):
        return self.level * 2

    @double.setter
    def double(self, value):
        self.level = value // 2 + 1


class Special(Thing):
    def __init__(self, level=1):
        super().__init__(level)
        self.__dict__["double"] = 100


class Table(dict):
    limit = 3


class Checked(dict):
    def __setitem__(self, key, value):
        self.writes = getattr(self, "writes", 0) + 1
        super().__setitem__(key, value)

    def __missing__(self, key):
        return 0


A, B, C = Thing(1), Special(2), Thing(3)
T, U = torch.ones(1), torch.ones(1)
NAMED = {"a": 1, "b": 2}
MIXED = {"a": 1, 2: 3, (1, "x"): 4, None: 5}
STATE = {}
SEEN = {"a", 2}
GROUPS = defaultdict(list)
STEPS = defaultdict(dict)
WORDS = Counter()
ORDER = OrderedDict(a=1, b=2)
RECENT = deque(maxlen=3)
QUEUE = deque([1, 2, 3])
TABLE = Table(a=1)
TABLE.rate = 2
CHECKED = Checked(a=1)


def level(value):
    if isinstance(value, torch.Tensor):
        return float(value.sum())
    return value.level if isinstance(value, Thing) else str(value)


def shown(value):
    if isinstance(value, torch.Tensor):
        return value.tolist()
    if isinstance(value, Thing):
        return (value.level, sorted(type(tag).__name__ + str(level(tag)) for tag in value.tags))
    if isinstance(value, dict):
        return [(shown(k), shown(v)) for k, v in value.items()]
    if isinstance(value, (set, frozenset)):
        return sorted(str(shown(each)) for each in value)
    if isinstance(value, (list, tuple, deque)):
        return [shown(each) for each in value]
    return value


def call(f, *arguments):
    try:
        print(f.__name__, shown(f(*arguments)))
    except Exception as error:
        print(f.__name__, type(error).__name__, error if type(error) is not KeyError else "")


'''

# p and q are the objects, k a key, n an int, x the tensor.
STATEMENTS = [
    "Thing.made += 1",
    "Special.made = {n}",
    "type(p).rate = {n} + Thing.rate",
    "Thing.last = x * {n}",
    "p.double = {n}",
    "p.rank = {n}",
    "q.rank += 1",
    "q.double += 1",
    "p.tags.add({k})",
    "q.tags.discard({k})",
    "SEEN.add({k})",
    "SEEN.discard({k})",
    "if {k!} in SEEN: SEEN.remove({k!})",
    "SEEN.update([{k}, {k}])",
    "NAMED['a'] += 1",
    "NAMED['n'] = NAMED.pop('b', {n})",
    "NAMED.setdefault('z', {n})",
    "NAMED.update(b={n}, c=1)",
    "MIXED[{k}] = {n}",
    "MIXED[{k!}] = MIXED.get({k!}, 0) + 1",
    "MIXED.pop({k}, None)",
    "MIXED.setdefault({k}, {n})",
    "STATE[p] = {n}",
    "STATE[q] = STATE.get(p, 0) + 1",
    "if p not in STATE: STATE[p] = [{n}]",
    "STATE.pop(q, None)",
    "STATE.setdefault(p, []) if {n} % 2 else None",
    "GROUPS[{k}].append({n})",
    "GROUPS[p].append(x * {n})",
    "STEPS[p]['n'] = STEPS[p].get('n', 0) + 1",
    "STEPS[q].setdefault('x', x)",
    "WORDS[{k}] += 1",
    "WORDS.update(['w', {k}])",
    "ORDER[{k}] = {n}",
    "ORDER.move_to_end('a')",
    "RECENT.append({n})",
    "RECENT.appendleft(x * 2)",
    "QUEUE.append(QUEUE.popleft() + 1)",
    "QUEUE.rotate(1)",
    "QUEUE.appendleft({n})\nQUEUE.pop()",
    "TABLE[{k}] = {n}",
    "TABLE.update(a={n})",
    "CHECKED[{k}] = CHECKED[{k}] + {n}",
    "kept = {{p: {n}, q: 2}}\nx = x + kept[p] + len(kept)",
    "kept = {{p}} | {{q}}\nx = x + len(kept)",
    "seen = set()\nfor each in (p, q, A, p):\n    if each not in seen:\n        seen.add(each)\n"
    "        x = x + level(each)",
]
VALUES = [
    "(p in {{q}})",
    "(p in [q, {k}])",
    "(q not in (p, A))",
    "(p == q)",
    "([p, 1] == [q, 1])",
    "[q, p].index(p)",
    "[p, q, p].count(q)",
    "((p, {n}) == (q, {n}))",
    "({k} in SEEN)",
    "({k} in MIXED)",
    "(p in STATE)",
    "len(STATE)",
    "len(NAMED)",
    "len(GROUPS)",
    "len(RECENT)",
    "QUEUE[0]",
    "NAMED['a']",
    "NAMED.get('n', 7)",
    "MIXED.get({k}, 9)",
    "Thing.made",
    "p.made",
    "p.rank",
    "q.rank",
    "q.rate",
    "type(q).rate",
    "p.level",
    "q.double",
    "WORDS[{k}]",
    "WORDS['w']",
    "ORDER.get({k}, 0)",
    "TABLE.rate",
    "TABLE.limit",
    "TABLE.get('a')",
    "CHECKED['none']",
    "len(STEPS[p])",
    "len(p.tags)",
    "sum(WORDS.values())",
    "dict(vars(p))['level']",
    "len(dir(p))",
    "len(type(q).__name__)",
    "level.__defaults__ is None",
]
CHANGES = [
    "Thing.made = {n}",
    "Special.rate = {n}",
    "Special.made = {n}",
    "del Special.made",
    "A.rank = {n}",
    "Special.rank = {n}",
    "Thing.rank = property(lambda self: {n}, lambda self, value: None)",
    "del Special.rate",
    "A.level = {n}",
    "A.rate = {n}",
    "B.tags = {{{n}}}",
    "SEEN.clear()",
    "SEEN.add({n})",
    "NAMED.clear(); NAMED['a'] = {n}",
    "NAMED['b'] = {n}",
    "MIXED[2] = {n}",
    "MIXED['z'] = {n}",
    "STATE.clear()",
    "STATE[A] = {n}",
    "STATE[T] = {n}",
    "GROUPS.clear()",
    "GROUPS.default_factory = set if {n} == 6 else list",
    "STEPS.pop(A, None)",
    "WORDS.clear()",
    "RECENT.clear()",
    "QUEUE = deque([{n}, 5])",
    "TABLE.rate = {n}",
    "TABLE.limit = {n}",
    "Table.limit = {n}",
    "A.extra = {n}",
    "Thing.more = {n}",
    "C = A if {n} % 2 else Thing({n})",
]
KEYS = ["'a'", "'b'", "'z'", "2", "3", "None", "(1, 'x')", "p", "q"]


class Writer:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def fill(self, template):
        """`{k!}` is the same key at each place."""
        key = self.random.choice(KEYS)
        text = template.replace("{k!}", key)
        while "{k}" in text:
            text = text.replace("{k}", self.random.choice(KEYS), 1)
        while "{n}" in text:
            text = text.replace("{n}", self.random.choice(["n", "2", "5", "n + 1"]), 1)
        return text.replace("{{", "{").replace("}}", "}")

    def statement(self):
        if self.random.random() < 0.35:
            return f"x = x + {self.fill(self.random.choice(VALUES))}"
        return self.fill(self.random.choice(STATEMENTS))

    def function(self, name):
        lines = ["@COMPILE", f"def {name}(x, p, q, n):"]
        for _ in range(self.random.randint(2, 7)):
            lines += ["    " + line for line in self.statement().splitlines()]
        return [*lines, f"    return x * 2 + {self.fill(self.random.choice(VALUES))}", "", ""]

    def driver(self):
        lines = ["x = torch.tensor([1.0, 2.0])"]
        for _ in range(self.random.randint(8, 14)):
            if self.random.random() < 0.5:
                change = self.random.choice(CHANGES)
                change = change.format(n=self.random.randint(0, 6))
                lines += [f"try: {change}", "except (AttributeError, KeyError): pass"]
            pool = "ABC" if self.random.random() < 0.85 else "TU"
            p, q = self.random.choice(pool), self.random.choice(pool)
            name = self.random.choice("ffg")
            lines.append(f"call({name}, x, {p}, {q}, {self.random.choice([1, 1, 2, 3])})")
        names = ["NAMED", "MIXED", "STATE", "SEEN", "GROUPS", "STEPS", "WORDS", "ORDER", "RECENT"]
        names += ["QUEUE", "TABLE", "CHECKED", "(A, B, C)"]
        lines += [f"print({each!r}, shown({each}))" for each in names]
        return [*lines, "print(Thing.made, Thing.rate, vars(Thing).get('last'), Special.rate)"]


def program(seed):
    """The text of the program of this seed, with `@COMPILE` for the decorator."""
    writer = Writer(seed)
    lines = PRELUDE.splitlines() + writer.function("f") + writer.function("g") + writer.driver()
    return "\n".join(lines) + "\n"
