# Integers: arithmetic, division towards the floor, bits, text.
print(7 // 2, -7 // 2, 7 // -2, 7 % 3, -7 % 3, 7 % -3, divmod(7, 2), divmod(-7, 2), 2**10, (-2) ** 3, 2**-1, 10**18)
print(5 & 3, 5 | 3, 5 ^ 3, ~5, 1 << 10, -16 >> 2, 1_000_000, 0xFF, 0o17, 0b1010, -0)
print(int("42"), int("-7"), int(" 12 "), int("ff", 16), int("0b101", 2), int("0x1f", 0), int(3.9), int(-3.9), int(True), int("1_000"))
print(bin(10), hex(255), oct(8), bin(-5), hex(-255), abs(-3), pow(2, 10), pow(2, 10, 1000), pow(3, -1, 7), round(5), round(1234, -2), round(15, -1), round(25, -1))
print((5).bit_length(), (255).to_bytes(2, "big"), int.from_bytes(b"\x01\x00", "big"), (3).real, str(12), repr(-5), (7).__add__(3))
print(9223372036854775807, -9223372036854775807 - 1, 9223372036854775807 - 1, 3 == 3.0, 3 < 3.5, 1 / 3, 6 / 3, 2**0.5, True + 1, True == 1, False < True)
print(sum(range(101)), min(3, 1), max(1, 2, 3), 10 > 9 > 8, 5 .real, isinstance(True, int), type(1) is int, type(True).__name__, hash(5))
print(int(1e15), float(2**53), 2**62, 7 .__class__.__name__, 0 == -0, not 0, bool(5), int("0"), int("-0"))
for bad in ["", "x", "1.5", "0x10", "1 2", "--1"]:
    try:
        int(bad)
    except ValueError as error:
        print(error)
