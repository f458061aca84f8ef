# `a.view(dtype)`: the same memory, its bits read as another dtype.
import numpy as np


def attempt(function):
    try:
        print(function())
    except Exception as error:
        print(type(error).__name__, error)


a = np.arange(6, dtype=np.float32).reshape(2, 3)
print(a.view(np.int32), a.T.view(np.int32), a[:, ::2].view("int32"), a.view("uint8").shape)
print(np.arange(8, dtype=np.float32).reshape(2, 4)[:, :2].view(np.float64), a.reshape(3, 2).view(np.int64).dtype, np.array(1.0).view(np.int64))
print(np.array([True, False]).view(np.uint8), a.view().shape, a.view(np.float32).dtype, a.view(dtype="i4").dtype)
bits = a.view(np.int32)
bits[0, 0] = 1065353216
print(a, (bits >> 23) - 127)
attempt(lambda: a.view(np.float64))
attempt(lambda: a.view(dtype=int))
attempt(lambda: a.T.view(np.uint8))
attempt(lambda: np.array(1.0).view(np.int32))
