# Tables of text as arrays, parts of grids by `ix_`, and elements at ints of all kinds.
import io
import os
import tempfile

import numpy as np
import torch

TABLES = [("1,2\n3,4\n", {}), ("a,b\n1,2\n", {"skip_header": 1}), ("a,b\n1,2\n", {}), ("1,,3\n4,x,6\n", {}),
          ("1,,3\n4,x,6\n", {"dtype": int}), ("1,,3\n4,x,6\n", {"filling_values": 0}), ("1,2\n3\n4\n", {}),
          ("1 2 # c\n\n3 4", {"delimiter": None}), ("1,2,3\n4,5,6\n7,8,9", {"usecols": (0, 2), "skip_footer": 1}),
          ("1,2,3\n4,5,6", {"usecols": 1}), ("1,2\n", {"unpack": True}), ("5", {}), ("1,2\n3,4", {"max_rows": 1}),
          ("1.5,2", {"dtype": int}), ("1,2\n3,4\n", {"dtype": np.float32, "unpack": True}), ("1,2,\n3,,4\n", {}),
          ("x,1\n\n2,3,4\n", {"skip_header": 1})]
for text, options in TABLES:
    try:
        print(repr(np.genfromtxt(io.StringIO(text), **{"delimiter": ",", **options})))
    except ValueError as error:
        print(type(error).__name__, error)
path = os.path.join(tempfile.mkdtemp(), "table.csv")
with open(path, "w") as file:
    file.write("epoch,loss\n1,0.5\n2,0.25\n")
table = np.genfromtxt(path, delimiter=",", skip_header=1)
print(table, torch.from_numpy(table).sum(0))

grid = np.arange(12).reshape(3, 4)
print(np.ix_([0, 1], [1, 2, 3]), np.ix_([True, False, True], [0]), np.ix_(np.array([1])), np.ix_([], [1])[0].dtype)
print(grid[np.ix_([0, 2], [1, 3])], grid[np.ix_([True, False, True], [0, 1])])
grid[np.ix_([0, 1], [0, 1])] = -1
print(grid)
try:
    np.ix_([[1]])
except ValueError as error:
    print(error)

values = np.zeros((2, 3, 2))
state, action = (1, np.int64(2)), np.argmax([0, 1])
values[state[0], state[1], action] += 0.5
values[0, 1, 1] = np.float64(2)
values[0, 2] = 7
values[np.int32(1), -1, -2] = 3
print(values, values[1, 2, 1], type(values[1, 2, 1]).__name__, values[0, 1], values[1, np.int64(2)].shape)
row = values[0, 1]
row[0] = 9
print(values[0, 1, 0], values[()].shape)
counts = np.zeros(3, dtype=int)
counts[1] += 1
counts[np.int64(2)] = True
counts[0] = 2.9
small = np.zeros(2, dtype=np.int8)
small[1] = 5
print(counts, small, counts[1], type(counts[1]).__name__)


def fails(call):
    try:
        print(call())
    except (IndexError, OverflowError, ValueError) as error:
        print(type(error).__name__, error)


fails(lambda: values[2, 0, 0])
fails(lambda: values[0, 0, 0, 0])
fails(lambda: values[0, -4])
fails(lambda: values.__setitem__((0, 0, 5), 1.0))
fails(lambda: values.__setitem__((0, 0, 0), [1.0, 2.0]))
fails(lambda: small.__setitem__(0, 300))
frozen = np.broadcast_to(np.zeros(2), (2, 2))
fails(lambda: frozen.__setitem__((0, 0), 1.0))
print(torch.can_cast(torch.complex64, torch.float), torch.can_cast(torch.float64, torch.complex64))
