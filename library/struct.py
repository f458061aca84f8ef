"""Numbers as bytes, by a format, and back.

    pack(">IIf", 2051, 60000, 0.5)              twelve bytes, the most significant first
    magic, count = unpack(">II", data[:8])      the head of a file of images

A letter of a format is a row of `_KINDS`; a number before it repeats it. Without a mark at the front,
or with `@`, each value begins at a multiple of its size, as in C.
"""
import sys
from _storage import bytes_of_float, float_of_bytes


class error(Exception):
    pass


# By letter: what it is, and its size in the machine's own layout and in the standard one.
_KINDS = {
    "x": ("pad", 1, 1), "c": ("char", 1, 1), "b": ("signed", 1, 1), "B": ("unsigned", 1, 1),
    "?": ("bool", 1, 1), "h": ("signed", 2, 2), "H": ("unsigned", 2, 2), "i": ("signed", 4, 4),
    "I": ("unsigned", 4, 4), "l": ("signed", 8, 4), "L": ("unsigned", 8, 4), "q": ("signed", 8, 8),
    "Q": ("unsigned", 8, 8), "n": ("signed", 8, 0), "N": ("unsigned", 8, 0), "e": ("float", 2, 2),
    "f": ("float", 4, 4), "d": ("float", 8, 8), "s": ("text", 1, 1), "p": ("pascal", 1, 1)}
_ORDERS = {"<": "little", ">": "big", "!": "big", "=": sys.byteorder, "@": sys.byteorder}


class Struct:
    """A format that was read: its parts, each as (letter, kind, place, size)."""

    def __init__(self, format):
        if isinstance(format, bytes):
            format = format.decode("ascii")
        self.format = format
        mark = format[0] if format and format[0] in _ORDERS else "@"
        self._order = _ORDERS[mark]
        self._is_native = mark == "@"
        self._parts = []
        self.size = 0
        self._read(format[1:] if format and format[0] in _ORDERS else format)
        self._values = len([part for part in self._parts if part[1] != "pad"])

    def _read(self, letters):
        count = ""
        for letter in letters:
            if letter.isspace():
                continue
            if letter.isdigit():
                count += letter
                continue
            if letter not in _KINDS or not self._is_native and letter in "nN":
                raise error("bad char in struct format")
            self._add(letter, int(count) if count else 1)
            count = ""
        if count:
            raise error("repeat count given without format specifier")

    def _add(self, letter, count):
        kind, native, standard = _KINDS[letter]
        size = native if self._is_native else standard
        if self._is_native:
            self.size = (self.size + size - 1) // size * size
        if kind in ("text", "pascal"):
            count, size = 1, count
        for _ in range(count):
            self._parts.append((letter, kind, self.size, size))
            self.size += size

    def pack(self, *values):
        if len(values) != self._values:
            raise error(f"pack expected {self._values} items for packing (got {len(values)})")
        data, following = b"", iter(values)
        for letter, kind, place, size in self._parts:
            data += b"\x00" * (place - len(data))
            data += b"\x00" if kind == "pad" else self._bytes_of(next(following), letter, kind, size)
        return data + b"\x00" * (self.size - len(data))

    def _bytes_of(self, value, letter, kind, size):
        if kind == "char":
            if not isinstance(value, bytes) or len(value) != 1:
                raise error("char format requires a bytes object of length 1")
            return value
        if kind in ("text", "pascal"):
            return _text_bytes(value, letter, kind, size)
        if kind == "bool":
            return b"\x01" if value else b"\x00"
        if kind == "float":
            return self._float_bytes(value, letter, size)
        if not hasattr(value, "__index__"):
            raise error("required argument is not an integer")
        number = value.__index__()
        try:
            return number.to_bytes(size, self._order, signed=kind == "signed")
        except OverflowError:
            raise error(_out_of_range(number, letter, kind, size)) from None

    def _float_bytes(self, value, letter, size):
        if not isinstance(value, (int, float)) and not hasattr(value, "__float__"):
            raise error("required argument is not a float")
        number = float(value)
        try:
            data = bytes_of_float(number, size)
        except OverflowError:
            if not (self._is_native and letter == "f"):
                raise OverflowError(f"float too large to pack with {letter} format") from None
            data = bytes_of_float(float("inf") if number > 0 else float("-inf"), size)
        return data if self._order == "big" else data[::-1]

    def unpack(self, buffer):
        if len(buffer) != self.size:
            raise error(f"unpack requires a buffer of {self.size} bytes")
        return self.unpack_from(buffer)

    def unpack_from(self, buffer, offset=0):
        start = offset + len(buffer) if offset < 0 else offset
        if len(buffer) - start < self.size or start < 0:
            raise error(f"unpack_from requires a buffer of at least {start + self.size} bytes for unpacking "
                        f"{self.size} bytes at offset {start} (actual buffer size is {len(buffer)})")
        return tuple([_value_of(buffer[start + place:start + place + size], kind, self._order)
                      for _, kind, place, size in self._parts if kind != "pad"])

    def iter_unpack(self, buffer):
        if self.size == 0:
            raise error("cannot iteratively unpack with a struct of length 0")
        if len(buffer) % self.size:
            raise error(f"iterative unpacking requires a buffer of a multiple of {self.size} bytes")
        for start in range(0, len(buffer), self.size):
            yield self.unpack_from(buffer, start)


def _out_of_range(number, letter, kind, size):
    if size == 8 or letter in "IL" and number < 0:
        return "argument out of range"
    high = 2 ** (8 * size) - 1 if kind == "unsigned" else 2 ** (8 * size - 1) - 1
    low = 0 if kind == "unsigned" else -high - 1
    named = {"b": "byte", "B": "ubyte", "h": "short", "H": "ushort"}.get(letter, f"'{letter}'")
    return f"{named} format requires {low} <= number <= {high}"


def _text_bytes(value, letter, kind, size):
    if not isinstance(value, bytes):
        raise error(f"argument for '{letter}' must be a bytes object")
    if kind == "text":
        return value[:size] + b"\x00" * (size - len(value))
    if size == 0:
        return b""
    kept = value[:min(size - 1, 255)]
    return bytes([len(kept)]) + kept + b"\x00" * (size - 1 - len(kept))


def _value_of(data, kind, order):
    if kind == "char" or kind == "text":
        return data
    if kind == "pascal":
        return data[1:1 + min(data[0], len(data) - 1)] if data else b""
    if kind == "bool":
        return data != b"\x00"
    if kind == "float":
        return float_of_bytes(data if order == "big" else data[::-1])
    return int.from_bytes(data, order, signed=kind == "signed")


_known = {}


def _struct(format):
    if format not in _known:
        _known[format] = Struct(format)
    return _known[format]


def calcsize(format, /):
    return _struct(format).size


def pack(format, /, *values):
    return _struct(format).pack(*values)


def unpack(format, buffer, /):
    return _struct(format).unpack(buffer)


def unpack_from(format, /, buffer, offset=0):
    return _struct(format).unpack_from(buffer, offset)


def iter_unpack(format, buffer, /):
    return _struct(format).iter_unpack(buffer)
