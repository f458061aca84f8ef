# Several arrays in one file: `.npz`.
import io
import os
import tempfile

import numpy as np


def attempt(function):
    try:
        print(function())
    except Exception as error:
        print(type(error).__name__, error)


folder = tempfile.mkdtemp()
os.chdir(folder)
a, b = np.arange(6).reshape(2, 3), np.ones(2, dtype=np.float32)
np.savez("some.npz", a, b, turned=a.T, flag=True)
arrays = np.load("some.npz")
print(arrays, arrays.files, len(arrays), list(arrays), type(arrays))
print("x" in arrays, "turned" in arrays, "turned.npy" in arrays, arrays.get("x"), arrays.get("arr_1"))
print(arrays["arr_0"], arrays["turned.npy"], arrays.f.turned, arrays["flag"], arrays["arr_1"].dtype)
for name, value in arrays.items():
    print(name, value.shape, value.dtype, value.flags.c_contiguous)
print([*arrays.keys()], [each.shape for each in arrays.values()])
attempt(lambda: arrays["x"])
attempt(lambda: arrays.f.x)
attempt(lambda: np.savez("other", a, arr_0=b))
arrays.close()
attempt(lambda: arrays["arr_0"])

# The ending is added; compressed or in memory, the same comes back.
np.savez_compressed("packed", x=np.zeros((100, 100)), y=np.arange(5, dtype=np.uint8), small=np.float32(2.5))
print(os.path.getsize("packed.npz") < 2000)
with np.load("packed.npz") as packed:
    print(packed["x"].sum(), packed["x"].shape, packed["y"], packed["small"], packed["small"].dtype)
memory = io.BytesIO()
np.savez(memory, **{name: a for name in "abcdefg"})
memory.seek(0)
again = np.load(memory)
print(again, (again["g"] == a).all())
state = {"weight": np.random.default_rng(0).normal(size=(3, 4)), "bias": np.zeros(0)}
np.savez("state.npz", **state)
read = np.load("state.npz")
print({name: (read[name] == state[name]).all() for name in read.files}, read["bias"].shape)

# What is no archive.
with open("bad.npz", "wb") as file:
    file.write(b"PK\x03\x04abc")
attempt(lambda: np.load("bad.npz"))
attempt(lambda: np.load("nosuch.npz"))

# A byte that is not what was written.
memory = io.BytesIO()
np.savez(memory, a=np.arange(100))
written = memory.getvalue()
damaged = written[:600] + bytes([written[600] ^ 1]) + written[601:]
try:
    np.load(io.BytesIO(damaged))["a"]
except Exception as error:
    print(type(error).__module__, type(error).__name__, error)
