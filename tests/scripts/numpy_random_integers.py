"""Integers of ranges and dtypes, orders and choices: which numbers are drawn, and from which bits."""
import numpy as np

RANGES = {
    "bool": [(0, 2), (0, 1), (1, 2)],
    "uint8": [(0, 100), (3, 4), (0, 256), (7, 200)],
    "int8": [(-128, 128), (-5, 5)],
    "int16": [(0, 100), (-2**15, 2**15), (-300, 7)],
    "int32": [(0, 100), (-2**31, 2**31), (5, 2**20)],
    "int64": [(0, 100), (0, 2**32), (0, 2**32 + 1), (0, 2**40), (-2**62, 2**62), (4, 5)],
}
for rng, draw in ((rng, rng.randint if hasattr(rng, "randint") else rng.integers)
                  for rng in (np.random.RandomState(3), np.random.default_rng(3))):
    for kind, ranges in RANGES.items():
        for low, high in ranges:
            many = draw(low, high, size=7, dtype=kind)
            print(kind, low, high, many.tolist(), many.dtype, draw(low, high, dtype=kind), draw(low, high, (2, 2), kind).tolist())
    print(repr(draw(10)), repr(draw(3, 10, dtype=np.int64)), repr(draw(0, 2, dtype=bool)), repr(draw(5, dtype=np.int8)))
    print(draw([1, 2, 3], 10).tolist(), draw(0, [[3], [300]], dtype="int16").tolist(), draw(2.5, 4.7, size=3).tolist(), draw(np.array(7), size=(0,)).shape)
    print(draw([0, 5], [[10], [20]], size=(2, 2)).tolist())

    print(rng.permutation(10).tolist(), rng.permutation([3.5, 1, 2]).tolist(), rng.permutation(0).tolist())
    print(rng.permutation(np.arange(12).reshape(4, 3)).tolist())
    items = list("abcdefgh")
    rng.shuffle(items)
    numbers = np.arange(9.0)
    rng.shuffle(numbers)
    table = np.arange(12).reshape(6, 2)
    rng.shuffle(table)
    rng.shuffle(table[1])
    print("".join(items), numbers.tolist(), table.tolist())

    print(rng.choice(5, 3).tolist(), rng.choice(5, (2, 2), replace=False).tolist(), repr(rng.choice(7)), rng.choice([1.5, 2.5], (2, 2)).tolist())
    print(rng.choice(5, 3, p=[0.1, 0.2, 0.3, 0.4, 0]).tolist(), rng.choice(5, 4, False, [0.1, 0.2, 0.3, 0.4, 0]).tolist())
    print(rng.choice(["a", "b", "c"]), rng.choice((10, 20)), rng.choice(np.arange(4) * 2, 3, replace=False).tolist(), rng.choice([], 0).tolist())
    for count, wanted in ((100, 10), (10000, 10), (10001, 10), (20000, 10000), (20000, 401), (1000000, 3), (50, 50)):
        found = rng.choice(count, wanted, replace=False)
        print(count, wanted, found[:4].tolist(), int(found.sum()))
    weights = np.arange(1, 31) / 465
    print(rng.choice(30, 12, p=weights).tolist(), rng.choice(30, 12, replace=False, p=weights).tolist())

rng = np.random.default_rng(5)
table = np.arange(12).reshape(3, 4)
print(rng.permuted(table, axis=1).tolist(), rng.permuted(table, axis=0).tolist(), rng.permuted(table).tolist())
print(rng.permutation(table, axis=1).tolist(), rng.choice(table, 2, axis=1).tolist(), rng.choice(table).tolist())
print(rng.choice(table, 2, replace=False, shuffle=False).tolist(), int(rng.choice(30000, 2000, replace=False, shuffle=False).sum()))
rng.shuffle(table, axis=1)
print(table.tolist(), rng.integers(3, 5, endpoint=True, size=5).tolist(), rng.permuted(table, axis=0, out=table) is table)
