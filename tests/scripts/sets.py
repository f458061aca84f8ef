# Sets and frozen sets.
a, b = {1, 2, 3}, {3, 4}
print(a | b, a & b, a - b, a ^ b, sorted(a.union(b, [9])), a.intersection([1, 9]), a.difference(b), a.symmetric_difference(b))
print(1 in a, len(a), a <= {1, 2, 3, 4}, a < a, a >= {1}, a.issubset(b), a.issuperset({1}), a.isdisjoint({7}), a == {3, 2, 1})
a.add(4)
a.add(4)
a.discard(99)
a.remove(1)
print(a, set("hello") == set("oleh"), set(), set([1, 1, 2]), {1, 1.0, True}, frozenset({1}) in {frozenset({1})})
a |= {10}
a &= {2, 3, 10}
a -= {2}
print(sorted(a), a.copy() is a, bool(set()), {x for x in "aab"} == {"a", "b"}, sorted({"b", "a"}))
a.update([5], (6,))
print(sorted(a), min(a), max(a), sum(a), sorted(a, reverse=True))
f = frozenset("abc")
print(len(f), "a" in f, f | {"d"} == {"a", "b", "c", "d"}, hash(f) == hash(frozenset("cba")), {f: 1}[frozenset("abc")])
try:
    {1}.remove(5)
except KeyError as error:
    print(repr(error))
try:
    {[1]}
except TypeError as error:
    print(error)
a.clear()
print(a, {1, 2}.pop() in (1, 2), type(f).__name__, set(range(3)) == {0, 1, 2})
