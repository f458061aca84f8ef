# What is deleted goes at once, also where the expression of an earlier statement had it.
class A:
    def __init__(self, n):
        self.n = n

    def __del__(self):
        print("del", self.n)

    def m(self):
        return self.n

    def __add__(self, other):
        return A(self.n + other)


y = [A(1)]
print(y.count(3))
del y
print("1")
y = [A(2)]
print(1, y.count(3), 5)
del y
print("2")
y = A(3)
print(1, y.m(), 5)
del y
print("3")
y = [A(4)]
print(1, y[:1].count(3), 5)
del y
print("4")
y = [A(5)]
z = 1 + len(y[:1])
del y
print("5")
y = [A(6)]
z = [1, 2, y[:1].count(3)]
del y
print("6")
y = [A(7)]
z = [1, 2, y.count(3), (y, y)]
z = 0
del y
print("7")

x = A(1)
try:
    raise ValueError("a")
except ValueError as e:
    z = x + 100
print("0")
del z
print("1")
del x
try:
    z = A(5)
except ValueError as e:
    pass
del z
print("2")
try:
    raise ValueError("a")
except ValueError as e:
    z = A(7)
del z
print("3")
def f():
    try:
        raise ValueError("a")
    except ValueError as e:
        z = A(8)
    del z
    print("4")
f()
for i in range(2):
    try:
        raise ValueError("a")
    except ValueError:
        z = A(9)
    del z
    print("5")
