# Arrays in files and bytes.
import io
import os
import tempfile

import numpy as np

with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "a.npy")
    for a in (np.arange(6.0).reshape(2, 3), np.array([True, False]), np.array(5, dtype=np.int8), np.zeros((0, 2)),
              np.float16([1.5, -2]), np.arange(6, dtype=np.int32).reshape(2, 3).T, np.array([1, 255], dtype=np.uint8)):
        np.save(path, a)
        b = np.load(path)
        with open(path, "rb") as file:
            data = file.read()
        print(repr(b), b.shape == a.shape, len(data), data[:11], data[11:70])
    np.savetxt(path, np.array([[1, 2.5], [3, 4]]), fmt="%.2f", delimiter=",", header="x,y")
    print(open(path).read())
    print(np.loadtxt(path, delimiter=","), np.loadtxt(path, delimiter=",", usecols=1), np.loadtxt(io.StringIO("1 2\n3 4")))
    for wrong in (b"", b"not an array at all", b"PK"):
        with open(path, "wb") as file:
            file.write(wrong)
        try:
            np.load(path)
        except Exception as error:
            print(f"{type(error).__name__} {error}" if not wrong else "refused")
file = io.BytesIO()
np.save(file, np.arange(3))
file.seek(0)
print(np.load(file), np.arange(3, dtype=np.int16).tobytes(), np.frombuffer(b"\x01\x00\x02\x00", dtype=np.int16))
np.testing.assert_allclose([1.0, 2.0], [1.0, 2.0 + 1e-9])
np.testing.assert_array_equal([1, 2], np.array([1, 2]))
for check in (lambda: np.testing.assert_allclose([1.0, 2.0], [1.0, 2.1]), lambda: np.testing.assert_array_equal([1, 2, 3], [1, 2, 4]),
              lambda: np.testing.assert_equal(1, 2)):
    try:
        check()
    except AssertionError as error:
        print(str(error).strip().split("\n")[0])
with np.testing.assert_raises(ValueError):
    np.zeros(3) + np.zeros(2)
