"""Numbers of one kind in a row.

    a = array("d", [1, 2.5]); a.append(3)        array('d', [1.0, 2.5, 3.0])
    a.tobytes(), array("i", b"\\1\\0\\0\\0")

An array is a list here whose items are held to what their kind holds; there is no memory behind it to look at.
"""
import struct as _struct
from collections.abc import MutableSequence as _MutableSequence

__all__ = ["ArrayType", "array", "typecodes"]

_NAMES = {"b": "signed char", "B": "unsigned byte integer", "h": "signed short", "H": "unsigned short",
          "i": "signed int", "I": "unsigned int", "l": "signed long", "L": "unsigned long", "q": "signed long",
          "Q": "unsigned long"}
_SIZES = {"u": 4, "b": 1, "B": 1, "h": 2, "H": 2, "i": 4, "I": 4, "l": 8, "L": 8, "q": 8, "Q": 8, "f": 4, "d": 8}
typecodes = "bBuhHiIlLqQfd"


def _integer(value, code, size):
    if isinstance(value, float):
        raise TypeError("'float' object cannot be interpreted as an integer")
    value = value.__index__() if hasattr(value, "__index__") else value
    if not isinstance(value, int):
        raise TypeError(f"{type(value).__name__!r} object cannot be interpreted as an integer")
    bits = 8 * size
    lowest, highest = (0, (1 << bits) - 1) if code.isupper() else (-(1 << bits - 1), (1 << bits - 1) - 1)
    if not lowest <= value <= highest:
        if size == 8:
            raise OverflowError("int too big to convert" if value > 0 or code.islower()
                                else "can't convert negative value to unsigned int")
        raise OverflowError(f"{_NAMES[code]} is {'less than minimum' if value < lowest else 'greater than maximum'}")
    return value


def _float(value, code):
    if isinstance(value, str) or not (hasattr(value, "__float__") or hasattr(value, "__index__")):
        raise TypeError(f"must be real number, not {type(value).__name__}")
    value = float(value)
    if code == "d":
        return value
    try:
        return _struct.unpack("f", _struct.pack("f", value))[0]
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


