# Elements whose methods change the set that asks them, or that dies with them; and the order of what
# CPython makes of constants, of a set with itself, of dicts and frozensets.
import torch


class Adds:
    """Adds to a set as it dies."""

    def __del__(self):
        kept.update(range(100, 170))


kept = {1, 2}
kept.add(Adds())
kept &= {1, 2}
print(len(kept))
kept.update(range(200, 270))
print(len(kept), 5 in kept, 210 in kept)
kept = {1, 2}
kept.add(Adds())
kept.intersection_update([1, 2], [2])
print(len(kept), 2 in kept)


class Restless:
    """Takes an element out and in again as it is compared."""

    def __init__(self, elements):
        self.elements = elements

    def __hash__(self):
        return 5

    def __eq__(self, other):
        self.elements.discard(5)
        self.elements.add(5)
        return False


numbers = {5, 6}
print(Restless(numbers) in numbers, numbers)


class Growing:
    def __init__(self, elements, value):
        self.elements, self.value = elements, value

    def __hash__(self):
        return 3

    def __eq__(self, other):
        if len(self.elements) < 40:
            self.elements.update(range(50, 90))
        return isinstance(other, Growing) and self.value == other.value


growing = {3, 11, 19}
growing.discard(3)
growing.add(Growing(growing, 1))
growing.add(Growing(growing, 2))
growing.add(Growing(growing, 2))
print(len(growing), sorted(x for x in growing if isinstance(x, int)) == sorted({11, 19} | set(range(50, 90))))

print({7, 15, 23}, {-1, -9, 7}, {-1, -9, 7, -17, 31})
s = {1, 9, 17}
print(s | s, s.union(s), s & s, s.union(s, s))
t = set()
t.symmetric_difference_update({7: 0, 15: 0})
print(t, {15: 1, 7: 2}.keys() & frozenset({7, 15, 23}), {15: 1, 7: 2}.keys() & {7, 15, 23})
u = {1, 2, 3, 5}
u.pop()
u.add(1)
u &= {1, 2, 3}
print(u.pop(), u)


# Compiled code makes its sets again as eager code laid them out.
def makes(x):
    made = set()
    made.add(7)
    made.add(15)
    made.add(23)
    return x + 1, made, made | {31, 39}, frozenset(made), {k: set(made) for k in "ab"}, made.copy()


for _ in range(3):
    print(makes(torch.ones(2)))
