# uint16 and uint32, which arrays only keep; arrays as the bytes of files: tofile, fromfile, memmap.
import os

import numpy as np
import torch

folder = f"/tmp/glint-numpy-mapped-{os.getpid()}-"
a = np.array([1, 2, 65535, 7], dtype=np.uint16)
print(a, repr(a), a.dtype, repr(a.dtype), a.shape, len(a), a.size, a.nbytes, a.itemsize, a.ndim, a[0], repr(a[2]), int(a[2]), a[1:3], a[-1] == 7, a.dtype == np.uint16)
print(a.astype(np.int64), a.astype(np.int32).sum(), a.tolist(), a.max(), repr(a.min()), [int(x) for x in a], "%d" % a[1], f"{a[1]}", {1: 2}[a[0]])
a.tofile(folder + "u.bin")
b = np.fromfile(folder + "u.bin", dtype=np.uint16)
print(b, np.fromfile(folder + "u.bin", dtype=np.int8), np.fromfile(folder + "u.bin", dtype="uint16", count=2, offset=2))
m = np.memmap(folder + "u.bin", dtype=np.uint16, mode="r")
print(repr(m), len(m), m[1:3].astype(np.int64), torch.from_numpy(m[0:2].astype(np.int64)))
w = np.memmap(folder + "w.bin", dtype=np.uint16, mode="w+", shape=(5,))
w[1:3] = a[:2]
w[4] = 9
w.flush()
print(np.fromfile(folder + "w.bin", dtype=np.uint16))
f = np.memmap(folder + "f.bin", dtype=np.float32, mode="w+", shape=(2, 3))
f[:] = 1.5
f[0, 1] = 2
f.flush()
print(np.fromfile(folder + "f.bin", dtype=np.float32))
g = np.memmap(folder + "f.bin", dtype=np.float32, mode="r", shape=(2, 3))
print(g.sum(), g)
c = np.memmap(folder + "f.bin", dtype=np.float32, mode="c")
c[0] = 100
print(c[0], np.fromfile(folder + "f.bin", dtype=np.float32)[0])


def told(call):
    try:
        print(call())
    except Exception as error:
        print(type(error).__name__, str(error).replace(folder, ""))


told(lambda: np.array([70000], dtype=np.uint16))
told(lambda: np.array([-1], dtype=np.uint16))
told(lambda: g.__setitem__(0, 1))
told(lambda: np.memmap(folder + "none.bin", mode="r"))
told(lambda: np.memmap(folder + "u.bin", dtype=np.uint16, mode="r", shape=(50,)))
told(lambda: np.memmap(folder + "u.bin", dtype=np.float32, mode="r", offset=2))
told(lambda: np.fromfile(folder + "nope", dtype=np.uint16))
told(lambda: np.memmap(folder + "u.bin", mode="x"))
print(np.array([1.7, 2.2], dtype=np.uint16), np.array([70000, -1]).astype(np.uint16), np.uint32(5), repr(np.uint16(5)), np.array([[1, 2], [3, 4]], dtype=np.uint32), np.array([2**32-1], dtype=np.uint32).astype(np.int64))
print(a.reshape(2, 2), a.copy(), a.flatten())

# A mapped array is an array.
w = np.memmap(folder + "m.bin", dtype=np.float32, mode="w+", shape=(3, 2))
w[:] = np.arange(6).reshape(3, 2)
print(w + 1, w.sum(), np.sum(w, axis=0), w[1], w.mean(0), np.exp(w)[0, 0], isinstance(w, np.ndarray), isinstance(w, np.memmap), torch.from_numpy(w), torch.tensor(w[0]), len(w), w.T.shape, np.asarray(w).shape, w.astype(np.int64), 2 * w)
w[0] += 5
print(w, str(w[0]), w > 3, w[w > 3])
for row in w:
    print(row)
t = torch.from_numpy(w)
t[2] = 9
print(np.fromfile(folder + "m.bin", dtype=np.float32))
del w, t
r = np.memmap(folder + "m.bin", dtype="float32", mode="r")
print(r.shape, r[:2], r.max())
try:
    r[0] = 1
except ValueError as error:
    print(error)
for name in ("u.bin", "w.bin", "f.bin", "m.bin"):
    os.remove(folder + name)