class array(_MutableSequence):
    __module__ = "array"

    def __init__(self, typecode, initializer=(), /):
        if not isinstance(typecode, str) or len(typecode) != 1:
            raise TypeError("array() argument 1 must be a unicode character, not " + type(typecode).__name__)
        if typecode not in _SIZES:
            raise ValueError("bad typecode (must be b, B, u, h, H, i, I, l, L, q, Q, f or d)")
        if isinstance(initializer, str) and typecode != "u":
            raise TypeError(f"cannot use a str to initialize an array with typecode {typecode!r}")
        self.typecode, self.itemsize, self._items = typecode, _SIZES[typecode], []
        if isinstance(initializer, bytes):
            self.frombytes(initializer)
        else:
            self.extend(list(initializer))

    def _taken(self, value):
        if self.typecode in "fd":
            return _float(value, self.typecode)
        if self.typecode != "u":
            return _integer(value, self.typecode, self.itemsize)
        if not isinstance(value, str) or len(value) != 1:
            raise TypeError("array item must be a unicode character, not " + type(value).__name__)
        return value

    def __len__(self):
        return len(self._items)

    def __getitem__(self, index):
        if isinstance(index, slice):
            return self._like(self._items[index])
        try:
            return self._items[index]
        except TypeError:
            raise TypeError("array indices must be integers") from None
        except IndexError:
            raise IndexError("array index out of range") from None

    def _like(self, items):
        made = array(self.typecode)
        made._items = items
        return made

    def __setitem__(self, index, value):
        if isinstance(index, slice):
            self._items[index] = self._same_kind(value, "can only assign array (not {!r}) to array slice")._items
            return
        try:
            self._items[index] = self._taken(value)
        except IndexError:
            raise IndexError("array assignment index out of range") from None

    def _same_kind(self, other, text):
        if not isinstance(other, array):
            raise TypeError(text.format(type(other).__name__))
        if other.typecode != self.typecode:
            raise TypeError("bad argument type for built-in operation")
        return other

    def __delitem__(self, index):
        del self._items[index]

    def __iter__(self):
        return iter(self._items)

    def __contains__(self, value):
        return value in self._items

    def insert(self, i, v, /):
        self._items.insert(i, self._taken(v))

    def append(self, v, /):
        self._items.append(self._taken(v))

    def extend(self, bb, /):
        if isinstance(bb, array) and bb.typecode != self.typecode:
            raise TypeError("can only extend with array of same kind")
        self._items.extend([self._taken(value) for value in bb])

    def pop(self, i=-1, /):
        if not self._items:
            raise IndexError("pop from empty array")
        return self._items.pop(i)

    def remove(self, v, /):
        if v not in self._items:
            raise ValueError("array.remove(x): x not in array")
        self._items.remove(v)

    def index(self, v, /, *bounds):
        if v not in self._items:
            raise ValueError("array.index(x): x not in array")
        return self._items.index(v, *bounds)

    def count(self, v, /):
        return self._items.count(v)

    def reverse(self):
        self._items.reverse()

    def __eq__(self, other):
        return self._items == other._items if isinstance(other, array) else NotImplemented

    def __lt__(self, other):
        return self._items < other._items if isinstance(other, array) else NotImplemented

    def __le__(self, other):
        return self._items <= other._items if isinstance(other, array) else NotImplemented

    def __gt__(self, other):
        return self._items > other._items if isinstance(other, array) else NotImplemented

    def __ge__(self, other):
        return self._items >= other._items if isinstance(other, array) else NotImplemented

    __hash__ = None

    def __add__(self, other):
        self._same_kind(other, 'can only append array (not "{}") to array')
        return self._like(self._items + other._items)

    def __iadd__(self, other):
        if not isinstance(other, array):
            raise TypeError(f'can only extend with array (not "{type(other).__name__}")')
        self.extend(other)
        return self

    def __mul__(self, times):
        return self._like(self._items * times)

    __rmul__ = __mul__

    def __imul__(self, times):
        self._items *= times
        return self

    def tolist(self):
        return list(self._items)

    def fromlist(self, list, /):
        self.extend(list)

    def _format(self, count):
        return f"={count}{'q' if self.typecode == 'l' else 'Q' if self.typecode == 'L' else self.typecode}"

    def tobytes(self):
        if self.typecode == "u":
            return "".join(self._items).encode("utf-32-le")
        return _struct.pack(self._format(len(self._items)), *self._items)

    def frombytes(self, buffer, /):
        if len(buffer) % self.itemsize:
            raise ValueError("bytes length not a multiple of item size")
        if self.typecode == "u":
            self._items.extend(buffer.decode("utf-32-le"))
        else:
            self._items.extend(_struct.unpack(self._format(len(buffer) // self.itemsize), buffer))

    def tofile(self, f, /):
        f.write(self.tobytes())

    def fromfile(self, f, n, /):
        data = f.read(n * self.itemsize)
        self.frombytes(data[:len(data) // self.itemsize * self.itemsize])
        if len(data) < n * self.itemsize:
            raise EOFError("read() didn't return enough bytes")

    def tounicode(self):
        if self.typecode != "u":
            raise ValueError("tounicode() may only be called on unicode type arrays")
        return "".join(self._items)

    def fromunicode(self, ustr, /):
        if self.typecode != "u":
            raise ValueError("fromunicode() may only be called on unicode type arrays")
        self.extend(ustr)

    def byteswap(self):
        data, size = self.tobytes(), self.itemsize
        self._items = []
        self.frombytes(b"".join([data[at:at + size][::-1] for at in range(0, len(data), size)]))

    def buffer_info(self):
        return id(self._items), len(self._items)

    def __repr__(self):
        if not self._items:
            return f"array({self.typecode!r})"
        items = self.tounicode() if self.typecode == "u" else self._items
        return f"array({self.typecode!r}, {items!r})"

    def __reduce__(self):
        return array, (self.typecode, self.tolist())

    def __copy__(self):
        return self._like(self.tolist())

    def __deepcopy__(self, memo):
        return self._like(self.tolist())


ArrayType = array
