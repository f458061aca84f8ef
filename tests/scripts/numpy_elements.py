"""Single elements of arrays, read and written in loops."""
import numpy as np
import torch

m = np.zeros((2, 3))
m[1, -1], m[-2, 0] = 2, np.float64(0.5)
m[0, 1] = m[1, 2]
print(m, type(m[1, 2]).__name__, repr(m[0, 0]), m.T[2, 1])
k = np.arange(4)
k[-1] = 9
k[0] = np.int64(5)
print(k, repr(k[3]), repr(np.arange(3, dtype=np.int32)[2]), repr(np.arange(3, dtype=np.uint8)[2]))
print(repr(np.array([True, False])[1]), repr(np.float32([0.1])[0]), repr(k[::2][1]))
k[1] = 2.7
k[2] = True
print(k)
s = np.zeros(3, dtype=np.float32)
s[0], s[1], s[2] = 0.1, 2**24 + 1, float("inf")
print(s.tolist())
for write in (lambda: k[4], lambda: m[2, 0], lambda: k.__setitem__(-5, 1), lambda: m[0, 0, 0]):
    try:
        write()
    except IndexError as error:
        print(error)
try:
    k[4] = 1
except IndexError as error:
    print(error)
try:
    np.broadcast_to(np.arange(2.0), (2, 2))[0, 0] = 1.0
except ValueError as error:
    print(error)
try:
    narrow = np.zeros(1, dtype=np.int8)
    narrow[0] = 300
except OverflowError as error:
    print(error)

seen = []
x = np.arange(3.0)
for i, value in enumerate(x):  # what is written meanwhile is seen
    x[2] = 10.0
    seen.append(float(value))
print(seen)
t = torch.zeros(3)
t.numpy()[1] = 4.0
print(t)


@torch.compile
def f(v):
    a = np.zeros(2)
    a[1] = 3.0
    return v * float(a[1])


print(f(torch.ones(2)), f(torch.ones(2)))
