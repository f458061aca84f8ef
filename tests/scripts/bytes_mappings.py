# bytes by a table, and as hexadecimal digits.
def attempt(function):
    try:
        print(function())
    except Exception as error:
        print(type(error).__name__, error)


data = bytes(range(10))
for args in ((), (":",), (b"-",), ("-", 2), ("-", -2), ("-", 3), ("-", 0), ("-", 100), ("--",), ("\u00e9",), (5,),
             ("",), (["-"],)):
    attempt(lambda: data.hex(*args))
attempt(lambda: data.hex(sep=" ", bytes_per_sep=4))
for text in ("", "ab", "a b", "ab cd\nef", "a", "abc", "zz", "az", "ab z", "\u00e90"):
    attempt(lambda: bytes.fromhex(text))
attempt(lambda: bytes.fromhex(b"ab"))

table = bytes.maketrans(b"ab", b"xy")
print(len(table), b"".translate(table), b"abc".maketrans(b"a", b"b")[97])
attempt(lambda: b"abcab".translate(table))
attempt(lambda: b"abcab".translate(table, b"c"))
attempt(lambda: b"abcab".translate(None, b"a"))
attempt(lambda: b"abcab".translate(None, delete=b"b"))
attempt(lambda: b"a".translate(b"x"))
attempt(lambda: b"a".translate("x"))
attempt(lambda: bytes.maketrans(b"a", b"ab"))
attempt(lambda: bytes.maketrans("a", b"a"))
