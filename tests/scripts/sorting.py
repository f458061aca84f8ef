# Sorting is stable, takes keys, calls back, and raises what the key raises.
people = [("Ann", 30), ("Bob", 25), ("Cid", 30), ("Dan", 25)]
print(sorted(people, key=lambda p: p[1]))
print(sorted(people, key=lambda p: p[1], reverse=True))
print(sorted(people, key=lambda p: (-p[1], p[0])))


class Item:
    compared = 0

    def __init__(self, v):
        self.v = v

    def __lt__(self, other):
        Item.compared += 1
        return self.v < other.v

    def __repr__(self):
        return f"I{self.v}"


items = [Item(i) for i in [5, 2, 8, 1, 9, 3]]
print(sorted(items), min(items), max(items, key=lambda i: i.v), Item.compared > 0)
items.sort(reverse=True)
print(items)
try:
    sorted([1, "a", 2])
except TypeError as error:
    print(error)
try:
    sorted([3, 0, 1], key=lambda x: 1 // x)
except ZeroDivisionError as error:
    print(error)
data = [(i * 7919) % 1000 for i in range(500)]
assert sorted(data) == sorted(sorted(data), reverse=True)[::-1]
print(sorted(data)[:5], sorted(data)[-3:], sorted(["b", "a", "C"]), sorted([True, False, 2, 1.5]))
from operator import itemgetter, attrgetter
print(sorted(people, key=itemgetter(1, 0))[0], sorted(items, key=attrgetter("v"))[0])
