# Tuples, and every form of unpacking.
t = (1, 2, 3)
a, b, c = t
(d, e), f = (1, 2), 3
g, *h = range(5)
*i, j = "abc"
k, *l, m = [1, 2]
[n, o] = {"x": 1, "y": 2}
print(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o)
a, b = b, a
x = y = z = 0
print(a, b, x, y, z, t + (4,), t * 2, t[1:], t.index(2), t.count(1), len(t), 2 in t, (1, 2) < (1, 3), (1,), (), tuple("ab"), hash((1, 2)) == hash((1, 2)))
for i, (p, *q) in enumerate([(1, 2, 3), "xy"]):
    print(i, p, q)
values = [0, 1, 2]
index = 0
index, values[index] = 2, "set"
print(index, values)
(first, (second, (third,))) = (1, (2, (3,)))
print(first, second, third)
obj = type("T", (), {})() if False else {}
obj["k"], (obj["l"], *obj["m"]) = 1, (2, 3, 4)
print(obj)


def pair():
    return 1, 2


one, two = pair()
print(one, two, *pair(), *[3, 4], sep="-")
print((lambda *a: a)(*t, *t), max(*t), [*t, *t], {*t}, (*t, 0))
x = 5,
print(x, (yield_ := 3), (1 if t else 2,), t == (1, 2, 3), t != (1, 2), not ())
s = 1
s, *rest = s, s + 1
print(s, rest, t[-1], t[::-1], sorted((3, 1, 2)), sum(t), dict([("a", 1)]), list(zip(t, t[1:])))
