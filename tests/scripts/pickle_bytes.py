# Pickles, byte for byte, of every protocol: the numbers' widths, texts, containers that share or hold themselves, frames.
import pickle


def shown(data):
    return data if len(data) < 90 else (len(data), data[:40], data[-40:], sum(data))


values = [
    None, True, False, 0, 255, 256, 65535, 65536, -1, -128, -2**31, 2**31 - 1, 2**31, -2**31 - 1, 2**39, -2**39, 2**62,
    -2**62, (2**62 - 1) * 2 + 1, -2**62 * 2, 1.5, -0.0, float("inf"), "", "a", "\u00fc\u20ac\n", "x" * 255, "x" * 256, b"", b"ab\xff", b"x" * 255, b"x" * 256,
    (), (1,), (1, 2), (1, 2, 3), (1, 2, 3, 4), [], [1], [1, 2], [[1, 2], [1, 2]], {}, {1: 2}, {1: 2, "a": []},
    ["name", "name", ("name",)], set(), {1}, {1, 2, 3}, frozenset(), frozenset({1}), ..., NotImplemented, type(None),
    type(...), len, list, slice(1, 2), list(range(1000)), list(range(1001)), dict.fromkeys(range(2001)), set(range(1000)),
    set(range(999)), [i * 1.5 for i in range(12000)], "y" * 70000, b"z" * 70000, ["y" * 40000, "z" * 40000, "w" * 80000],
    [str(i) for i in range(300)] * 2,
]
for value in values:
    for protocol in (2, 3, 4, 5):
        data = pickle.dumps(value, protocol)
        again = pickle.loads(data)
        print(shown(data), type(again) is type(value) and repr(again) == repr(value))

# What is there twice is one object again; what holds itself does.
inner = [1]
pair = pickle.loads(pickle.dumps([inner, inner]))
print(pair[0] is pair[1])
loop = [1]
loop.append(loop)
again = pickle.loads(pickle.dumps(loop))
print(again[1] is again, shown(pickle.dumps(loop)))
table = {}
table["self"] = (table,)
again = pickle.loads(pickle.dumps(table))
print(again["self"][0] is again, shown(pickle.dumps(table)))
knot = []
tied = (knot, 1, 2, 3)
knot.append(tied)
print(shown(pickle.dumps(tied)), shown(pickle.dumps((knot,))))
again = pickle.loads(pickle.dumps(tied))
print(again[0][0] is again, again[1:])

for protocol in (2, 3, 4):
    print(shown(pickle.dumps(range(3), max(protocol, 3))), shown(pickle.dumps(ValueError("a", 1), max(protocol, 3))))
print(pickle.DEFAULT_PROTOCOL, pickle.HIGHEST_PROTOCOL, pickle.dumps([1]) == pickle.dumps([1], 4), pickle.dumps([1], -1)[:2])

# As Python 2 and old protocols wrote it.
for data in (b"\x80\x02c__builtin__\nxrange\nK\x00K\x03K\x01\x87R.", b"\x80\x02cexceptions\nKeyError\nX\x01\x00\x00\x00a\x85R.",
             b"\x80\x02(K\x01K\x02l.", b"\x80\x02(K\x01K\x02d.", b"\x80\x02K\x01K\x020.", b"\x80\x02(K\x01K\x021K\x03."):
    print(pickle.loads(data))
