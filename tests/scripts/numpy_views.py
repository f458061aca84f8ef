# What shares memory, what is written through, and loops over elements.
import copy
import warnings

import numpy as np
import numpy.typing as npt
import torch

warnings.simplefilter("ignore")

a = np.arange(12).reshape(3, 4)
row, column, part = a[1], a[:, 2], a[1:, ::2]
row[0], column[:], part[...] = 100, [7, 8, 9], part * 2
print(a)
a.T[0, 1] = -1
a.reshape(-1)[3] = -3
a.ravel()[4:6] = [50, 60]
print(a, a.flatten() is a, a.copy().sum() == a.sum())
for each in a:
    each += 1
print(a)
a[a % 2 == 0] = 0
a[[0, 2], [1, 3]] += 5
a[:, [0, 1]] = a[:, [1, 0]]
a[::-1] = a.copy()
a[1:, 0] = a[:-1, 0]
print(a)
a.flat[3] = 77
a.fill(2)
print(a, list(a.flat)[:3])

t = torch.arange(4.)
n = t.numpy()
n += 1
t[0] = 9
n[1:] *= 2
print(t, n, n.dtype, torch.from_numpy(n).data_ptr() == t.data_ptr())
u = torch.from_numpy(np.ones((2, 2), dtype=np.float32))
u.add_(1)
print(u, np.asarray(u), np.array(u) is np.array(u))
back = torch.as_tensor(n)
back.zero_()
print(n, t)
w = torch.nn.Linear(2, 1)
with torch.no_grad():
    w.weight.copy_(torch.from_numpy(np.array([[1.5, 2.5]])))
print(w.weight.detach().numpy(), w.bias.detach().numpy().shape)
t += np.float64(1)
t[1:3] = torch.from_numpy(np.array([5., 6.]))
print(t, t.tolist(), t[np.array([True, False, True, False])])

b = np.array([1, 2, 3])
for wrong in ("b += 0.5", "b /= 2", "b[5] = 1", "b[0:2] = [1, 2, 3]", "b['x']", "b.x = 1", "del b[0]",
              "b &= 1.5", "np.broadcast_to(b, (2, 3))[0] = 1"):
    try:
        exec(wrong)
        print(wrong, b)
    except Exception as error:
        print(wrong, type(error).__name__, error)
b **= 2
b -= 1
b //= 2
b |= 8
print(b, b.tolist(), 9 in b, 4 in b)
c, d = copy.copy(b), copy.deepcopy([b])
c[0], d[0][1] = 1000, 2000
print(b, c, d)
x, y, z = np.array([1.5, 2.5, 3.5])
print(x, repr(y), x + y, {np.int64(1): "one"}[1], {2.5: "y"}[y], sorted({np.float32(1), np.float64(1), 1}))
print([f"{each:.2f}" for each in np.array([1, 2]) / 3], "%5.1f|%d" % (x, np.int64(3)), f"{np.int64(7):>4}|{np.array(1.5):.3f}")
print(max(b), min(b), sum(b), sorted(b, reverse=True), any(b > 5), all(b > 5), list(enumerate(b))[:1], list(zip(b, c))[:1])
total = np.float64(0)
for each in np.linspace(0, 1, 5):
    total += each ** 2
print(total, total.item(), round(float(total), 3), int(np.float64(2.9)), type(total), isinstance(total, float))


def scaled(x: "npt.NDArray[np.float64]", by: np.ndarray | None = None) -> npt.NDArray[np.float64]:
    return x * (2 if by is None else by)


print(scaled(np.array([1.5])), scaled(np.arange(2), np.arange(2)), isinstance(np.zeros(1), np.ndarray))
empty = np.array([])
print(empty.shape, empty.sum(), len(empty), list(empty), np.zeros((0, 3)).sum(axis=0), np.zeros((2, 0)).tolist())
