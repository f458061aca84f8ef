# Whether an object of a class that extends a container is true.
from collections import Counter, OrderedDict, defaultdict


class Names(dict):
    pass


class Row(list):
    pass


class Bag(set):
    pass


class Empty(dict):
    def __len__(self):
        return 0


class Full(dict):
    def __bool__(self):
        return True


for kind in (Names, Row, Bag, Empty, Full, OrderedDict, Counter):
    made = kind()
    print(kind.__name__, bool(made), not made, "true" if made else "false")
print(bool(Names(a=1)), bool(Row([0])), bool(Bag([0])), bool(Empty(a=1)), bool(defaultdict(list)))
names = OrderedDict(a=1)
print(names)
names.pop("a")
print(names, names or "none")
while not names:
    names["b"] = 2
print(len(names))
