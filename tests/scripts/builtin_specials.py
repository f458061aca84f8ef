# What builtin containers answer by the names of special methods, and keys that say they are a str.
print("abc".__len__(), (1, 2).__len__(), {1: 2}.__len__(), {1, 2, 3}.__len__(), b"ab".__len__())
print(range(4).__len__(), frozenset({1}).__len__(), str.__len__("xy"), dict.__len__({}))
print("abc".__contains__("b"), (1, 2).__contains__(3), {1}.__contains__(1), range(3).__contains__(2))
print(b"ab".__contains__(98), frozenset().__contains__(1))
print(list("ab".__iter__()), list((1, 2).__iter__()), list({"k": 1}.__iter__()), list({5}.__iter__()))
print(list(range(2).__iter__()), list(b"a".__iter__()))
print("abc".__getitem__(1), (1, 2).__getitem__(-1), range(5).__getitem__(slice(1, 3)), b"ab"[0])
print("abc".__getitem__(slice(None, None, -1)), list(map("abc".__getitem__, [2, 0])))
for bad in (lambda: "abc".__getitem__(7), lambda: (1,).__getitem__("x"), lambda: "a".__contains__(1)):
    try:
        bad()
    except (IndexError, TypeError) as error:
        print(type(error).__name__, error)
for value in ("", (), {}, set(), b"", range(0), frozenset()):
    print(type(value).__name__, hasattr(value, "__len__"), hasattr(value, "__getitem__"),
          hasattr(value, "__contains__"), hasattr(value, "__iter__"), hasattr(value, "__next__"))


class Odd(tuple):
    def __len__(self):
        return super().__len__() + 1

    def __getitem__(self, index):
        return super().__getitem__(index) * 10

    def __contains__(self, value):
        return super().__contains__(value - 1)


odd = Odd((1, 2))
print(len(odd), odd[1], 3 in odd, 1 in odd, tuple.__len__(odd), list(odd))


class Counted(dict):
    asked = 0

    def __iter__(self):
        Counted.asked += 1
        return super().__iter__()

    def __len__(self):
        return super().__len__() * 2


counted = Counted(a=1, b=2)
print([key for key in counted], len(counted), Counted.asked, bool(Counted()))


class Word(str):
    def __len__(self):
        return super().__len__() + 100


print(len(Word("ab")), Word("ab").upper(), bool(Word("")))


class Named:
    def __init__(self, name):
        self.name = name

    def __hash__(self):
        return hash(self.name)

    def __eq__(self, other):
        return self.name == (other.name if isinstance(other, Named) else other)


table = {Named("a"): 1, Named(2): 3}
print(table["a"], table.get("a"), "a" in table, "b" in table, table[2], table.get("c", 9))
print(table.pop("a"), len(table), table.setdefault("b", 4), table[Named("b")])
print({Named("z"), "z"} == {"z"}, len({"z", Named("z")}))
many = {Named(str(i)): i for i in range(40)}
print(sum(many[str(i)] for i in range(40)), "40" in many, many.pop("39"), len(many))
del many["7"]
print("7" in many, len(many))
