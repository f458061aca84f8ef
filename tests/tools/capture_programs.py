"""Random small programs that a compiler by tracing finds hard, written from a seed.

    text = capture_programs.program(17)          the same text for the same seed, always
    text.replace("@COMPILE", "@torch.compile")   a decorator stands above each function to compile

A program is some globals, a class, plain functions and functions to compile, and a driver that
calls the latter again and again while arguments, lists and globals change. It prints all that it
computes; an exception is a result like any other. Values are few and kept small: what is varied is
where they flow, so that every two runs of a program can be compared line by line. The templates are
in capture_templates.py.
"""

import random

from capture_templates import EXPRESSIONS, PRELUDE, SIMPLE, STATEMENTS


class Writer:
    """Writes one function: keeps the names in scope, by kind, and the lines."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines = []
        self.scope = {}
        self.names = 0

    def expression(self, kind, depth):
        """An expression of this kind, nested at most so deep."""
        known = self.scope.get(kind, [])
        if depth <= 0 or (known and self.random.random() < 0.45):
            return self.random.choice(known) if known else SIMPLE[kind]
        return self.fill(self.random.choice(EXPRESSIONS[kind]), depth - 1)

    def fill(self, template, depth):
        """The template with its holes filled; `{m!}` is the same name at each place."""
        targets = {}
        parts, rest = [], template
        while "{" in rest or "}" in rest:
            at = min(p for p in (rest.find("{"), rest.find("}")) if p >= 0)
            parts.append(rest[:at])
            if rest[at : at + 2] in ("{{", "}}"):
                parts.append(rest[at])
                rest = rest[at + 2 :]
                continue
            end = rest.index("}", at)
            hole, rest = rest[at + 1 : end], rest[end + 1 :]
            if hole.endswith("!"):
                parts.append(targets.setdefault(hole, self.target(hole[0])))
            else:
                inner = self.expression(hole, depth)
                simple = (
                    inner.isidentifier()
                    or inner[-1] in ")]"
                    and inner[0].isalpha()
                    and " " not in inner
                )
                parts.append(inner if simple else f"({inner})")
        return "".join(parts + [rest]).replace("\n", "\0")

    def target(self, kind):
        names = self.scope.get(kind)
        if not names:
            names = self.scope[kind] = [f"{kind}0"]
            self.put(f"{kind}0 = {SIMPLE[kind]}")
        return self.random.choice(names)

    def put(self, line):
        self.lines += ["    " * self.indent + each for each in line.split("\0")]

    def new(self, kind, value=None):
        self.names += 1
        name = f"{kind}{self.names}"
        self.put(f"{name} = {value or self.expression(kind, 2)}")
        self.scope.setdefault(kind, []).append(name)
        return name

    def block(self, budget, loops=0):
        """Some statements, also nested ones; a name made in a block may be unbound behind it."""
        kept = {kind: list(names) for kind, names in self.scope.items()}
        self.indent += 1
        for _ in range(budget):
            self.statement(budget // 2, loops)
        self.put("pass")
        self.indent -= 1
        if self.random.random() < 0.97:
            self.scope = kept

    def statement(self, budget, loops):
        pick = self.random.random()
        if pick < 0.3:
            self.new(self.random.choice("mmmmvvsifbldo"))
        elif pick < 0.72 or budget < 1:
            self.put(self.fill(self.random.choice(STATEMENTS), 1))
        else:
            self.random.choice(
                [self.branch, self.loop, self.attempt, self.closure, self.manager, self.leave]
            )(budget, loops)

    def branch(self, budget, loops):
        self.put(f"if {self.expression('b', 2)}:")
        self.block(budget, loops)
        if self.random.random() < 0.5:
            self.put("else:")
            self.block(budget, loops)

    def loop(self, budget, loops):
        if loops == 2:
            return
        self.names += 1
        item, kind, over = self.random.choice(
            [
                ("i", "i", "range({i} % 4)"),
                ("m", "m", "{l}[:3]"),
                ("v", "v", "{m}[:3]"),
                ("m", "m", "walk({l}[:2])"),
                ("i", "i", "[1, 2, 3]"),
                ("m", "m", "list({d}.values())"),
                ("f", "f", "{v}.tolist()[:2]"),
                ("m", "m", "(z * 2 for z in {l}[:2])"),
            ]
        )
        name = f"{item}{self.names}"
        if self.random.random() < 0.2:
            limit = self.random.choice(["3", "{s}", "{i} % 5"])
            limit = limit.replace("{s}", "(" + self.expression("s", 1) + ").clamp(max=3)")
            limit = limit.replace("{i}", "(" + self.expression("i", 1) + ")")
            self.put(f"{name} = 0\0while {name} < {limit}:")
            self.put(f"    {name} += 1")
            kind = "i"
        elif self.random.random() < 0.25:
            self.put(f"for c{self.names}, {name} in enumerate({self.fill(over, 1)}):")
        else:
            self.put(f"for {name} in {self.fill(over, 1)}:")
        kept = list(self.scope.get(kind, []))
        self.scope[kind] = kept + [name] * 2
        self.block(budget, loops + 1)
        self.scope[kind] = kept
        if self.random.random() < 0.3:
            self.lines[-1] = self.lines[-1].replace(
                "pass",
                f"if {self.expression('b', 1)}: " + self.random.choice(["break", "continue"]),
            )
        if self.random.random() < 0.15:
            self.put("else:")
            self.block(1, loops)

    def attempt(self, budget, loops):
        self.put("try:")
        self.block(budget, loops)
        if self.random.random() < 0.6:
            error = self.random.choice(["ValueError", "KeyError", "IndexError"])
            self.put(f"    raise {error}({self.expression('t', 1)})")
        self.put("except (ValueError, RuntimeError) as error:")
        self.block(1, loops)
        self.put("    print('caught', type(error).__name__)")
        if self.random.random() < 0.3:
            self.put("finally:")
            self.block(1, loops)

    def closure(self, budget, loops):
        self.names += 1
        name, captured = (
            f"h{self.names}",
            self.new("i") if self.random.random() < 0.5 else self.new("m"),
        )
        self.put(f"def {name}(y, by={self.expression('i', 1)}):")
        if self.random.random() < 0.6:
            self.put(f"    nonlocal {captured}\0    {captured} = {captured} + 1")
        self.put(f"    return y + {captured} * by")
        for _ in range(self.random.randint(1, 2)):
            self.new("m", f"{name}({self.expression('m', 1)})")

    def manager(self, budget, loops):
        self.put(
            self.random.choice(
                [
                    "with torch.no_grad():",
                    "with torch.enable_grad():",
                    "with torch.set_grad_enabled(n > 1):",
                ]
            )
        )
        self.block(budget, loops)

    def leave(self, budget, loops):
        condition = self.expression("b", 2)
        result = self.expression(self.random.choice("mvsiflt"), 1)
        self.put(f"if {condition}:\0    return {result}")

    def function(self, name, size, decorator):
        """A function of a matrix, an int, a list and keyword arguments."""
        self.scope = {"m": ["x"], "i": ["n"], "l": ["xs"], "d": ["options"]}
        generator = self.random.random() < 0.08 and decorator
        self.indent = 0
        if decorator:
            self.put(decorator)
        self.put(f"def {name}(x, n=2, xs=(), **options):")
        self.indent = 1
        self.put("xs = xs or [x, x + 1]\0options = options or {'a': x, 'b': x * 2}")
        if self.random.random() < 0.4:
            self.put("global G_I, G_T\0G_I += 1")
        for _ in range(size):
            self.statement(3, 0)
            if generator and self.random.random() < 0.4:
                self.put(f"yield {self.expression('m', 1)}")
        kinds = [self.random.choice("mmmvsifld") for _ in range(self.random.randint(1, 3))]
        self.put(
            ("yield " if generator else "return ")
            + ", ".join(
                self.random.choice(self.scope.get(kind) or [SIMPLE[kind]]) for kind in kinds
            )
        )
        self.put("\0")
        self.generators = getattr(self, "generators", set()) | ({name} if generator else set())

    def driver(self, functions):
        """Calls while sizes, types, strides, lists and globals change."""
        self.indent = 0
        self.put(
            "items = [torch.ones(2, 3), torch.full((2, 3), 2.0)]\0"
            "keep = torch.arange(6.0).view(2, 3) / 4"
        )
        arguments = [
            "torch.arange(6.0).view(2, 3) / 3",
            "torch.arange(6.0).view(3, 2).t() / 3",
            "torch.ones(3, 3)",
            "keep",
            "torch.arange(12.0).view(3, 4)[:, ::2] / 4",
            "torch.arange(8.0).view(2, 4) / 4 - 1",
            "torch.ones(2, 3, dtype=torch.float64)",
            "torch.arange(6).view(2, 3)",
            "-torch.ones(2, 2)",
            "torch.zeros(1, 3)",
            "items[0]",
            "torch.ones(2, 1).expand(2, 3).clone()",
            "OBJECT.w",
            "keep[:, 1:]",
            "torch.ones(4, 5) / 2",
        ]
        changes = [
            "G_I = {}",
            "G_F = {} / 4",
            "G_S = 'g' * ({} % 3)",
            "G_L.append(torch.full((2, 2), {}.0))",
            "OBJECT.k = {}",
            "OBJECT.w = torch.full((2, 3), {} / 2)",
            "items.append(torch.full((2, 3), {}.0))",
            "items.pop()",
            "items = [torch.ones(2, 3)] * 2",
            "OBJECT.shared = {}",
            "TABLE['k'] = lambda x: x + {}",
            "G_T = torch.ones({} % 3 + 1, 1)",
            "Box.shared = {}",
            "OBJECT = Sub(torch.ones(2, 3), {})",
            "getattr(helper, '__wrapped__', helper).__defaults__ = ({}, ())",
            "def plain(a, b=2, *, c=1): return a - {}",
            "G_D.clear()",
            "keep.add_({})",
            "OBJECT.table['b'] = torch.full((2, 3), {}.0)",
            "torch.manual_seed({})",
            "OBJECT.f = 'no' if {} > 4 else 0.25",
        ]
        for _ in range(self.random.randint(5, 9)):
            if self.random.random() < 0.5:
                self.put(self.random.choice(changes).format(self.random.randint(0, 6)))
            name = self.random.choice(functions)
            more = self.random.choice(
                [
                    "",
                    "",
                    ", 3",
                    f", n={self.random.randint(0, 7)}",
                    f", {self.random.randint(-2, 5)}, items",
                    ", xs=items",
                    ", a=keep",
                    ", 1, [keep, keep], a=torch.ones(2, 3)",
                ]
            )
            argument = self.random.choice(
                arguments if self.random.random() < 0.6 else arguments[:2]
            )
            if name in self.generators:
                self.put(
                    f"call(lambda *args, **rest: list({name}(*args, **rest)), {argument}{more})"
                )
            elif self.random.random() < 0.1:
                self.put(f"with torch.no_grad():\0    call({name}, {argument}{more})")
            else:
                self.put(f"call({name}, {argument}{more})")


def program(seed):
    """The text of the program of this seed, with `@COMPILE` for the decorator."""
    writer = Writer(seed)
    writer.lines = PRELUDE.splitlines()
    # `helper` calls no function of its own kind, so no program recurses without an end.
    taken = list(EXPRESSIONS["m"])
    EXPRESSIONS["m"] = [each for each in taken if not each.startswith("helper")]
    writer.function("helper", 2, "@COMPILE" if seed % 3 == 0 else "")
    EXPRESSIONS["m"] = taken
    if "helper" in writer.generators:
        return program(seed + 1_000_000)
    writer.function("f", writer.random.randint(2, 7), "@COMPILE")
    writer.function("g", writer.random.randint(2, 5), "@COMPILE")
    writer.driver(["f", "f", "f", "g", "g", "helper"])
    return "\n".join(writer.lines) + "\n"
