# The module array: numbers of one kind.
import copy
import locale
import pickle
from array import array, typecodes

a = array("d", [1, 2.5])
a.append(3)
a.extend([4, 5])
print(a, len(a), a[0], a[-1], a[1:3], a.typecode, a.itemsize, list(a), a.tolist(), 2.5 in a, a.index(4), a.count(1))
b = array("i", range(5))
b[0] = 10
b[1:3] = array("i", [7, 8, 9])
del b[-1]
b.insert(0, -1)
print(b, b.pop(), b.pop(0), b, b + array("i", [1]), b * 2, b == array("i", [10, 7, 8, 9]), b == [10, 7, 8, 9], b < array("i", [11]))
b.remove(7)
b.reverse()
print(b, array("i"), array("f", [0.1]), array("u", "text"), array("B", b"ab"), bool(array("b")))
print(array("h", [1, -2]).tobytes(), array("h", b"\x01\x00\xfe\xff"), array("q", [2**62]).tobytes()[:3], array("d", array("i", [1])))
c = array("l", [1, 2])
c += array("l", [3])
c.frombytes(bytes(8))
c.byteswap()
print(c, pickle.loads(pickle.dumps(c)) == c, copy.copy(c) == c, copy.deepcopy(c) is c, sum(array("i", [1, 2, 3])), max(array("f", [1, 2])), sorted(array("b", [3, 1])), typecodes)
for action in (lambda: array("x"), lambda: array("b", [200]), lambda: array("B", [-1]), lambda: array("i", [1.5]), lambda: array("i", ["a"]), lambda: array("d", ["a"]), lambda: array("i", "ab"), lambda: a["x"], lambda: a[99], lambda: a.remove(99), lambda: array("i").pop(), lambda: array("i") + [1], lambda: array("h", b"abc"), lambda: array("H", [70000])):
    try:
        print(action())
    except (TypeError, ValueError, OverflowError, IndexError) as error:
        print(type(error).__name__, error)
print(locale.setlocale(locale.LC_ALL, "C"), locale.format_string("%d", 12345, grouping=True), locale.format_string("%.2f and %s", (1.5, "x")), locale.atof("1.5"), locale.localeconv()["decimal_point"], locale.str(1.5))
try:
    locale.setlocale(locale.LC_ALL, "xx_YY")
except locale.Error as error:
    print(error)
