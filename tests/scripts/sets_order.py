# The order of a set of numbers is that of CPython's table: literals, growth, collisions, erased
# places, the operators and methods; the hashes that decide it.
import random

print({3, 1, 2}, {10, 3, 1}, {9, 1, 2}, {1, 9, 4}, {-1, -2, 3}, {1.5, 1, 2, 0.25, 100, 64})
print({17, 1, 33, 5, 9}, {8, 0, 16, 24}, set([3, 1, 2, 3, 1]), frozenset((9, 4, 1)))
a, b, c, d, e = 17, 1, 33, 5, 9
print({a, b, c, d, e}, {*[a, b], 3, *[c, d, e]}, {17, 1, 33, *[5]}, {x * x % 11 for x in range(20)})
print(hash(5), hash(-1), hash(2**61), hash(2**62 + 5), hash(True), hash(1.5), hash(-(2.0**122)))
print(hash((1, 2)), hash(()), hash((1.5, (2, -1))), hash(frozenset([1, 2, 3])), hash(frozenset()))
print(hash(range(3, 20, 4)))


class Chatty:
    def __init__(self, value):
        self.value = value

    def __hash__(self):
        return -1

    def __eq__(self, other):
        return self.value == other.value


print(hash(Chatty(1)), len({Chatty(1), Chatty(2), Chatty(1)}))

draw = random.Random(7)


def numbers(span):
    return [draw.randrange(-span, span) for _ in range(draw.randrange(40))]


for round in range(60):
    span = draw.choice([10, 50, 1000, 10**6, 2**61])
    x, y = numbers(span), numbers(span)
    s, t = set(x), set(y)
    print(s, s | t, s & t, s - t, s ^ t)
    print(s.union(y, x), s.intersection(y), s.difference(y), s.difference(t, x[:3]))
    print(s.symmetric_difference(y), frozenset(x) & t, {v / 4 for v in y}, {(v, 1) for v in x[:5]})
    for value in x[: len(x) // 2]:
        s.discard(value)
    print(s, s.copy(), frozenset(s) - t)
    s.update(y[::2], range(3))
    print(s)
    u = set(t)
    u |= s
    print(u)
    u -= set(x)
    print(u)
    u ^= {1, 2, 3, 4}
    u &= t
    print(u)
    u.difference_update(y[:5])
    u.symmetric_difference_update(x[:9])
    u.intersection_update(y + x)
    print(u)
    keys = dict.fromkeys(x)
    print(set(keys), keys.keys() & t, keys.keys() | t, keys.keys() - t, t ^ keys.keys())
    popped = []
    while len(t) > 2 and len(popped) < 50:
        popped.append(t.pop())
        if len(popped) % 3 == 0:
            t.add(draw.randrange(span))
    print(popped, t)
    print(hash(tuple(x)), hash(frozenset(x)))

large = set(range(0, 3000000, 50))
print(sum(i * v for i, v in enumerate(large)) % 1000003)
for value in range(0, 3000000, 150):
    large.discard(value)
large -= set(range(0, 1500000, 50))
print(sum(i * v for i, v in enumerate(large)) % 1000003, list(large)[:10])
