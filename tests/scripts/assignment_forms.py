# Assignment targets of every form, evaluated once and in order.
def log(name, value):
    print(name, end=" ")
    return value


a = [0, 1, 2]
log("container", a)[log("index", 1)] = log("value", 9)
print(a)
log("container", a)[log("index", 0)] += log("value", 5)
print(a)


class Box:
    def __init__(self):
        self.v = 1


b = Box()
log("box", b).v += log("ten", 10)
print(b.v)
x = y = z = [1]
x.append(2)
print(y, z is x)
a[0], a[1] = a[1], a[0]
print(a)
i = 0
i, a[i] = 1, "first"
print(i, a)
b.v, (b.w, *b.rest) = 1, (2, 3, 4)
print(b.v, b.w, b.rest)
d = {}
d["x"] = d["y"] = 0
d["x"] += 1
print(d)
(c) = 3
[e, f] = (4, 5)
((g, h), k) = [[6, 7], 8]
print(c, e, f, g, h, k)
n = 1
n += n * 2 + (m := 3)
print(n, m)
s = "a"
s += "b" * 2
t = (1,)
t += (2,)
u = {1}
u |= {2}
print(s, t, u)
try:
    t[0] = 5
except TypeError as error:
    print(error)
try:
    t[0] += 5
except TypeError as error:
    print(error)
try:
    "abc"[0] = "x"
except TypeError as error:
    print(error)
