# Special methods of numbers called by name, and str subclasses with their own hash as keys.
NAMES = ("add sub mul truediv floordiv mod divmod pow lshift rshift and or xor "
         "radd rsub rmul rtruediv rfloordiv rmod rdivmod rpow rlshift rrshift rand ror rxor "
         "eq ne lt le gt ge").split()
ONE = ("neg pos abs invert int float bool index trunc floor ceil round hash repr str len "
       "iter call getitem").split()


def attempt(label, run):
    try:
        print(label, run())
    except Exception as error:
        print(label, type(error).__name__, error)


numbers = [7, True, 2.5]
others = [2, 0, 1.5, "a"]
for name in NAMES:
    for number in numbers:
        method = getattr(number, f"__{name}__", None)
        if method is None:
            print(name, repr(number), "has none")
            continue
        for other in others:
            attempt(f"{name} {number!r} {other!r}", lambda: method(other))
    attempt(name + " of a class", lambda: getattr(int, f"__{name}__")(7, 2))
    attempt(name + " of a class", lambda: getattr(int, f"__{name}__")(7, 2.0))
    attempt(name + " of a class", lambda: getattr(int, f"__{name}__")("a", 2))
    attempt(name + " of float", lambda: getattr(float, f"__{name}__")(7.5, 2))
    attempt(name + " of float", lambda: getattr(float, f"__{name}__")(7.5, "a"))
    attempt(name + " of bool", lambda: getattr(bool, f"__{name}__")(True, 2))
for name in ONE:
    for number in (7, True, 2.5):
        method = getattr(number, f"__{name}__", None)
        if method is None:
            print(name, repr(number), "has none")
        elif name != "hash":
            attempt(f"{name} {number!r}", method)
attempt("pow of three", lambda: (7).__pow__(2, 5))
attempt("pow of three", lambda: (7).__pow__(2, 0))
attempt("pow of three", lambda: (7.0).__pow__(2, 5))
attempt("rpow of three", lambda: (2).__rpow__(7, 5))
attempt("too few", lambda: (7).__add__())
attempt("too many", lambda: (7).__add__(1, 2))
attempt("too many", lambda: (7).__neg__(1))
attempt("keyword", lambda: (7).__add__(other=1))


class Folded(str):
    def __hash__(self):
        return hash(self.lower())

    def __eq__(self, other):
        return isinstance(other, str) and self.lower() == other.lower()


class Plain(str):
    pass


class Counted(str):
    calls = []

    def __hash__(self):
        Counted.calls.append("hash")
        return str.__hash__(self)

    def __eq__(self, other):
        Counted.calls.append("eq")
        return str.__eq__(self, other)


class Unhashed(str):
    def __eq__(self, other):
        return True


d = {Folded("Key"): 1}
print(d[Folded("KEY")], Folded("key") in d, "key" in d, "Key" in d, d.get(Folded("kEy")))
d[Folded("kEY")] = 2
print(len(d), d, type(next(iter(d))).__name__)
d["key"] = 3
print(len(d), d, d["key"], d[Folded("KEY")])
print(d.pop(Folded("KeY")), d)
print({Folded("a"), Folded("A"), "a", "A"} == {"a", "A"}, len({Folded("a"), Folded("A")}))
print({Plain("a"): 1}["a"], {"a": 1}[Plain("a")], Plain("a") in {"a"}, hash(Plain("a")) == hash("a"))
c = {Counted("x"): 1}
print(Counted.calls, c[Counted("x")], Counted.calls)
Counted.calls.clear()
print("x" in c, Counted.calls)
print(c.setdefault(Counted("x"), 5), Counted.calls)
attempt("unhashable", lambda: {Unhashed("a"): 1})
attempt("unhashable", lambda: {}[Unhashed("a")])
attempt("unhashable", lambda: Unhashed("a") in {"b"})
print(Folded("a") == "A", "A" == Folded("a"), "a" != Folded("A"), Folded("a") != "b")
print(["A"].index(Folded("a")), [Folded("a")].count("A"), "A" in [Folded("a")], "A" in (Folded("b"),))


def keyword(**given):
    return given


print(keyword(**{Folded("a"): 1}), getattr(Folded("a"), Plain("upper"))())
