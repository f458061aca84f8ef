# struct: numbers as bytes by formats of all letters, orders and layouts, and back; what is out of range.
import struct


def told(call):
    try:
        print(call())
    except (struct.error, OverflowError, TypeError) as error:
        print(type(error).__name__, error)


for format, values in (
        (">IIII", (2051, 60000, 28, 28)), ("<hHiIqQ", (-1, 65535, -2**31, 2**32 - 1, -2**62 * 2, 2**62)), ("=bB?c", (-128, 255, True, b"x")),
        ("!f", (0.1,)), ("<d", (0.1,)), ("<e", (0.1,)), (">e", (-65504.0,)), ("4s", (b"ab",)), ("3p", (b"abcdef",)), ("2s2s", (b"abc", b"d")), ("0s", (b"abc",)),
        ("@bi", (1, 2)), ("@bhq", (1, 2, 3)), ("@qb", (1, 2)), ("@qb0q", (1, 2)), ("<bi", (1, 2)), ("b3xh", (1, 2)), ("2i", (1, 2)), ("<2i 2h", (1, 2, 3, 4)), ("", ()),
        ("nN", (-1, 1)), ("lL", (-1, 1)), ("<lL", (-1, 1)), ("f", (float("inf"),)), ("<f", (float("nan"),)), ("f", (3,)), ("?", (0,)), ("<3f", (1.5, -2.25, 1e-40)),
        ("<4e", (1 / 3, 2**-24, 6e-8, 65519.0)), (b"<h", (7,))):
    data = struct.pack(format, *values)
    print(format, data, struct.calcsize(format), struct.unpack(format, data))
head = struct.Struct("<HB")
print(head.size, head.format, head.pack(1, 2), head.unpack(b"\x01\x00\x02"), head.unpack_from(b"\x00\x01\x00\x02\x09", 1), head.unpack_from(b"abc\x01\x00\x02", -3))
print(list(head.iter_unpack(b"\x01\x00\x02\x03\x00\x04")), list(struct.iter_unpack("<h", b"\x01\x00\xff\xff")), struct.unpack_from("<I", b"\x00\x01\x00\x00\x00", offset=1))
for format, values in (("b", (128,)), ("B", (-1,)), ("h", (40000,)), ("H", (-1,)), ("i", (2**31,)), ("I", (-1,)), ("<l", (2**31,)), ("<L", (2**32,)),
                       ("f", (1e300,)), ("e", (65520.0,)), ("e", (1e6,)), ("c", (b"ab",)), ("c", ("a",)), ("i", (1.5,)), ("i", ("a",)), ("f", ("a",)), ("2i", (1,)), ("i", (1, 2)),
                       ("s", ("a",)), ("k", (1,)), ("<n", (1,)), ("3", ())):
    told(lambda: struct.pack(format, *values))
told(lambda: struct.unpack("<I", b"abc"))
told(lambda: struct.unpack_from("<I", b"abc"))
told(lambda: list(struct.iter_unpack("<I", b"abcde")))
for number, length, signed in ((128, 1, True), (-129, 1, True), (256, 1, False), (-1, 1, False), (0, 0, False), (1, 0, False), (-1, 0, True), (127, 1, True), (-128, 1, True),
                               (2**31, 4, True), (2**31, 4, False), (-2**31, 4, True), (2**55, 7, True), (2**55 - 1, 7, True), (5, 9, True)):
    told(lambda: (number.to_bytes(length, "little", signed=signed), number.to_bytes(length, "big", signed=signed)))
