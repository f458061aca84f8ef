# Floats: shortest text that reads back, rounding, special values.
print(1.0, 0.1, 1 / 3, 2 / 3, 1e16, 1e15, 123456789012345678.0, 1e-4, 1e-5, 1.5e300, 5e-324, 1.7976931348623157e308, 100.0, 1e22, 1e23)
print(0.1 + 0.2, 1.1 * 3, 3.0 * 2, 1e308 * 10, -1e308 * 10, float("inf") - float("inf"), -0.0, 0.0 == -0.0, 2.5 // 1, 7.0 % 3, -7.5 // 2)
print(round(2.5), round(3.5), round(-2.5), round(2.675, 2), round(1.005, 2), round(1234.5678, -2), round(0.5), round(1.5), round(2.0), round(1e20) if False else 1)
print(int(2.9), float("1.5"), float(" -1e3 "), float("inf"), float("-Infinity"), float("nan"), float(3), float("1_0.5"), 1.5.is_integer(), 2.0.is_integer(), (0.75).as_integer_ratio(), (255.5).hex())
nan = float("nan")
print(nan == nan, nan != nan, nan < 1, nan in [nan], [nan] == [nan], max(1.0, nan), min(nan, 1.0), abs(-1.5), -2.0**2, 2**0.5, 4**-0.5, 10 % 3.5, divmod(7.5, 2))
print(str(1e5), repr(1.0), 1_000.5, .5, 5., 1e3, 1E-3, 3.14, 1.0 == 1, 1.5 > 1, hash(1.0) == 1, bool(0.0), bool(nan), sum([0.1] * 10), 0.1 * 3)
print(1e16 + 1, 2.0**53, 4.35 * 100, 1.1 + 2.2, 9007199254740993.0, 0.1 + 0.7, 1 / 7, 22 / 7, 1e21 + 1, 123.456e-10)
for x in (1.0, 12.5, 1e7, 123456.789, 1.25e-7, 99999999.9):
    print(f"{x} {x:.3f} {x:g} {x:.3g} {x:e} {x:10.1f}|")
